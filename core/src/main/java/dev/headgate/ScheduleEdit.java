package dev.headgate;

import dev.headgate.internal.json.JsonCodec;
import dev.headgate.job.JobSpec;
import dev.headgate.schedule.Schedule;
import dev.headgate.schedule.ScheduleTerms;
import dev.headgate.spi.NewJob;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What is to change about a stored schedule; the rest stays. See {@link Schedules#edit}. */
public final class ScheduleEdit {
    private final JsonCodec codec;
    private UnaryOperator<Schedule> schedule = before -> before;
    private Consumer<JobOptions> options = job -> {};
    private @Nullable String payload;

    ScheduleEdit(JsonCodec codec) {
        this.codec = codec;
    }

    /** Its timing and policies: {@code schedule(s -> s.overlap(Overlap.SKIP))}. */
    public ScheduleEdit schedule(UnaryOperator<Schedule> change) {
        this.schedule = change;
        return this;
    }

    /** Options of its jobs, besides those they have: {@code job(job -> job.priority(5))}. */
    public ScheduleEdit job(Consumer<JobOptions> change) {
        this.options = change;
        return this;
    }

    /** The payload of its jobs. */
    public ScheduleEdit payload(Object value) {
        this.payload = codec.write("payload", value);
        return this;
    }

    /** The payload of its jobs, as text. */
    public ScheduleEdit payloadJson(String json) {
        this.payload = codec.check("payload", json);
        return this;
    }

    ScheduleTerms apply(String name, ScheduleTerms before) {
        JobSpec spec = before.job();
        JobOptions asked = JobOptions.of(spec, before.delay());
        options.accept(asked);
        NewJob job = asked.job(spec.type(), payload == null ? spec.payload() : payload);
        NewJob template = StoreSchedules.template(name, new JobRequest(job, asked.relations()));
        return ScheduleTerms.of(schedule.apply(before.schedule()), template.spec(), StoreSchedules.delay(template));
    }
}

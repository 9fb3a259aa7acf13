package dev.headgate;

import dev.headgate.internal.enqueue.StoredDefaults;
import dev.headgate.internal.schedule.ScheduleStore;
import dev.headgate.internal.text.Names;
import dev.headgate.job.JobType;
import dev.headgate.schedule.Schedule;
import dev.headgate.schedule.Schedule.PutResult;
import dev.headgate.schedule.ScheduleTerms;
import dev.headgate.spi.NewJob;
import dev.headgate.spi.NewJob.Due;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** Writes payloads as JSON, checks schedules and hands them to a store: its own transaction, or the caller's. */
final class StoreSchedules implements ScheduleOperations {
    private final ScheduleStore store;
    private final RequestContext context;
    private final Consumer<NewJob> limits;

    /** @param limits sees to it that provided limits are stored before a schedule needs them */
    StoreSchedules(ScheduleStore store, RequestContext context, Consumer<NewJob> limits) {
        this.store = store;
        this.context = context;
        this.limits = limits;
    }

    @Override
    public <T> PutResult put(String name, Schedule schedule, JobType<T> type, T payload, Consumer<JobOptions> options) {
        return put(name, schedule, JobRequest.of(own(), type, payload, options));
    }

    @Override
    public PutResult putJson(String name, Schedule schedule, JsonJob job) {
        return put(name, schedule, job.read(own()));
    }

    /** What is stored of the type is applied at each instant, as it is then. */
    private RequestContext own() {
        return RequestContext.without(context.codec());
    }

    private PutResult put(String name, Schedule schedule, JobRequest asked) {
        Names.check("schedule", name);
        NewJob job = template(name, asked);
        limits.accept(
                new NewJob(StoredDefaults.applied(job.spec(), context.policies().get()), job.due()));
        return store.put(name, ScheduleTerms.of(schedule, job.spec(), delay(job)));
    }

    /** A job that can be enqueued again and again: nothing of it belongs to one moment or to other jobs. */
    static NewJob template(String name, JobRequest asked) {
        Problems faults = new Problems();
        NewJob job = asked.job();
        JobRelations relations = asked.relations();
        faults.expect(
                job.due() instanceof Due.After,
                () -> "expected each job to be due at its instant, got at(…); say delay(…), or another timing");
        faults.expect(
                job.spec().tries().deadline() == null,
                () -> "expected no deadline(…), which would be the same instant for each job; say timeout(…)");
        faults.expect(
                relations.needs().isEmpty()
                        && relations.mates().isEmpty()
                        && relations.children().isEmpty()
                        && relations.name() == null,
                () -> "expected jobs that wait for no others, got after(…), child(…) or as(…); let a job enqueue them");
        faults.throwIfAny("schedule '%s'".formatted(name));
        return job;
    }

    static Duration delay(NewJob job) {
        return job.due() instanceof Due.After(Duration delay) ? delay : Duration.ZERO;
    }

    @Override
    public PutResult edit(String name, Consumer<ScheduleEdit> edit) {
        ScheduleEdit changes = new ScheduleEdit(context.codec());
        edit.accept(changes);
        PutResult put = store.edit(name, terms -> changes.apply(name, terms));
        return known(name, Optional.ofNullable(put));
    }

    @Override
    public void pause(String name) {
        require(name, store.pause(name));
    }

    @Override
    public void resume(String name) {
        require(name, store.resume(name));
    }

    @Override
    public void remove(String name) {
        require(name, store.remove(name));
    }

    static void require(String name, boolean isThere) {
        if (!isThere) {
            throw new UnknownScheduleException(name);
        }
    }

    static <T> T known(String name, Optional<T> found) {
        return found.orElseThrow(() -> new UnknownScheduleException(name));
    }
}

package dev.headgate;

import dev.headgate.codec.JsonCodec;
import dev.headgate.job.JobId;
import dev.headgate.job.JobType;
import dev.headgate.job.NewJob;
import dev.headgate.store.JobTable.Inserted;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes payloads as JSON, checks options and hands whole batches to a store: its own transaction, or the caller's. */
final class Intake implements Enqueuer {
    private final JsonCodec codec;
    private final Function<List<NewJob>, List<Inserted>> append;

    Intake(JsonCodec codec, Function<List<NewJob>, List<Inserted>> append) {
        this.codec = codec;
        this.append = append;
    }

    @Override
    public <T> Enqueued offer(JobType<T> type, T payload, Consumer<JobOptions> options) {
        JobOptions asked = new JobOptions();
        options.accept(asked);
        return append(List.of(job(type, payload, asked))).getFirst();
    }

    @Override
    public <T> List<Enqueued> enqueueAll(JobType<T> type, List<T> payloads, BiConsumer<T, JobOptions> options) {
        checkSize("enqueue of '%s'".formatted(type.name()), payloads.size());
        if (payloads.isEmpty()) {
            return List.of();
        }
        List<NewJob> jobs = new ArrayList<>(payloads.size());
        for (T payload : payloads) {
            JobOptions asked = new JobOptions();
            options.accept(payload, asked);
            jobs.add(job(type, payload, asked));
        }
        return append(jobs);
    }

    @Override
    public Enqueued enqueueJson(String type, String json, Consumer<JobOptions> options) {
        return append(List.of(new JsonJob(type, json, options).read(codec))).getFirst();
    }

    @Override
    public List<Enqueued> enqueueAllJson(List<JsonJob> jobs) {
        checkSize("enqueue", jobs.size());
        return jobs.isEmpty()
                ? List.of()
                : append(jobs.stream().map(job -> job.read(codec)).toList());
    }

    private static void checkSize(String what, int jobs) {
        if (jobs > BATCH_MAX) {
            throw new IllegalArgumentException("%s: expected at most %d jobs in one call, got %d; split the list"
                    .formatted(what, BATCH_MAX, jobs));
        }
    }

    private <T> NewJob job(JobType<T> type, @Nullable T payload, JobOptions asked) {
        if (payload == null) {
            throw new IllegalArgumentException(
                    "payload of '%s': expected a %s, got null; a job that needs no payload can have a record without fields"
                            .formatted(type.name(), type.payload().getSimpleName()));
        }
        return asked.job(type.name(), codec.write("payload of '%s'".formatted(type.name()), payload));
    }

    private List<Enqueued> append(List<NewJob> jobs) {
        return append.apply(jobs).stream()
                .map(row -> new Enqueued(new JobId(row.id()), row.isNew()))
                .toList();
    }
}

package dev.headgate;

import dev.headgate.internal.enqueue.BesideJobs;
import dev.headgate.job.JobId;
import dev.headgate.job.JobType;
import dev.headgate.spi.JobTable.Inserted;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** Writes payloads as JSON, checks options and hands whole batches to a store: its own transaction, or the caller's. */
final class StoreEnqueuer implements Enqueuer {
    private final RequestContext context;
    private final BiFunction<JobGraph.Order, BesideJobs, List<Inserted>> append;
    private final BesideJobs beside;

    StoreEnqueuer(RequestContext context, BiFunction<JobGraph.Order, BesideJobs, List<Inserted>> append) {
        this(context, append, BesideJobs.NOTHING);
    }

    private StoreEnqueuer(
            RequestContext context, BiFunction<JobGraph.Order, BesideJobs, List<Inserted>> append, BesideJobs beside) {
        this.context = context;
        this.append = append;
        this.beside = beside;
    }

    /** The same, and in the same transaction this; it gets the jobs that were asked for. */
    StoreEnqueuer with(BesideJobs more) {
        return new StoreEnqueuer(context, append, more);
    }

    @Override
    public <T> Enqueued enqueue(JobType<T> type, T payload, Consumer<JobOptions> options) {
        return append(List.of(JobRequest.of(context, type, payload, options))).getFirst();
    }

    @Override
    public <T> List<Enqueued> enqueueAll(JobType<T> type, List<T> payloads, BiConsumer<T, JobOptions> options) {
        checkSize("enqueue of '%s'".formatted(type.name()), payloads.size());
        if (payloads.isEmpty()) {
            return List.of();
        }
        List<JobRequest> jobs = new ArrayList<>(payloads.size());
        for (T payload : payloads) {
            jobs.add(JobRequest.of(context, type, payload, job -> options.accept(payload, job)));
        }
        return append(jobs);
    }

    @Override
    public Enqueued enqueueJson(String type, String json, Consumer<JobOptions> options) {
        return append(List.of(new JsonJob(type, json, options).read(context))).getFirst();
    }

    @Override
    public List<Enqueued> enqueueAllJson(List<JsonJob> jobs) {
        checkSize("enqueue", jobs.size());
        return jobs.isEmpty()
                ? List.of()
                : append(jobs.stream().map(job -> job.read(context)).toList());
    }

    private static void checkSize(String what, int jobs) {
        if (jobs > BATCH_MAX) {
            throw new IllegalArgumentException("%s: expected at most %d jobs in one call, got %d; split the list"
                    .formatted(what, BATCH_MAX, jobs));
        }
    }

    /** Returns ids for the jobs of the call; ids of children are read with {@link Headgate#dependencies}. */
    private List<Enqueued> append(List<JobRequest> asked) {
        JobGraph.Order order = JobGraph.of(context, asked);
        List<Inserted> rows = append.apply(order, beside);
        return order.asked(rows).stream()
                .map(row -> new Enqueued(new JobId(row.id()), row.isNew()))
                .toList();
    }
}

package dev.headgate;

import dev.headgate.job.JobType;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Takes jobs in. When a method returns, the jobs are stored; when it throws
 * {@link dev.headgate.store.StoreUnavailableException} they may or may not be, and a dedup key makes it safe to ask
 * again. A payload that JSON cannot hold, or an option out of range, is refused with an
 * {@link IllegalArgumentException} that names all faults.
 */
public interface Enqueuer {
    /** The most jobs that one call takes. */
    int BATCH_MAX = 10_000;

    /** Enqueues a job for the queue {@code default}, due now. */
    default <T> Enqueued enqueue(JobType<T> type, T payload) {
        return enqueue(type, payload, job -> {});
    }

    /**
     * Enqueues a job with options: {@code enqueue(SEND, invoice, job -> job.queue("mail").gate("tenant:acme").cost(5))}.
     * If a live job carries the same dedup key, nothing is added, and the result has the id of that job.
     */
    <T> Enqueued enqueue(JobType<T> type, T payload, Consumer<JobOptions> options);

    /** Enqueues up to {@value #BATCH_MAX} jobs in one transaction: all of them or none. Results are in the order of the payloads. */
    default <T> List<Enqueued> enqueueAll(JobType<T> type, List<T> payloads) {
        return enqueueAll(type, payloads, (payload, job) -> {});
    }

    /** Enqueues many jobs, each with options of its own: {@code (invoice, job) -> job.gate("tenant:" + invoice.tenant())}. */
    <T> List<Enqueued> enqueueAll(JobType<T> type, List<T> payloads, BiConsumer<T, JobOptions> options);

    /** Enqueues a job from its parts as text, for tools that do not have its Java type. */
    Enqueued enqueueJson(String type, String json, Consumer<JobOptions> options);

    /** Enqueues up to {@value #BATCH_MAX} jobs of any types, as text, in one transaction: all of them or none. */
    List<Enqueued> enqueueAllJson(List<JsonJob> jobs);
}

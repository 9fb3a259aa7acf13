package dev.headgate.handler;

/**
 * Runs jobs of one type. Returning means the work is done; throwing means it is not:
 *
 * <ul>
 *   <li>{@link PermanentFailure}: the job fails for good;
 *   <li>{@link RetryLater}: the job runs again at the time named, as long as it has attempts left;
 *   <li>anything else: the job runs again by its retry policy, as long as it has attempts left.
 * </ul>
 *
 * <p>A handler is interrupted when its job is cancelled, takes too long or its worker shuts down. Let the
 * {@link InterruptedException} out: a handler that swallows it and returns says that the work is done. Whatever is thrown
 * after an interruption counts as its consequence: a cancelled job ends CANCELLED, a job that took too long has failed
 * this attempt, and a job interrupted by shutdown goes back to its queue with its attempt unburnt.
 *
 * <p>Many jobs may run at once in one handler, so it must be thread-safe. A job may run more than once (its worker can
 * die after the work and before the news of it), so make handlers idempotent; {@link JobContext#epoch} is a
 * fencing token.
 */
@FunctionalInterface
public interface JobHandler<T> {
    /** Runs one job. Returning ends it as SUCCEEDED; throwing means what the list above says. */
    void handle(T payload, JobContext job) throws Exception;

    /**
     * Makes ready for the first job: opens what is opened once, loads what is loaded at the first use. Called when a worker
     * starts, before it claims anything; the worker waits for it. In a process that has just begun, the first call of a
     * client library can take half a second, and a start that waits for that is too late for its limits. What it throws is
     * logged, and the worker starts all the same. May be called more than once, so it should do its work once.
     */
    default void warmUp() throws Exception {}
}

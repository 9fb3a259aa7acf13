package dev.headgate.handler;

import dev.headgate.job.JobId;
import dev.headgate.job.JobSpec.FrameRef;
import dev.headgate.job.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The job that a handler is running: its id, its time, and its reports to the store. Thread-safe. */
public interface JobContext {
    /** The id of the job. */
    JobId id();

    /** The name of its job type. */
    String type();

    /** The queue that it was enqueued in. */
    String queue();

    /** The part of a workflow run that this job is a step of; absent for a plain job. */
    default Optional<FrameRef> frame() {
        return Optional.empty();
    }

    /**
     * The instant of the schedule that this job was enqueued for, which may be long past if that run was missed; absent
     * for any other job. Asks the store at each call.
     */
    default Optional<Instant> scheduledFor() {
        return Optional.empty();
    }

    /** What people search it by: {@code team=mail}. Hand them on with {@code JobOptions.labels}. */
    default Map<String, String> labels() {
        return Map.of();
    }

    /** The context that came with it, such as a {@code traceparent}; names are in lower case. Hand them on with {@code JobOptions.headers}. */
    default Map<String, String> headers() {
        return Map.of();
    }

    /** Which attempt this is, from 1. */
    int attempt();

    /** The last attempt it can have; after a failure of that one the job has failed for good. */
    int attemptsMax();

    /**
     * The number of this lease; rises with every lease of the job. Hand it to systems that can refuse writes with an
     * older number, and an attempt that was cut off can do no harm.
     */
    long epoch();

    /** Whether the handler should stop: the job was cancelled, took too long, or its worker stops or lost its lease. */
    boolean isCancelled();

    /** Does nothing, or throws {@link JobStopped} if the handler should stop. For loops that never block. */
    void checkCancelled();

    /**
     * Reports how far the job is. Only the newest report counts, so call it as often as you like.
     *
     * @param percent 0 to 100
     * @param message a few words for people; cut at 500 characters
     */
    void progress(int percent, String message);

    /** Adds a line to the job's log, which keeps its newest 200 lines. Cut at 2,000 characters. */
    void log(String line);

    /**
     * Reports what this attempt really took of a gate, such as the tokens that a provider billed. The job was charged the
     * cost that it was enqueued with; the difference is given back, or is owed and delays later starts. Counts when the
     * attempt ends, however it ends; of several calls the last one stands.
     *
     * @param gate one of the job's gates
     * @param units 0 or more
     */
    void settle(String gate, long units);

    /**
     * Shuts a gate or queue for every worker at once, because the service behind it has pushed back, as with a 429. It stays
     * shut for {@code retryAfter}, or for as long as the policy's back-off says if that is longer; then one job tries,
     * and if that job succeeds the gate is open. Throw what this returns, and the job goes back to its place without
     * having used up an attempt:
     *
     * <pre>{@code
     * throw job.pushedBack("openai", ofSeconds(20));
     * }</pre>
     *
     * @param gate one of the job's gates, its queue, or any other gate or queue; see {@link RetryLater#pushedBack}
     * @param retryAfter how long the service asks to be left alone; null if it did not say. Less than zero, such as a date
     *     that is past, is zero; more than 366 days is 366 days
     */
    RetryLater pushedBack(String gate, @Nullable Duration retryAfter);

    /**
     * Shuts the limiter of the worker that runs this job, {@code worker.limiter(…)}, because what it stands for has pushed back: a
     * device of this machine, a licence, an account that only this process uses. It stays shut for {@code retryAfter}, or for as
     * long as its back-off says if that is longer; then one job tries, and if that job does not push back the limiter is open. Throw
     * what this returns, and the job goes back to its place without having used up an attempt; a worker without that limiter may take
     * it at once.
     *
     * <pre>{@code
     * throw job.limiterPushedBack(ofSeconds(20));
     * }</pre>
     *
     * <p>If its worker has no limiter, nothing is shut, and the attempt counts: the job is tried again after {@code retryAfter}, or as its
     * retry policy says.
     *
     * @param retryAfter how long to leave it alone; null if that is not known. Bounded as in {@link #pushedBack}
     */
    RetryLater limiterPushedBack(@Nullable Duration retryAfter);

    /**
     * Call this right before the one call that the job's limits are about, if the handler prepares for long (reads a file, asks
     * a database) before it makes that call. Limits that count over time allow for some time from the grant to the call,
     * their margin; a call that comes later would be counted at the wrong time.
     *
     * <p>In time, and for a job whose limits have no margin, this returns at once. Too late, it asks the store: the old start is
     * given up and a new one is taken, as soon as all limits of the job allow that; it waits for up to a minute. If that is
     * not enough, it throws {@link TooLate}: let it out, and the job goes back to its place as if it had not been started.
     *
     * <pre>{@code
     * Report report = prepare(order);
     * job.beforeCall();
     * provider.send(report);
     * }</pre>
     *
     * @throws TooLate if the call must not be made now
     * @throws JobStopped if the handler should stop anyway
     * @throws IllegalStateException if it was called before in this attempt, because one start pays for one call, or if the
     *     attempt has ended
     */
    void beforeCall();

    /**
     * The same, for a call to what this gate stands for. A job has one start for all its gates, so this asks about all of
     * them; the name is only checked.
     *
     * @param gate one of the job's gates; not its queue, for which {@link #beforeCall()} without a name asks as well
     * @throws IllegalArgumentException if the job has no such gate
     */
    void beforeCall(String gate);

    /**
     * The jobs that were enqueued as its children, in that order, as they ended; see {@code JobOptions.child}. Children that
     * failed are among them if their failure was to be ignored. Reads the store at each call.
     *
     * @throws IllegalStateException if one was deleted after it had ended: the list would look complete and not be
     */
    List<JobStatus> children();

    /** What its children returned, in their order; those that failed or returned nothing are left out. */
    <T> List<T> childResults(Class<T> type);

    /**
     * What another job returned, such as one that this one was enqueued after; absent if it returned nothing, has not
     * succeeded or is not there any more.
     */
    <T> Optional<T> findResult(JobId job, Class<T> type);

    /** Time until the handler is interrupted for taking too long; absent if it has neither timeout nor deadline. */
    Optional<Duration> timeLeft();

    /** Time until the lease ends if no heartbeat reached the store from now on; zero if it may have ended. */
    Duration leaseLeft();
}

package dev.headgate.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A job as it was asked for; nothing but its priority changes while the job lives.
 *
 * @param payload JSON text
 * @param cost units it takes of budgets and of limits by cost, at each gate; 0 passes them freely
 * @param isFront goes before all others of its priority
 * @param keepsPlace has the place of its enqueue also when it becomes due or free later
 * @param dedupKey at most one live job carries it
 * @param dedupFor after this time a new job may carry the key although the old one still lives
 * @param timeout how long one attempt may run
 * @param deadline the job fails if it has not ended by then
 * @param retry the retry policy in its text form; absent means the handler's
 * @param frame the part of a workflow run that it is a step of; absent for a plain job
 */
public record JobSpec(
        Lane lane,
        String type,
        String payload,
        Cost cost,
        int priority,
        boolean isFront,
        boolean keepsPlace,
        @Nullable String dedupKey,
        @Nullable Duration dedupFor,
        @Nullable Duration timeout,
        @Nullable Instant deadline,
        int attemptsMax,
        @Nullable String retry,
        @Nullable FrameRef frame) {

    /** A plain job, which is no step of a workflow, and takes its place when it becomes due or free. */
    public JobSpec(
            Lane lane,
            String type,
            String payload,
            Cost cost,
            int priority,
            boolean isFront,
            @Nullable String dedupKey,
            @Nullable Duration dedupFor,
            @Nullable Duration timeout,
            @Nullable Instant deadline,
            int attemptsMax,
            @Nullable String retry) {
        this(
                lane,
                type,
                payload,
                cost,
                priority,
                isFront,
                false,
                dedupKey,
                dedupFor,
                timeout,
                deadline,
                attemptsMax,
                retry,
                null);
    }

    /** Whether only the payloads differ. */
    public boolean isLike(JobSpec other) {
        return lane.equals(other.lane)
                && type.equals(other.type)
                && cost.equals(other.cost)
                && priority == other.priority
                && isFront == other.isFront
                && keepsPlace == other.keepsPlace
                && Objects.equals(dedupKey, other.dedupKey)
                && Objects.equals(dedupFor, other.dedupFor)
                && Objects.equals(timeout, other.timeout)
                && Objects.equals(deadline, other.deadline)
                && attemptsMax == other.attemptsMax
                && Objects.equals(retry, other.retry)
                && Objects.equals(frame, other.frame);
    }

    /** The same job with another priority. */
    public JobSpec withPriority(int other) {
        return new JobSpec(
                lane,
                type,
                payload,
                cost,
                other,
                isFront,
                keepsPlace,
                dedupKey,
                dedupFor,
                timeout,
                deadline,
                attemptsMax,
                retry,
                frame);
    }

    /** The same job as a step of a run. */
    public JobSpec at(FrameRef place) {
        return new JobSpec(
                lane,
                type,
                payload,
                cost,
                priority,
                isFront,
                keepsPlace,
                dedupKey,
                dedupFor,
                timeout,
                deadline,
                attemptsMax,
                retry,
                place);
    }

    /** Its place if this is the number it has drawn. */
    public long rank(long number) {
        return Rank.of(priority, isFront, number);
    }
}

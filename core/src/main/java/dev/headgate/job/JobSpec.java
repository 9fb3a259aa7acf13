package dev.headgate.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A job as it was asked for; nothing but its priority changes while the job lives. Eight values: the first four are what
 * nearly every reader asks for, so they are not grouped.
 *
 * @param payload JSON text
 * @param cost units it takes of budgets and of limits by cost, at each gate; 0 passes them freely
 * @param order its place among the jobs of its lane
 * @param dedup what keeps a second job like it out
 * @param tries how often and how long it may run
 * @param frame the part of a workflow run that it is a step of; absent for a plain job
 */
public record JobSpec(
        Lane lane,
        String type,
        String payload,
        Cost cost,
        Order order,
        Dedup dedup,
        Tries tries,
        @Nullable FrameRef frame) {

    /**
     * Its place among the jobs of its lane.
     *
     * @param priority higher first
     * @param isFront goes before all others of its priority
     * @param keepsPlace has the place of its enqueue also when it becomes due or free later
     */
    public record Order(int priority, boolean isFront, boolean keepsPlace) {
        /** The order in which jobs come. */
        public static final Order NORMAL = new Order(0, false, false);

        /** Allocates nothing for most jobs. */
        public static Order of(int priority, boolean isFront, boolean keepsPlace) {
            return priority == 0 && !isFront && !keepsPlace ? NORMAL : new Order(priority, isFront, keepsPlace);
        }
    }

    /**
     * What keeps a second job like it out.
     *
     * @param key at most one live job carries it
     * @param lasts after this time a new job may carry the key although the old one still lives
     */
    public record Dedup(@Nullable String key, @Nullable Duration lasts) {
        public static final Dedup NONE = new Dedup(null, null);

        /** Allocates nothing for most jobs. */
        public static Dedup of(@Nullable String key, @Nullable Duration lasts) {
            return key == null && lasts == null ? NONE : new Dedup(key, lasts);
        }
    }

    /**
     * How often and how long it may run.
     *
     * @param retry the retry policy in its text form; absent means the handler's
     * @param timeout how long one attempt may run
     * @param deadline the job fails if it has not ended by then
     */
    public record Tries(
            int attemptsMax,
            @Nullable String retry,
            @Nullable Duration timeout,
            @Nullable Instant deadline) {}

    /** Whether only the payloads differ. */
    public boolean isLike(JobSpec other) {
        return lane.equals(other.lane)
                && type.equals(other.type)
                && cost.equals(other.cost)
                && order.equals(other.order)
                && dedup.equals(other.dedup)
                && tries.equals(other.tries)
                && Objects.equals(frame, other.frame);
    }

    /** The same job with another priority. */
    public JobSpec withPriority(int other) {
        return with(new Order(other, order.isFront, order.keepsPlace));
    }

    private JobSpec with(Order other) {
        return new JobSpec(lane, type, payload, cost, other, dedup, tries, frame);
    }

    /** The same job with another dedup key. */
    public JobSpec with(Dedup other) {
        return new JobSpec(lane, type, payload, cost, order, other, tries, frame);
    }

    /** The same job with other tries. */
    public JobSpec with(Tries other) {
        return new JobSpec(lane, type, payload, cost, order, dedup, other, frame);
    }

    /** The same job as a step of a run. */
    public JobSpec at(FrameRef place) {
        return new JobSpec(lane, type, payload, cost, order, dedup, tries, place);
    }

    /** Its place if this is the number it has drawn. */
    public long rank(long number) {
        return Rank.of(order.priority, order.isFront, number);
    }
}

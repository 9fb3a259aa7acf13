package dev.headgate.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A job as it was asked for; nothing but its priority changes while the job lives. Nine values: the first four are what
 * nearly every reader asks for, so they are not grouped.
 *
 * @param payload JSON text
 * @param cost units it takes of budgets and of limits by cost, at each gate; 0 passes them freely
 * @param order its place among the jobs of its lane
 * @param dedup what keeps a second job like it out
 * @param tries how often and how long it may run
 * @param attributes its labels and headers
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
        Attributes attributes,
        @Nullable FrameRef frame) {

    /** A job without labels and headers. */
    public JobSpec(
            Lane lane,
            String type,
            String payload,
            Cost cost,
            Order order,
            Dedup dedup,
            Tries tries,
            @Nullable FrameRef frame) {
        this(lane, type, payload, cost, order, dedup, tries, Attributes.NONE, frame);
    }

    /**
     * Its place among the jobs of its lane, kept as one number, its rank, smaller first: higher priority, then front of the line,
     * then the order in which jobs came. One number keeps every index, every comparison and every line of a gate in the same order.
     *
     * <p>A job that can start at once has the rank of its own number. One that must wait for its time or for other jobs draws
     * a new number, from the same counter as job numbers, in the write that puts it into its lane: it takes its place from
     * that moment, behind those already waiting. The one rule for that is {@link dev.headgate.spi.JobRow#takesNewPlace}.
     *
     * <p>Design note. Age and priority are measured in the same unit, job numbers: one step of priority is a head start of
     * {@link #PER_PRIORITY} jobs, no more. So nothing starves: a job is overtaken by at most that many later ones for each
     * step between them, however long urgent jobs keep coming. No waiting row is rewritten for that, and no clock is asked.
     *
     * <p>A job at the front has a head start that grows twice as fast as numbers do, so that of two such jobs the newer one
     * goes first; it stays below a step of priority because it begins anew with every block of {@link #FRONT_BLOCK}
     * numbers.
     *
     * @param priority higher first
     * @param isFront goes before all others of its priority
     * @param keepsPlace has the place of its enqueue also when it becomes due or free later
     */
    public record Order(int priority, boolean isFront, boolean keepsPlace) {
        /** The order in which jobs come. */
        public static final Order NORMAL = new Order(0, false, false);

        /** Priorities go from minus this to plus this. */
        public static final int PRIORITY_MAX = 1000;

        /** How many older jobs one step of priority overtakes. */
        public static final long PER_PRIORITY = 1L << 20;

        /** How many older jobs of its priority a job at the front overtakes at least. */
        public static final long FRONT_BLOCK = 1L << 18;

        /** Allocates nothing for most jobs. */
        public static Order of(int priority, boolean isFront, boolean keepsPlace) {
            return priority == 0 && !isFront && !keepsPlace ? NORMAL : new Order(priority, isFront, keepsPlace);
        }

        /** Returns the priority, or throws if it is out of range. */
        public static int checkPriority(int priority) {
            if (priority < -PRIORITY_MAX || priority > PRIORITY_MAX) {
                throw new IllegalArgumentException("priority: expected -%d to %d (higher first, 0 is normal), got %d"
                        .formatted(PRIORITY_MAX, PRIORITY_MAX, priority));
            }
            return priority;
        }

        /**
         * The rank of a job that has drawn this number. Every statement that draws numbers has the same sum, because only the
         * store knows them, and so has {@code due_jobs}, which predicts it. A test compares each of them with this one.
         */
        public long rank(long number) {
            long headStart = isFront ? FRONT_BLOCK + 1 + 2 * (number % FRONT_BLOCK) : 0;
            return number - priority * PER_PRIORITY - headStart;
        }

        /** The number that this rank was made of. */
        public long number(long rank) {
            long number = rank + priority * PER_PRIORITY;
            if (!isFront) {
                return number;
            }
            long block = Math.ceilDiv(number + 1, FRONT_BLOCK) * FRONT_BLOCK;
            return block + FRONT_BLOCK + (block - number - 1);
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
            @Nullable Instant deadline) {
        /** The attempts of jobs that say nothing about them. */
        public static final int ATTEMPTS_DEFAULT = 10;

        private static final int ATTEMPTS_MAX = 1_000_000;
        private static final Duration SPAN_MAX = Duration.ofDays(3_660);

        /** Returns the number of attempts, or throws if it is out of range. */
        public static int checkAttempts(int most) {
            if (most < 1 || most > ATTEMPTS_MAX) {
                throw new IllegalArgumentException("attempts: expected 1 to %d, got %d".formatted(ATTEMPTS_MAX, most));
            }
            return most;
        }

        /** Returns the span, or throws if it is zero, less or too long to count with. */
        public static Duration checkSpan(String what, Duration span) {
            if (span.isNegative() || span.isZero() || span.compareTo(SPAN_MAX) > 0) {
                throw new IllegalArgumentException("%s: expected more than zero, at most %d days, got %s"
                        .formatted(what, SPAN_MAX.toDays(), span));
            }
            return span;
        }
    }

    /**
     * Which part of a workflow run a job works for: the frame, and the revision of it that made the job. A frame moves on
     * only at the end of a job that was made by the revision it is in, so that each step counts once.
     */
    public record FrameRef(long frame, long revision) {
        /** For a job that may end in any revision, such as a timer over the whole run. */
        public static final long ANY_REVISION = -1;

        /** For a job that is wanted whatever has become of its run, such as one that cleans up after it. */
        public static final long ALWAYS = -2;

        /** Whether the part of the run, which is in this revision now, still wants this job. */
        public boolean isFor(long current) {
            return revision < 0 || revision == current;
        }
    }

    /** Whether only the payloads differ. */
    public boolean isLike(JobSpec other) {
        return lane.equals(other.lane)
                && type.equals(other.type)
                && cost.equals(other.cost)
                && order.equals(other.order)
                && dedup.equals(other.dedup)
                && tries.equals(other.tries)
                && attributes.equals(other.attributes)
                && Objects.equals(frame, other.frame);
    }

    /** The same job with another priority. */
    public JobSpec withPriority(int other) {
        return with(new Order(other, order.isFront, order.keepsPlace));
    }

    private JobSpec with(Order other) {
        return new JobSpec(lane, type, payload, cost, other, dedup, tries, attributes, frame);
    }

    /** The same job with another dedup key. */
    public JobSpec with(Dedup other) {
        return new JobSpec(lane, type, payload, cost, order, other, tries, attributes, frame);
    }

    /** The same job with other tries. */
    public JobSpec with(Tries other) {
        return new JobSpec(lane, type, payload, cost, order, dedup, other, attributes, frame);
    }

    /** The same job with what another one, or its run, hands on to it; its own labels and headers win. */
    public JobSpec inheriting(Attributes inherited) {
        Attributes all = inherited.and(attributes);
        return all.equals(attributes) ? this : new JobSpec(lane, type, payload, cost, order, dedup, tries, all, frame);
    }

    /** The same job as a step of a run. */
    public JobSpec at(FrameRef place) {
        return new JobSpec(lane, type, payload, cost, order, dedup, tries, attributes, place);
    }

    /** Its rank if this is the number it has drawn. */
    public long rank(long number) {
        return order.rank(number);
    }
}

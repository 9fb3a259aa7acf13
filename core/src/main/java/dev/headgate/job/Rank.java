package dev.headgate.job;

/**
 * The place of a job in its lane as one number, smaller first: higher priority, then front of the line, then the order
 * in which jobs came. One number keeps every index, every comparison and every line of a gate in the same order.
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
 */
public final class Rank {
    /** Priorities go from minus this to plus this. */
    public static final int PRIORITY_MAX = 1000;

    /** How many older jobs one step of priority overtakes. */
    public static final long PER_PRIORITY = 1L << 20;

    /** How many older jobs of its priority a job at the front overtakes at least. */
    public static final long FRONT_BLOCK = 1L << 18;

    private Rank() {}

    /**
     * The rank of a job that has drawn this number. Every statement that draws numbers has the same sum, because only the
     * store knows them, and so has {@code due_jobs}, which predicts it. A test compares each of them with this one.
     */
    public static long of(int priority, boolean front, long number) {
        long headStart = front ? FRONT_BLOCK + 1 + 2 * (number % FRONT_BLOCK) : 0;
        return number - priority * PER_PRIORITY - headStart;
    }

    /** The number that this rank was made of. */
    public static long number(int priority, boolean front, long rank) {
        long number = rank + priority * PER_PRIORITY;
        if (!front) {
            return number;
        }
        long block = Math.ceilDiv(number + 1, FRONT_BLOCK) * FRONT_BLOCK;
        return block + FRONT_BLOCK + (block - number - 1);
    }

    /** Returns the priority, or throws if it is out of range. */
    public static int checkPriority(int priority) {
        if (priority < -PRIORITY_MAX || priority > PRIORITY_MAX) {
            throw new IllegalArgumentException("priority: expected -%d to %d (higher first, 0 is normal), got %d"
                    .formatted(PRIORITY_MAX, PRIORITY_MAX, priority));
        }
        return priority;
    }
}

package dev.headgate.job;

/**
 * The place of a job in its lane as one number, smaller first: higher priority, then front of the line, then the order
 * of enqueue. One number keeps every index, every comparison and every line of a gate in the same order.
 *
 * <p>Design note. Age and priority are measured in the same unit, job numbers: one step of priority is a head start of
 * {@link #PER_PRIORITY} jobs, no more. So nothing starves: a job is overtaken by at most that many later ones for each
 * step between them, however long urgent jobs keep coming. No row is ever rewritten for that, and no clock is asked.
 *
 * <p>A job at the front has a head start that grows twice as fast as numbers do, so that of two such jobs the newer one
 * goes first; it stays below a step of priority because it begins anew with every block of {@link #FRONT_BLOCK}
 * numbers.
 */
public final class Rank {
    public static final int PRIORITY_MAX = 1000;

    /** How many older jobs one step of priority overtakes. */
    public static final long PER_PRIORITY = 1L << 20;

    /** How many older jobs of its priority a job at the front overtakes at least. */
    public static final long FRONT_BLOCK = 1L << 18;

    private Rank() {}

    /** The same sum stands in {@code insert_jobs.sql} of each store, because only the store knows the number. */
    public static long of(int priority, boolean front, long id) {
        long headStart = front ? FRONT_BLOCK + 1 + 2 * (id % FRONT_BLOCK) : 0;
        return id - priority * PER_PRIORITY - headStart;
    }

    public static int checkPriority(int priority) {
        if (priority < -PRIORITY_MAX || priority > PRIORITY_MAX) {
            throw new IllegalArgumentException("priority: expected -%d to %d (higher first, 0 is normal), got %d"
                    .formatted(PRIORITY_MAX, PRIORITY_MAX, priority));
        }
        return priority;
    }
}

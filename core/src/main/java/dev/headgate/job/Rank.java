package dev.headgate.job;

/**
 * The place of a job in its lane as one number, smaller first: higher priority, then front of the line, then the order
 * of enqueue. One number keeps every index, every comparison and every line of a gate in the same order.
 */
public final class Rank {
    public static final int PRIORITY_MAX = 1000;
    private static final long PER_PRIORITY = 1L << 48;

    private Rank() {}

    public static long of(int priority, boolean front, long id) {
        return -priority * PER_PRIORITY + (front ? -id : id);
    }

    public static int checkPriority(int priority) {
        if (priority < -PRIORITY_MAX || priority > PRIORITY_MAX) {
            throw new IllegalArgumentException("priority: expected -%d to %d (higher first, 0 is normal), got %d"
                    .formatted(PRIORITY_MAX, PRIORITY_MAX, priority));
        }
        return priority;
    }
}

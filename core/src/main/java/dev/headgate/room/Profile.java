package dev.headgate.room;

import org.jspecify.annotations.Nullable;

/**
 * What recent runs of a job type took: how long, and how much memory. Not thread-safe.
 *
 * <p>Memory is measured in one of two ways, and it is always said which. On platform threads the JVM tells what the
 * handler's own thread has allocated: never a neighbour's, but more than was ever live at once, so an upper bound. On
 * virtual threads it cannot tell; there the growth of the live heap between collections is divided by the runs at work,
 * and only when all of them were of one type.
 */
public final class Profile {
    /** Fewer runs than these say nothing. */
    public static final int SAMPLES_MIN = 5;

    private static final int PERCENT = 95;

    private final Digest time;
    private final Digest allocated;
    private final Digest growth;

    /** How a figure of memory was come by. */
    public enum Measure {
        ALLOCATED,
        HEAP_GROWTH
    }

    /** A figure, how it was come by, and on how many runs it rests. */
    public record Memory(long bytes, Measure by, int runs) {}

    public Profile() {
        this(new Digest(), new Digest(), new Digest());
    }

    private Profile(Digest time, Digest allocated, Digest growth) {
        this.time = time;
        this.allocated = allocated;
        this.growth = growth;
    }

    /** A run that came to its end took so long. */
    public void took(long micros) {
        time.add(micros);
    }

    public void used(long bytes, Measure by) {
        (by == Measure.ALLOCATED ? allocated : growth).add(bytes);
    }

    public void add(Profile other) {
        time.add(other.time);
        allocated.add(other.allocated);
        growth.add(other.growth);
    }

    /** In how many microseconds 95 of 100 runs were done; absent if too few are known. */
    public @Nullable Long micros() {
        return time.weight() < SAMPLES_MIN ? null : Long.valueOf(time.percentile(PERCENT));
    }

    /** What 95 of 100 runs did not exceed; absent if too few are known. */
    public @Nullable Memory memory() {
        if (allocated.weight() >= SAMPLES_MIN) {
            return new Memory(allocated.percentile(PERCENT), Measure.ALLOCATED, allocated.weight());
        }
        return growth.weight() < SAMPLES_MIN
                ? null
                : new Memory(growth.percentile(PERCENT), Measure.HEAP_GROWTH, growth.weight());
    }

    public int runs() {
        return Math.max(time.weight(), Math.max(allocated.weight(), growth.weight()));
    }

    /** For the store: the three digests with bars between them. */
    public String text() {
        return time.text() + "|" + allocated.text() + "|" + growth.text();
    }

    /** Reads {@link #text} back. */
    public static Profile parse(String text) {
        String[] parts = text.split("\\|", -1);
        return new Profile(Digest.parse(parts[0]), Digest.parse(parts[1]), Digest.parse(parts[2]));
    }

    public Profile copy() {
        return new Profile(time.copy(), allocated.copy(), growth.copy());
    }

    @Override
    public String toString() {
        return text();
    }
}

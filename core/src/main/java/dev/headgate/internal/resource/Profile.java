package dev.headgate.internal.resource;

import dev.headgate.resource.TypeFigures.Memory;
import org.jspecify.annotations.Nullable;

/**
 * What recent runs of a job type took: how long, and how much memory. Not thread-safe.
 *
 * <p>Memory is what the handler's own thread has allocated, which the JVM knows of platform threads only: never a
 * neighbour's, but more than was ever live at once, so an upper bound. The maximum counts, because the largest runs may
 * all come together; it is forgotten with the run that showed it, some hundred measured runs later.
 */
public final class Profile {
    /** Fewer runs than these say nothing about time, and about memory only if twice as much is reserved. */
    public static final int SAMPLES_MIN = 5;

    private static final int PERCENT = 95;

    private final Digest time;
    private final Digest allocated;

    public Profile() {
        this(new Digest(), new Digest());
    }

    private Profile(Digest time, Digest allocated) {
        this.time = time;
        this.allocated = allocated;
    }

    /** A complete run took this long. */
    public void took(long micros) {
        time.add(micros);
    }

    /** A run has allocated this much. */
    public void used(long bytes) {
        allocated.add(bytes);
    }

    public void add(Profile other) {
        time.add(other.time);
        allocated.add(other.allocated);
    }

    /** In how many microseconds 95 of 100 runs were done; absent if too few are known. */
    public @Nullable Long micros() {
        return time.weight() < SAMPLES_MIN ? null : Long.valueOf(time.percentile(PERCENT));
    }

    /** Absent if no run was measured. */
    public @Nullable Memory memory() {
        return allocated.weight() == 0 ? null : new Memory(allocated.percentile(100), allocated.weight());
    }

    public int runs() {
        return Math.max(time.weight(), allocated.weight());
    }

    /** For the store: the digests with bars between them, and a third one that earlier versions had. */
    public String text() {
        return time.text() + "|" + allocated.text() + "|";
    }

    /** Reads {@link #text} back. */
    public static Profile parse(String text) {
        String[] parts = text.split("\\|", -1);
        return new Profile(Digest.parse(parts[0]), Digest.parse(parts[1]));
    }

    public Profile copy() {
        return new Profile(time.copy(), allocated.copy());
    }

    @Override
    public String toString() {
        return text();
    }
}

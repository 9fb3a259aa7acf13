package dev.headgate.internal.resource;

/**
 * One resource of a worker: the total, what is seen to be in use, and what is reserved for the jobs at work. No clock;
 * not thread-safe.
 *
 * <p>Design note. A job that has just started has not yet taken what it will take, and one that takes less than
 * reserved may still come to it. So the free amount is {@code ceiling - max(seen, baseline + promised)}; the baseline
 * is what was in use when no job of ours ran. What is seen counts if it is more: then something took more than was
 * reserved.
 *
 * <p>A late reading still shows what ended jobs held. What was reserved for those is taken off it. When no job of ours
 * runs, the baseline is believed instead: the heap of an idle worker is not collected, so a reading that forbids every
 * start would never be renewed. The next start brings a true reading.
 */
public final class Stock {
    private long most = Reading.NOT_KNOWN;
    private long ceiling;
    private long seen;
    private long baseline;
    private long promised;
    private long endedSince;
    private int jobs;
    private boolean isLagging;
    private boolean isKnown;

    /** Takes a new reading. */
    public void see(Reading now) {
        boolean isFresh = !isKnown || !now.isLagging() || now.used() != seen;
        most = now.most();
        ceiling = now.ceiling();
        seen = now.used();
        isLagging = now.isLagging();
        if (isFresh) {
            endedSince = 0;
            baseline = !isKnown || jobs == 0 ? seen : Math.min(baseline, seen);
        }
        isKnown = true;
    }

    /** Its source has failed: nothing is free. */
    public void lose() {
        ceiling = 0;
        isLagging = false;
    }

    public void reserve(long amount) {
        promised += amount;
        jobs++;
    }

    public void release(long amount) {
        if (amount > promised || jobs < 1) {
            throw new IllegalStateException("release of %d: expected at most the %d that are promised to %d jobs"
                    .formatted(amount, promised, jobs));
        }
        promised -= amount;
        jobs--;
        endedSince += isLagging ? amount : 0;
    }

    /** Reserves this much less for a running job. */
    void shrink(long amount) {
        promised -= amount;
    }

    /** What may be reserved now; negative if more is in use than allowed. */
    public long free() {
        return ceiling - Math.max(believed(), baseline + promised);
    }

    private long believed() {
        if (isLagging && jobs == 0 && endedSince > 0) {
            return baseline;
        }
        return seen - Math.min(endedSince, seen);
    }

    long ceiling() {
        return ceiling;
    }

    /** How many jobs hold some of it. */
    int jobs() {
        return jobs;
    }

    /** What could be reserved if no job of ours ran. */
    public long whole() {
        return ceiling - baseline;
    }

    /** What could ever be reserved, at best; {@link Reading#NOT_KNOWN} if that is not known. */
    long most() {
        return most;
    }

    public long promised() {
        return promised;
    }
}

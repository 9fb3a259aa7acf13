package dev.headgate.internal.resource;

import dev.headgate.resource.Reading;

/**
 * One resource of a worker: what there is, what is seen to be in use, and what was promised to the jobs at work. Pure; not
 * thread-safe.
 *
 * <p>Design note. A job that has just started has not taken yet what it will take, and one that takes less than promised
 * may still come to it. So what is free is {@code ceiling - max(seen, baseline + promised)}, where the baseline is what was
 * in use when none of ours was at work. What is seen counts where it is more: somebody took more than was promised.
 *
 * <p>A reading that lags still shows what jobs held that have ended since. What was promised to those is taken off it; and
 * when none of ours is left, the baseline is believed instead: the heap of an idle worker is not collected, so a reading
 * that forbids every start would never be renewed. It is the next start that brings the truth.
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

    /** Takes note of how things stand. */
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

    /** Nothing is known of it any more: there is no room. */
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

    /** A job that goes on is promised so much less. */
    void shrink(long amount) {
        promised -= amount;
    }

    /** What may be promised now; negative if more is in use than there should be. */
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

    /** What could be promised if none of ours were at work. */
    public long whole() {
        return ceiling - baseline;
    }

    /** What could ever be promised, at best; {@link Reading#NOT_KNOWN} if that cannot be told. */
    long most() {
        return most;
    }

    public long promised() {
        return promised;
    }
}

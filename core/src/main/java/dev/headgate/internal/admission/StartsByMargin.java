package dev.headgate.internal.admission;

import java.util.Arrays;

/**
 * What one working copy of a gate has started: how many jobs and units, by margin. There are few margins, so they are
 * searched.
 */
public final class StartsByMargin {
    private static final long[] NONE = {};

    private long[] margins = NONE;
    private long[] jobs = NONE;
    private long[] units = NONE;
    private int size;
    private long all;

    /** Receives all starts of one margin. */
    @FunctionalInterface
    public interface Visitor {
        void started(long margin, long jobs, long units);
    }

    void add(long margin, long cost) {
        int i = 0;
        while (i < size && margins[i] != margin) {
            i++;
        }
        if (i == margins.length) {
            margins = Arrays.copyOf(margins, i + 2);
            jobs = Arrays.copyOf(jobs, i + 2);
            units = Arrays.copyOf(units, i + 2);
        }
        if (i == size) {
            margins[size++] = margin;
        }
        all++;
        jobs[i]++;
        units[i] += cost;
    }

    /** The number of jobs, whatever their margin. */
    long jobs() {
        return all;
    }

    /** The least of the margins; 0 if there are no starts, or if one of them has no margin. */
    long leastMargin() {
        long least = size == 0 ? 0 : margins[0];
        for (int i = 1; i < size; i++) {
            least = Math.min(least, margins[i]);
        }
        return least;
    }

    /** Calls the visitor once for each margin, in the order of their first starts. */
    public void each(Visitor visitor) {
        for (int i = 0; i < size; i++) {
            visitor.started(margins[i], jobs[i], units[i]);
        }
    }
}

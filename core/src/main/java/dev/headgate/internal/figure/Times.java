package dev.headgate.internal.figure;

import dev.headgate.figure.Histogram;
import dev.headgate.internal.time.Micros;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A histogram that is being counted. */
final class Times {
    private static final long[] BOUNDS =
            Histogram.BOUNDS.stream().mapToLong(Micros::of).toArray();

    private static final long[] NONE = new long[0];

    /** Made with the first time: most cells of a report have none. */
    private long[] counts = NONE;

    private long total;

    private long[] counts() {
        if (counts.length == 0) {
            counts = new long[BOUNDS.length + 1];
        }
        return counts;
    }

    void add(long micros) {
        long time = Math.max(0, micros);
        int found = Arrays.binarySearch(BOUNDS, time);
        counts()[found < 0 ? -found - 1 : found]++;
        total += time;
    }

    void add(Times other) {
        for (int bucket = 0; bucket < other.counts.length; bucket++) {
            counts()[bucket] += other.counts[bucket];
        }
        total += other.total;
    }

    /** The total, then each bucket that is not empty: {@code 4100 3:2 5:1}. */
    void write(StringBuilder text) {
        text.append(total);
        for (int bucket = 0; bucket < counts.length; bucket++) {
            if (counts[bucket] > 0) {
                text.append(' ').append(bucket).append(':').append(counts[bucket]);
            }
        }
    }

    void read(String text) {
        String[] parts = text.split(" ", -1);
        total += Long.parseLong(parts[0]);
        for (int i = 1; i < parts.length; i++) {
            int colon = parts[i].indexOf(':');
            counts()[Integer.parseInt(parts[i].substring(0, colon))] += Long.parseLong(parts[i].substring(colon + 1));
        }
    }

    boolean isEmpty() {
        for (long count : counts) {
            if (count > 0) {
                return false;
            }
        }
        return true;
    }

    Histogram view() {
        List<Long> all = new ArrayList<>(counts.length);
        for (long count : counts()) {
            all.add(count);
        }
        return new Histogram(all, Micros.duration(total));
    }
}

package dev.headgate.internal.admission;

import java.util.Arrays;

/**
 * Starts whose margin is not over: the latest instant at which each will be recorded, and its units. Ordered by
 * instant. Starts of one turn share an instant, so there are few; beyond {@link #MAX} instants, a start joins the next
 * later one, which is stricter.
 */
final class PendingStarts {
    private static final int MAX = 128;
    private static final int RADIX = 36;

    private long[] at = new long[2];
    private long[] units = new long[2];
    private int size;
    private long total;

    int size() {
        return size;
    }

    /** The sum of all units. */
    long total() {
        return total;
    }

    long at(int i) {
        return at[i];
    }

    long units(int i) {
        return units[i];
    }

    void add(long instant, long more) {
        if (more == 0) {
            return;
        }
        int i = size;
        while (i > 0 && at[i - 1] >= instant) {
            i--;
        }
        total += more;
        if (i < size && at[i] == instant) {
            units[i] += more;
            return;
        }
        if (size == at.length) {
            at = Arrays.copyOf(at, size * 2);
            units = Arrays.copyOf(units, size * 2);
        }
        System.arraycopy(at, i, at, i + 1, size - i);
        System.arraycopy(units, i, units, i + 1, size - i);
        at[i] = instant;
        units[i] = more;
        size++;
        if (size > MAX) {
            units[1] += units[0];
            remove(0);
        }
    }

    /** Takes up to this many units off this instant; returns how many it took. */
    long take(long instant, long wanted) {
        int i = Arrays.binarySearch(at, 0, size, instant);
        if (i < 0) {
            return 0;
        }
        long taken = Math.min(wanted, units[i]);
        units[i] -= taken;
        total -= taken;
        if (units[i] == 0) {
            remove(i);
        }
        return taken;
    }

    boolean holds(long instant) {
        return Arrays.binarySearch(at, 0, size, instant) >= 0;
    }

    /** Removes the first, whose margin is over. */
    void removeFirst() {
        total -= units[0];
        remove(0);
    }

    private void remove(int i) {
        System.arraycopy(at, i + 1, at, i, size - i - 1);
        System.arraycopy(units, i + 1, units, i, size - i - 1);
        size--;
    }

    void clear() {
        size = 0;
        total = 0;
    }

    /** Writes each as the time since the one before, and {@code *} its units unless one; in base 36. */
    void write(StringBuilder text) {
        long previous = 0;
        for (int i = 0; i < size; i++) {
            text.append(i == 0 ? "" : ",").append(Long.toString(at[i] - previous, RADIX));
            if (units[i] != 1) {
                text.append('*').append(Long.toString(units[i], RADIX));
            }
            previous = at[i];
        }
    }

    void read(String text) {
        long previous = 0;
        for (String entry : text.split(",", -1)) {
            int star = entry.indexOf('*');
            long instant = previous + Long.parseLong(star < 0 ? entry : entry.substring(0, star), RADIX);
            long many = star < 0 ? 1 : Long.parseLong(entry.substring(star + 1), RADIX);
            if (instant < previous || many < 1) {
                throw new IllegalArgumentException("pending starts: expected rising instants, got " + text);
            }
            add(instant, many);
            previous = instant;
        }
    }

    PendingStarts copy() {
        PendingStarts copy = new PendingStarts();
        copy.at = at.clone();
        copy.units = units.clone();
        copy.size = size;
        copy.total = total;
        return copy;
    }
}

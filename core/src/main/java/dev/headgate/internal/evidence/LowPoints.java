package dev.headgate.internal.evidence;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * How low a leaking sum stood each time that something was added to it. If what was added at some instant is taken out
 * again, the sum of today falls by that amount, but at most by the lowest point since: below zero nothing would have leaked.
 *
 * <p>Of two points the earlier one matters only if it is lower, so the list is short: it rises from its first point, which
 * is zero, to its last.
 */
final class LowPoints {
    private record Point(long at, BigInteger sum, long before) {}

    private final List<Point> points = new ArrayList<>();
    private long total;

    /** Adds units at an instant at which the sum stands so high. */
    void add(long at, BigInteger sum, long units) {
        while (!points.isEmpty() && points.getLast().sum.compareTo(sum) >= 0) {
            points.removeLast();
        }
        points.add(new Point(at, sum, total));
        total += units;
    }

    /** Takes out what was added at {@code at}; answers by how much the sum falls, if it stands high enough now. */
    BigInteger takeOut(long at, long units, BigInteger amount) {
        int later = points.size();
        while (later > 0 && points.get(later - 1).at > at) {
            later--;
        }
        BigInteger falls =
                later == points.size() ? amount : points.get(later).sum.min(amount);
        for (int i = later; i < points.size(); i++) {
            Point point = points.get(i);
            points.set(i, new Point(point.at, point.sum.subtract(falls), point.before - units));
        }
        total -= units;
        if (later < points.size()) {
            BigInteger lowest = points.get(later).sum;
            points.subList(0, later).removeIf(point -> point.sum.compareTo(lowest) >= 0);
        }
        return falls;
    }

    void clear() {
        points.clear();
        total = 0;
    }

    /** When the sum last stood at zero; {@code otherwise} if nothing was added since. */
    long since(long otherwise) {
        return points.isEmpty() ? otherwise : points.getFirst().at;
    }

    /** The units that were added since then. */
    long addedSince() {
        return points.isEmpty() ? 0 : total - points.getFirst().before;
    }
}

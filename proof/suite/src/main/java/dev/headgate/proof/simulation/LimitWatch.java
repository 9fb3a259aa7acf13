package dev.headgate.proof.simulation;

import dev.headgate.internal.time.Micros;
import dev.headgate.limit.Adaptive;
import dev.headgate.limit.Budget;
import dev.headgate.limit.Concurrency;
import dev.headgate.limit.Limit;
import dev.headgate.limit.Quota;
import dev.headgate.limit.Rate;
import dev.headgate.limit.Spaced;
import dev.headgate.limit.Window;
import java.util.ArrayDeque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * One limit, replayed from the starts alone and sharing nothing with the code that decides. A changed limit begins
 * anew: what was allowed before is no argument against it.
 */
abstract class LimitWatch {
    private final Limit limit;
    private final String invariant;
    private long seen = Long.MIN_VALUE;
    private long touched = Long.MIN_VALUE;

    private LimitWatch(Limit limit, String invariant) {
        this.limit = limit;
        this.invariant = invariant;
    }

    static LimitWatch of(Limit limit) {
        return switch (limit) {
            case Concurrency most -> new AtOnce(limit, most.max(), Long.MAX_VALUE);
            case Adaptive most -> new AtOnce(limit, most.max(), Long.MAX_VALUE);
            case Budget most -> new AtOnce(limit, Long.MAX_VALUE, most.units());
            case Rate rate -> new Bucket(rate);
            case Window window -> new Sliding(window);
            case Spaced spaced -> new Apart(spaced);
            case Quota quota -> new PerHour(quota);
        };
    }

    Limit limit() {
        return limit;
    }

    String invariant() {
        return invariant;
    }

    /** Notes a start, by the store's clock except where that stepped back behind an earlier one. */
    final boolean noteStart(StartRef ref, long now, long cost, long leases, long units) {
        seen = Math.max(seen, now);
        touch(now);
        return start(new Entry(ref, seen, unitsOf(cost)), touched, cost, leases, units);
    }

    /** Its gate was written at this time. Whether the gate's own clock has moved by that is not known: it may have. */
    final void touch(long now) {
        touched = Math.max(touched, now);
    }

    final void noteSettling(StartRef ref, long charged, long actual, long now) {
        seen = Math.max(seen, now);
        settle(ref, charged, actual, seen);
    }

    /** A start has not been, as far as this limit is concerned: its handler did not run. */
    final void noteGivenUp(StartRef ref) {
        Entry entry = entryOf(ref);
        if (entry != null) {
            entries.remove(entry);
        }
    }

    /** What it has let start, in order; the oldest are forgotten where they no longer count. */
    final ArrayDeque<Entry> entries = new ArrayDeque<>();

    /** A start, or what one turned out to have needed more. */
    static final class Entry {
        final @Nullable StartRef ref;
        final long at;
        long units;

        private Entry(@Nullable StartRef ref, long at, long units) {
            this.ref = ref;
            this.at = at;
            this.units = units;
        }
    }

    final @Nullable Entry entryOf(StartRef ref) {
        for (Entry entry : entries) {
            if (ref.equals(entry.ref)) {
                return entry;
            }
        }
        return null;
    }

    /** A debt counts from now; a refund is taken off its start, while that counts. */
    final void settleEntry(StartRef ref, long charged, long actual, long at) {
        if (actual > charged) {
            entries.addLast(new Entry(null, at, actual - charged));
        } else {
            Entry entry = entryOf(ref);
            if (entry != null) {
                entry.units = Math.min(entry.units, actual);
            }
        }
    }

    final long sum() {
        long sum = 0;
        for (Entry entry : entries) {
            sum += entry.units;
        }
        return sum;
    }

    /** What a start of this cost takes. */
    long unitsOf(long cost) {
        return 1;
    }

    /**
     * Notes a start; false if it should not have been.
     *
     * @param entry the start, when it was at the earliest
     * @param now when it was at the latest; later than that only where the clock stepped back
     * @param leases how many run with it
     * @param units what they cost together
     */
    abstract boolean start(Entry entry, long now, long cost, long leases, long units);

    void settle(StartRef ref, long charged, long actual, long at) {}

    abstract String figures(long at);

    /** I6 and I10: at most so many at once, or of so much cost together. */
    private static final class AtOnce extends LimitWatch {
        private final long leasesMax;
        private final long unitsMax;

        private AtOnce(Limit limit, long leasesMax, long unitsMax) {
            super(limit, leasesMax == Long.MAX_VALUE ? "I10" : "I6");
            this.leasesMax = leasesMax;
            this.unitsMax = unitsMax;
        }

        @Override
        boolean start(Entry entry, long now, long cost, long leases, long units) {
            return leases <= leasesMax && (cost == 0 || units <= unitsMax);
        }

        @Override
        String figures(long at) {
            return "too much at once";
        }
    }

    /**
     * I9: what is taken in any interval is no more than the burst and what comes back meanwhile. Counted over all intervals,
     * so that what is given back leaves exactly what the same history without it would.
     */
    private static final class Bucket extends LimitWatch {
        /** More starts than a bucket here takes to be full again, for sure. */
        private static final int STARTS_MAX = 600;

        private final Rate rate;
        private final long per;
        private long over;
        private long since;

        private Bucket(Rate rate) {
            super(rate, "I9");
            this.rate = rate;
            this.per = Micros.of(rate.per());
        }

        @Override
        long unitsOf(long cost) {
            return rate.isByCost() ? cost : 1;
        }

        @Override
        boolean start(Entry entry, long now, long cost, long leases, long units) {
            if (entry.units == 0) {
                return true;
            }
            entries.addLast(entry);
            if (entries.size() > STARTS_MAX) {
                entries.removeFirst();
            }
            long sum = 0;
            for (Iterator<Entry> each = entries.descendingIterator(); each.hasNext(); ) {
                Entry before = each.next();
                sum += before.units;
                over = (sum - rate.burst()) * per - (now - before.at) * rate.count();
                since = before.at;
                if (over > 0) {
                    return false;
                }
            }
            return true;
        }

        @Override
        void settle(StartRef ref, long charged, long actual, long at) {
            if (rate.isByCost()) {
                settleEntry(ref, charged, actual, at);
            }
        }

        @Override
        String figures(long at) {
            return "%d units of %d too many in %d microseconds".formatted(over, per, at - since);
        }
    }

    /** I8: in any interval of the window's length. */
    private static final class Sliding extends LimitWatch {
        private final Window window;
        private final long per;

        private Sliding(Window window) {
            super(window, "I8");
            this.window = window;
            this.per = Micros.of(window.per());
        }

        @Override
        long unitsOf(long cost) {
            return window.isByCost() ? cost : 1;
        }

        @Override
        boolean start(Entry entry, long now, long cost, long leases, long units) {
            while (!entries.isEmpty() && now - entries.getFirst().at >= per) {
                entries.removeFirst();
            }
            entries.addLast(entry);
            return entry.units == 0 || sum() <= window.count();
        }

        @Override
        void settle(StartRef ref, long charged, long actual, long at) {
            if (window.isByCost()) {
                settleEntry(ref, charged, actual, at);
            }
        }

        @Override
        String figures(long at) {
            return "%d in the last %s".formatted(sum(), window.per());
        }
    }

    /** I8 for spacing: the next start is as far away as the last one was large. */
    private static final class Apart extends LimitWatch {
        /** So many of the last ones may still be given up. */
        private static final int STARTS_MAX = 40;

        private final Spaced spaced;
        private final long per;
        private long before;

        private Apart(Spaced spaced) {
            super(spaced, "I8");
            this.spaced = spaced;
            this.per = Micros.of(spaced.per());
        }

        @Override
        long unitsOf(long cost) {
            return spaced.isByCost() ? cost : 1;
        }

        @Override
        boolean start(Entry entry, long now, long cost, long leases, long units) {
            if (entry.units == 0) {
                return true;
            }
            Entry last = entries.peekLast();
            entries.addLast(entry);
            if (entries.size() > STARTS_MAX) {
                entries.removeFirst();
            }
            before = last == null ? entry.at : last.at;
            return last == null || (now - last.at) * spaced.count() >= last.units * per;
        }

        @Override
        void settle(StartRef ref, long charged, long actual, long at) {
            if (spaced.isByCost() && actual < charged) {
                settleEntry(ref, charged, actual, at);
            }
        }

        @Override
        String figures(long at) {
            return "the one before was %d microseconds ago".formatted(at - before);
        }
    }

    /** I10 by the calendar, in hours of UTC, which are the only ones that are asked for here. */
    private static final class PerHour extends LimitWatch {
        private static final long HOUR = 3_600_000_000L;

        private final Quota quota;

        private PerHour(Quota quota) {
            super(quota, "I10");
            this.quota = quota;
        }

        @Override
        long unitsOf(long cost) {
            return quota.isByCost() ? cost : 1;
        }

        private void turn(long at) {
            while (!entries.isEmpty() && Math.floorDiv(entries.getFirst().at, HOUR) != Math.floorDiv(at, HOUR)) {
                entries.removeFirst();
            }
        }

        @Override
        boolean start(Entry entry, long now, long cost, long leases, long units) {
            turn(now);
            entries.addLast(entry);
            return entry.units == 0 || sum() <= quota.count();
        }

        @Override
        void settle(StartRef ref, long charged, long actual, long at) {
            turn(at);
            if (quota.isByCost() && actual < charged) {
                settleEntry(ref, charged, actual, at);
            }
        }

        @Override
        String figures(long at) {
            return "%d in this hour".formatted(sum());
        }
    }
}

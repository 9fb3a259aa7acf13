package dev.headgate.testkit.simulation;

import dev.headgate.admission.Adaptive;
import dev.headgate.admission.Budget;
import dev.headgate.admission.Concurrency;
import dev.headgate.admission.Limit;
import dev.headgate.admission.Micros;
import dev.headgate.admission.Quota;
import dev.headgate.admission.Rate;
import dev.headgate.admission.Spaced;
import dev.headgate.admission.Window;
import java.util.ArrayDeque;

/**
 * One limit, replayed from the starts alone and sharing nothing with the code that decides. A limit that somebody has
 * changed begins anew: what was allowed before is no argument against it.
 */
abstract class LimitWatch {
    private final Limit limit;
    private final String invariant;
    private long seen = Long.MIN_VALUE;

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
    final boolean noteStart(long now, long cost, long leases, long units) {
        seen = Math.max(seen, now);
        return start(seen, cost, leases, units);
    }

    final void noteSettling(long charged, long actual, long startedAt, long now) {
        seen = Math.max(seen, now);
        settle(charged, actual, startedAt, seen);
    }

    /**
     * Notes a start; false if it should not have been.
     *
     * @param leases how many run with it
     * @param units what they cost together
     */
    abstract boolean start(long at, long cost, long leases, long units);

    void settle(long charged, long actual, long startedAt, long at) {}

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
        boolean start(long at, long cost, long leases, long units) {
            return leases <= leasesMax && (cost == 0 || units <= unitsMax);
        }

        @Override
        String figures(long at) {
            return "too much at once";
        }
    }

    /** I9: a bucket with its level in units times period, so that every division comes out even. */
    private static final class Bucket extends LimitWatch {
        private final Rate rate;
        private final long per;
        private final long full;
        private long level;
        private long filledAt = Long.MIN_VALUE;

        private Bucket(Rate rate) {
            super(rate, "I9");
            this.rate = rate;
            this.per = Micros.of(rate.per());
            this.full = rate.burst() * per;
            this.level = full;
        }

        private void fill(long at) {
            if (filledAt != Long.MIN_VALUE && level < full) {
                long missing = full - level;
                long since = at - filledAt;
                level = since >= missing / rate.count() + 1 ? full : Math.min(full, level + since * rate.count());
            }
            filledAt = at;
        }

        @Override
        boolean start(long at, long cost, long leases, long units) {
            fill(at);
            long taken = (rate.isByCost() ? cost : 1) * per;
            boolean isGood = taken == 0 || level >= taken;
            level -= taken;
            return isGood;
        }

        @Override
        void settle(long charged, long actual, long startedAt, long at) {
            if (rate.isByCost()) {
                fill(at);
                level = Math.min(full, level + (charged - actual) * per);
            }
        }

        @Override
        String figures(long at) {
            return "the bucket is at %d of %d".formatted(level, full);
        }
    }

    /** I8: in any interval of the window's length. */
    private static final class Sliding extends LimitWatch {
        private final Window window;
        private final long per;
        private final ArrayDeque<long[]> starts = new ArrayDeque<>();
        private long sum;

        private Sliding(Window window) {
            super(window, "I8");
            this.window = window;
            this.per = Micros.of(window.per());
        }

        private void forget(long at) {
            while (!starts.isEmpty() && at - starts.peekFirst()[0] >= per) {
                sum -= starts.removeFirst()[1];
            }
        }

        @Override
        boolean start(long at, long cost, long leases, long units) {
            forget(at);
            long taken = window.isByCost() ? cost : 1;
            starts.addLast(new long[] {at, taken});
            sum += taken;
            return taken == 0 || sum <= window.count();
        }

        @Override
        void settle(long charged, long actual, long startedAt, long at) {
            if (!window.isByCost()) {
                return;
            }
            forget(at);
            if (actual > charged) {
                starts.addLast(new long[] {at, actual - charged});
                sum += actual - charged;
            } else {
                long back = charged - actual;
                for (long[] start : starts) {
                    // Where the clock had stepped back, the start was counted later than it was.
                    if (start[0] >= startedAt && back > 0) {
                        long taken = Math.min(start[1], back);
                        start[1] -= taken;
                        sum -= taken;
                        back -= taken;
                    }
                }
            }
        }

        @Override
        String figures(long at) {
            return "%d in the last %s".formatted(sum, window.per());
        }
    }

    /** I8 for spacing: the next start is as far away as the last one was large. */
    private static final class Apart extends LimitWatch {
        private final Spaced spaced;
        private final long per;
        private long last = Long.MIN_VALUE;
        private long lastUnits;
        private long before;

        private Apart(Spaced spaced) {
            super(spaced, "I8");
            this.spaced = spaced;
            this.per = Micros.of(spaced.per());
        }

        @Override
        boolean start(long at, long cost, long leases, long units) {
            long taken = spaced.isByCost() ? cost : 1;
            if (taken == 0) {
                return true;
            }
            before = last;
            boolean isGood = last == Long.MIN_VALUE || (at - last) * spaced.count() >= lastUnits * per;
            last = at;
            lastUnits = taken;
            return isGood;
        }

        @Override
        void settle(long charged, long actual, long startedAt, long at) {
            // Later than it was noted here, where the clock had stepped back before this limit was set.
            if (spaced.isByCost() && startedAt >= last) {
                lastUnits = Math.min(lastUnits, actual);
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
        private long hour = Long.MIN_VALUE;
        private long spent;

        private PerHour(Quota quota) {
            super(quota, "I10");
            this.quota = quota;
        }

        private void turn(long at) {
            if (Math.floorDiv(at, HOUR) != hour) {
                hour = Math.floorDiv(at, HOUR);
                spent = 0;
            }
        }

        @Override
        boolean start(long at, long cost, long leases, long units) {
            turn(at);
            long taken = quota.isByCost() ? cost : 1;
            spent += taken;
            return taken == 0 || spent <= quota.count();
        }

        @Override
        void settle(long charged, long actual, long startedAt, long at) {
            if (quota.isByCost() && actual < charged && Math.floorDiv(startedAt, HOUR) == Math.floorDiv(at, HOUR)) {
                turn(at);
                spent = Math.max(0, spent + actual - charged);
            }
        }

        @Override
        String figures(long at) {
            return "%d in this hour".formatted(spent);
        }
    }
}

package dev.headgate.internal.admission;

import dev.headgate.internal.time.Micros;
import dev.headgate.limit.Limit;
import dev.headgate.limit.Quota;
import dev.headgate.limit.Rate;
import dev.headgate.limit.Spaced;
import dev.headgate.limit.Window;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * Each limit as one would explain it on paper: all starts since the beginning in a list, and the answer by counting. It is
 * given the time as a gate sees it, never running backwards.
 */
abstract class Naive {
    /** A start, or a debt that became known: when it is recorded, and how many units it is now. */
    static final class Entry {
        final long at;
        long units;

        Entry(long at, long units) {
            this.at = at;
            this.units = units;
        }
    }

    final List<Entry> entries = new ArrayList<>();
    final boolean isByCost;

    Naive(boolean isByCost) {
        this.isByCost = isByCost;
    }

    static Naive of(Limit limit) {
        return switch (limit) {
            case Window window -> new OfWindow(window);
            case Spaced spaced -> new OfSpaced(spaced);
            case Rate rate -> new OfRate(rate);
            case Quota quota -> new OfQuota(quota);
            default -> throw new IllegalArgumentException(limit.text());
        };
    }

    final long unitsOf(long cost) {
        return isByCost ? cost : 1;
    }

    /** From then on the limit has this count; its key is the same. */
    abstract void changed(Limit limit, long at);

    /** The first instant at which it may start. */
    abstract long earliest(long clock, long units);

    /** The latest instant that a limit which errs to strict may answer. */
    long latest(long clock, long units) {
        return earliest(clock, units);
    }

    abstract long most();

    /** When a start is recorded, unless its handler ends earlier. */
    long latest(Start start) {
        return start.at();
    }

    void take(Start start, long cost) {
        add(latest(start), unitsOf(cost));
    }

    void take(long clock, long cost) {
        take(new Start(clock, 0), cost);
    }

    /** In the order in which they are recorded. */
    void add(long at, long units) {
        int i = entries.size();
        while (i > 0 && entries.get(i - 1).at > at) {
            i--;
        }
        entries.add(i, new Entry(at, units));
    }

    /** If it is not recorded yet, it is recorded now. */
    void ended(Start start, long cost, long clock) {
        if (latest(start) > clock) {
            add(clock, takeOff(unitsOf(cost), latest(start)));
        }
    }

    void giveUp(Start start, long cost, long clock) {
        refund(unitsOf(cost), latest(start), clock);
    }

    void settle(long charged, long actual, Start start, long clock) {
        if (!isByCost) {
            return;
        }
        if (actual > charged) {
            add(Math.max(clock, latest(start)), actual - charged);
        } else {
            refund(charged - actual, latest(start), clock);
        }
    }

    void refund(long units, long recordedAt, long clock) {
        takeOff(units, recordedAt);
    }

    /** Answers how many were there. */
    private long takeOff(long units, long recordedAt) {
        long left = units;
        for (Entry entry : entries) {
            if (entry.at == recordedAt && left > 0) {
                long back = Math.min(left, entry.units);
                entry.units -= back;
                left -= back;
            }
        }
        return units - left;
    }

    static final class OfWindow extends Naive {
        private Window window;

        OfWindow(Window window) {
            super(window.isByCost());
            this.window = window;
        }

        @Override
        long latest(Start start) {
            return window.marginMicros() == 0 ? start.at() : start.latest();
        }

        @Override
        void changed(Limit limit, long at) {
            window = (Window) limit;
        }

        @Override
        long most() {
            return window.count();
        }

        @Override
        long earliest(long clock, long units) {
            return opens(clock, units, 0);
        }

        /** Beyond a hundred entries a start may count for up to a 128th of the window longer. */
        @Override
        long latest(long clock, long units) {
            return opens(clock, units, entries.size() <= 100 ? 0 : Micros.of(window.per()) / 128);
        }

        /** Keeps the list short. Not when asked: the clock may be set back before the next start. */
        @Override
        void add(long clock, long units) {
            entries.removeIf(entry -> entry.at + 2 * Micros.of(window.per()) <= clock);
            super.add(clock, units);
        }

        private long opens(long clock, long units, long stretch) {
            long length = Micros.of(window.per()) + stretch;
            long sum = units;
            for (Entry entry : entries) {
                sum += clock - entry.at < length ? entry.units : 0;
            }
            long opens = clock;
            for (Entry entry : entries) {
                if (sum <= window.count()) {
                    return opens;
                }
                if (clock - entry.at < length) {
                    sum -= entry.units;
                    opens = entry.at + length;
                }
            }
            return opens;
        }
    }

    static final class OfSpaced extends Naive {
        private Spaced spaced;

        OfSpaced(Spaced spaced) {
            super(spaced.isByCost());
            this.spaced = spaced;
        }

        @Override
        void changed(Limit limit, long at) {
            spaced = (Spaced) limit;
        }

        @Override
        long most() {
            return Long.MAX_VALUE;
        }

        private long freeAfter(Entry entry) {
            return entry.at + Math.ceilDiv(entry.units * Micros.of(spaced.per()), spaced.count());
        }

        @Override
        long earliest(long clock, long units) {
            return entries.isEmpty() ? clock : Math.max(clock, freeAfter(entries.getLast()));
        }

        /** What comes before the last one is over belongs to it. */
        @Override
        void add(long clock, long units) {
            if (units > 0 && isByCost && !entries.isEmpty() && clock < freeAfter(entries.getLast())) {
                entries.getLast().units += units;
            } else if (units > 0) {
                super.add(clock, units);
            }
        }

        @Override
        void refund(long units, long startedAt, long clock) {
            if (!entries.isEmpty() && entries.getLast().at == startedAt && clock < freeAfter(entries.getLast())) {
                entries.getLast().units = Math.max(0, entries.getLast().units - units);
            }
        }
    }

    /**
     * A bucket in whole numbers: one unit is {@code per} parts, a microsecond brings {@code count} parts back. The level is
     * counted anew from all starts at every question, so what is given back is exactly what the history without it leaves.
     */
    static final class OfRate extends Naive {
        private Rate rate;
        private long spent;
        private long since;

        OfRate(Rate rate) {
            super(rate.isByCost());
            this.rate = rate;
        }

        private long per() {
            return Micros.of(rate.per());
        }

        @Override
        long latest(Start start) {
            return rate.marginMicros() == 0 ? start.at() : start.latest();
        }

        /** What is recorded has leaked since; what is not counts in full. */
        private long spentAt(long clock) {
            long open = 0;
            for (Entry entry : entries) {
                open += entry.at > clock ? entry.units * per() : 0;
            }
            return recordedAt(clock) + open;
        }

        private long recordedAt(long clock) {
            long parts = spent;
            long from = since;
            for (Entry entry : entries) {
                if (entry.at <= clock) {
                    parts = Math.max(0, parts - (entry.at - from) * rate.count()) + entry.units * per();
                    from = entry.at;
                }
            }
            return Math.max(0, parts - (clock - from) * rate.count());
        }

        /** What was spent then is spent; whose it was is forgotten, so those give nothing back any more. */
        @Override
        void changed(Limit limit, long at) {
            if (((Rate) limit).count() != rate.count()) {
                spent = recordedAt(at);
                since = at;
                entries.removeIf(entry -> entry.at <= at);
            }
            rate = (Rate) limit;
        }

        /** At the very instant of a change it is not known which starts came before it. */
        @Override
        void add(long clock, long units) {
            if (clock == since && spent > 0) {
                spent = recordedAt(clock) + units * per();
            } else {
                super.add(clock, units);
            }
        }

        @Override
        long most() {
            return rate.burst();
        }

        @Override
        long earliest(long clock, long units) {
            long most = (rate.burst() - units) * per();
            long closed = clock - 1;
            long opens = clock;
            for (long step = 1; spentAt(opens) > most; step *= 2) {
                closed = opens;
                opens += step;
            }
            while (opens - closed > 1) {
                long middle = (opens + closed) / 2;
                if (spentAt(middle) > most) {
                    closed = middle;
                } else {
                    opens = middle;
                }
            }
            return opens;
        }
    }

    /** Counts by what the calendar says, in a zone without clock changes. */
    static final class OfQuota extends Naive {
        private Quota quota;

        OfQuota(Quota quota) {
            super(quota.isByCost());
            this.quota = quota;
        }

        @Override
        void changed(Limit limit, long at) {
            quota = (Quota) limit;
        }

        @Override
        long most() {
            return quota.count();
        }

        private LocalDateTime begin(long clock) {
            LocalDateTime local = LocalDateTime.ofInstant(Micros.instant(clock), quota.zone());
            return switch (quota.period()) {
                case HOUR -> local.truncatedTo(ChronoUnit.HOURS);
                case DAY -> local.truncatedTo(ChronoUnit.DAYS);
                case MONTH -> local.truncatedTo(ChronoUnit.DAYS).withDayOfMonth(1);
            };
        }

        private LocalDateTime end(long clock) {
            return switch (quota.period()) {
                case HOUR -> begin(clock).plusHours(1);
                case DAY -> begin(clock).plusDays(1);
                case MONTH -> begin(clock).plusMonths(1);
            };
        }

        @Override
        long earliest(long clock, long units) {
            LocalDateTime period = begin(clock);
            long sum = units;
            for (Entry entry : entries.reversed()) {
                if (!begin(entry.at).equals(period)) {
                    break;
                }
                sum += entry.units;
            }
            return sum <= quota.count() ? clock : Micros.of(end(clock).toInstant(ZoneOffset.UTC));
        }

        /** What started in an earlier period can no longer be given back. */
        @Override
        void refund(long units, long startedAt, long clock) {
            if (begin(startedAt).equals(begin(clock))) {
                super.refund(units, startedAt, clock);
            }
        }
    }
}

package dev.headgate.proof.simulation;

import dev.headgate.internal.time.Micros;
import dev.headgate.limit.Limit;
import dev.headgate.limit.Margin;
import dev.headgate.limit.Quota;
import dev.headgate.limit.Rate;
import dev.headgate.limit.Spaced;
import dev.headgate.limit.Window;
import java.util.ArrayDeque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** One limit as the called side counts: every call at its moment, and nothing else. Shares nothing with what decides. */
abstract class CallWatch {
    /** More calls than any limit here allows in the time that it looks back. */
    private static final int CALLS_MAX = 600;

    private final Limit limit;
    final ArrayDeque<Call> calls = new ArrayDeque<>();
    private String figures = "";

    /** A call; its units become less if it turns out to have been smaller. */
    static final class Call {
        private final long at;
        long units;

        Call(long at, long units) {
            this.at = at;
            this.units = units;
        }
    }

    private CallWatch(Limit limit) {
        this.limit = limit;
    }

    /** Absent if the limit promises nothing about calls. */
    static @Nullable CallWatch of(Limit limit) {
        if (!limit.isTimed() || limit.marginMicros() == 0) {
            return null;
        }
        return switch (limit) {
            case Rate rate -> new Bucket(rate);
            case Window window -> new Sliding(window);
            case Spaced spaced -> new Apart(spaced);
            case Quota quota -> new PerHour(quota);
            default -> null;
        };
    }

    Limit limit() {
        return limit;
    }

    abstract boolean isByCost();

    boolean isByCalendar() {
        return false;
    }

    /** Whether only the end of a handler ends the margin of its start. */
    boolean isOpen() {
        return limit.marginMicros() == Margin.OPEN;
    }

    String figures() {
        return figures;
    }

    /** False if it is too much; calls come in the order of their moments. */
    final boolean note(Call call) {
        calls.addLast(call);
        if (calls.size() > CALLS_MAX) {
            calls.removeFirst();
        }
        return isAllowed(call);
    }

    abstract boolean isAllowed(Call last);

    /** Says what was found. */
    final boolean tooMuch(long found, long most, String what) {
        figures = "%d of %d %s".formatted(found, most, what);
        return false;
    }

    /** Units in any interval: no more than the burst and what comes back meanwhile. */
    private static final class Bucket extends CallWatch {
        private final Rate rate;
        private final long per;

        private Bucket(Rate rate) {
            super(rate);
            this.rate = rate;
            this.per = Micros.of(rate.per());
        }

        @Override
        boolean isByCost() {
            return rate.isByCost();
        }

        @Override
        boolean isAllowed(Call last) {
            long sum = 0;
            for (Iterator<Call> each = calls.descendingIterator(); each.hasNext(); ) {
                Call call = each.next();
                sum += call.units;
                long micros = last.at - call.at;
                long most = rate.burst() + Math.floorDiv(micros * rate.count(), per);
                if (sum > most) {
                    return tooMuch(sum, most, "units in %d microseconds".formatted(micros));
                }
            }
            return true;
        }
    }

    /** Units in any interval of the window's length. */
    private static final class Sliding extends CallWatch {
        private final Window window;
        private final long per;

        private Sliding(Window window) {
            super(window);
            this.window = window;
            this.per = Micros.of(window.per());
        }

        @Override
        boolean isByCost() {
            return window.isByCost();
        }

        @Override
        boolean isAllowed(Call last) {
            while (last.at - calls.getFirst().at >= per) {
                calls.removeFirst();
            }
            long sum = calls.stream().mapToLong(call -> call.units).sum();
            return sum <= window.count() || tooMuch(sum, window.count(), "units in " + window.per());
        }
    }

    /** The next call is as far away as the last one was large. */
    private static final class Apart extends CallWatch {
        private final Spaced spaced;
        private final long per;

        private Apart(Spaced spaced) {
            super(spaced);
            this.spaced = spaced;
            this.per = Micros.of(spaced.per());
        }

        @Override
        boolean isByCost() {
            return spaced.isByCost();
        }

        @Override
        boolean isAllowed(Call last) {
            if (calls.size() < 2) {
                return true;
            }
            Call before = calls.removeFirst();
            long apart = last.at - before.at;
            long least = Math.ceilDiv(before.units * per, spaced.count());
            return apart >= least || tooMuch(apart, least, "microseconds after the one before");
        }
    }

    /** Units in an hour of UTC, by clocks that are off as far as a margin allows for. */
    private static final class PerHour extends CallWatch {
        private static final long HOUR = 3_600_000_000L;
        private static final long SKEW = 2_000_000;

        private final Quota quota;

        private PerHour(Quota quota) {
            super(quota);
            this.quota = quota;
        }

        @Override
        boolean isByCost() {
            return quota.isByCost();
        }

        @Override
        boolean isByCalendar() {
            return true;
        }

        @Override
        boolean isAllowed(Call last) {
            for (long skew = -SKEW; skew <= SKEW; skew += SKEW) {
                long off = skew;
                long hour = Math.floorDiv(last.at + off, HOUR);
                long sum = calls.stream()
                        .filter(call -> Math.floorDiv(call.at + off, HOUR) == hour)
                        .mapToLong(call -> call.units)
                        .sum();
                if (sum > quota.count()) {
                    return tooMuch(sum, quota.count(), "units in an hour of a clock that is off by " + skew);
                }
            }
            return true;
        }
    }
}

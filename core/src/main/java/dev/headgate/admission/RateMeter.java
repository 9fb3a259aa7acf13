package dev.headgate.admission;

import dev.headgate.admission.InUse.Aside;
import org.jspecify.annotations.Nullable;

/**
 * A token bucket as one instant, the theoretical arrival time: {@code micros + part/count} microseconds. The fraction
 * makes 7 per second exact: after seven tokens exactly one second has passed, not 999,999 or 1,000,006 microseconds.
 */
final class RateMeter extends Meter {
    private final Rate limit;
    private final long count;
    private final long per;
    private final long burst;
    private final boolean isByCost;
    private long micros;
    private long part;

    RateMeter(Rate limit) {
        this.limit = limit;
        this.count = limit.count();
        this.per = Micros.of(limit.per());
        this.burst = limit.burst();
        this.isByCost = limit.isByCost();
    }

    @Override
    Limit limit() {
        return limit;
    }

    @Override
    long opens(long clock, long cost, InUse inUse, Aside aside) {
        long units = isByCost ? cost : 1;
        if (units == 0) {
            return clock;
        }
        if (units > burst) {
            return NEVER;
        }
        long wanted = units + (isByCost ? aside.units() : aside.leases());
        if (wanted > burst) {
            return UNTIL_RELEASE;
        }
        long missing = aheadParts(clock) - (burst - wanted) * per;
        return missing <= 0 ? clock : clock + Math.ceilDiv(missing, count);
    }

    @Override
    String figures(long clock, long cost, InUse inUse) {
        return tokens(clock) + " of " + burst + " tokens";
    }

    @Override
    String never(long cost) {
        return "costs %d units, the burst is %d".formatted(cost, burst);
    }

    /** Whole tokens now. */
    long tokens(long clock) {
        return Math.max(0, burst * per - aheadParts(clock)) / per;
    }

    @Override
    void take(long clock, long cost) {
        spend(isByCost ? cost : 1, clock);
    }

    private void spend(long units, long clock) {
        if (!isAfter(clock)) {
            micros = clock;
            part = 0;
        }
        long parts = part + Math.min(units, (Long.MAX_VALUE / 4) / per) * per;
        micros = Math.min(FAR, micros + parts / count);
        part = parts % count;
    }

    /** A refund comes back as tokens, as far as the bucket has room; a debt is spent now, and may be more than a burst. */
    @Override
    void settle(long charged, long actual, long startedAt, long clock) {
        if (!isByCost || actual == charged) {
            return;
        }
        if (actual > charged) {
            spend(actual - charged, clock);
        } else if (isAfter(clock)) {
            long parts = Math.min(charged - actual, (Long.MAX_VALUE / 4) / per) * per;
            long left = part - parts % count;
            micros -= parts / count + (left < 0 ? 1 : 0);
            part = left < 0 ? left + count : left;
        }
    }

    @Override
    void exhaust(long clock) {
        spentAt(clock, burst * per);
    }

    private boolean isAfter(long clock) {
        return micros > clock || (micros == clock && part > 0);
    }

    /** How far the instant lies ahead, in count-ths of a microsecond; saturates far in the future. */
    private long aheadParts(long clock) {
        if (!isAfter(clock)) {
            return 0;
        }
        long ahead = micros - clock;
        return ahead > FAR / count ? FAR : ahead * count + part;
    }

    @Override
    void remember(String memory, long seen) {
        int slash = memory.indexOf('/');
        int plus = memory.indexOf('+');
        long of = Long.parseLong(memory.substring(slash + 1));
        micros = Long.parseLong(memory.substring(0, plus < 0 ? slash : plus));
        part = plus < 0 ? 0 : Long.parseLong(memory.substring(plus + 1, slash));
        if (of < 1 || part < 0 || part >= of) {
            throw new IllegalArgumentException("bucket: expected 0 <= part < of, got " + memory);
        }
        if (of != count && isAfter(seen)) {
            // The same units are spent, and come back at the new rate from the last start on.
            RateMeter old = new RateMeter(new Rate(of, limit.per(), 1, isByCost));
            old.micros = micros;
            old.part = part;
            spentAt(seen, old.aheadParts(seen));
        }
    }

    private void spentAt(long seen, long parts) {
        micros = seen + parts / count;
        part = parts % count;
    }

    /** The units that were spent and had not come back at {@code seen} are spent here too, as far as the burst goes. */
    @Override
    void carryOver(Meter other, long seen) {
        RateMeter old = (RateMeter) other;
        long spent = Math.min(burst, Math.ceilDiv(old.aheadParts(seen), old.per));
        if (spent * per > aheadParts(seen)) {
            spentAt(seen, spent * per);
        }
    }

    @Override
    @Nullable
    String memory(long seen) {
        if (!isAfter(seen)) {
            return null;
        }
        return part == 0 ? micros + "/" + count : micros + "+" + part + "/" + count;
    }

    @Override
    Meter copy() {
        RateMeter copy = new RateMeter(limit);
        copy.micros = micros;
        copy.part = part;
        return copy;
    }
}

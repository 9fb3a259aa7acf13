package dev.headgate.limiter;

import dev.headgate.internal.admission.GateLedger;
import dev.headgate.internal.admission.GateState;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.Rate;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A token bucket: the instant at which it is full again, in {@code count}-ths of a microsecond since the beginning, with
 * count and period reduced to lowest terms. The same arithmetic as the gates', so it is as exact.
 */
final class RateCell extends LimitCell {
    /** So many parts of a microsecond at most: then the number lasts for a hundred years. */
    private static final long PARTS_MAX = 1_000;

    private final Rate limit;
    private final long reduced;
    private final long count;
    private final long per;
    private final long burst;
    private final boolean isByCost;

    RateCell(Rate limit, LocalTime time) {
        super(time);
        this.limit = limit;
        this.reduced = divisor(limit);
        this.count = limit.count() / reduced;
        this.per = Micros.of(limit.per()) / reduced;
        this.burst = limit.burst();
        this.isByCost = limit.isByCost();
    }

    static boolean fits(Rate limit) {
        return limit.count() / divisor(limit) <= PARTS_MAX;
    }

    private static long divisor(Rate limit) {
        long a = limit.count();
        long b = Micros.of(limit.per());
        while (b != 0) {
            long rest = a % b;
            a = b;
            b = rest;
        }
        return a;
    }

    @Override
    boolean isByCost() {
        return isByCost;
    }

    @Override
    Limiter.@Nullable Answer tryAcquire(LocalLimiter limiter, long cost) {
        long now = time.elapsed();
        long missing = take(isByCost ? cost : 1, now);
        if (missing == 0) {
            return new CellPermit(limiter, this, cost, now);
        }
        return missing < 0 ? null : denied(missing);
    }

    @Override
    @Nullable
    Boolean tryStart(long cost) {
        long missing = take(isByCost ? cost : 1, time.elapsed());
        return missing < 0 ? null : Boolean.valueOf(missing == 0);
    }

    /** 0 if it started, else the parts that are missing; less than 0 if this has moved. */
    private long take(long units, long now) {
        long at = now * count;
        if (units > burst) {
            return value.get() == MOVED ? -1 : Long.MAX_VALUE;
        }
        long more = units * per;
        long most = at + burst * per;
        while (true) {
            long full = value.get();
            if (full == MOVED) {
                return -1;
            }
            long next = Math.max(full, at) + more;
            if (next > most && more > 0) {
                return next - most;
            }
            if (more == 0 || value.weakCompareAndSetVolatile(full, next)) {
                return 0;
            }
        }
    }

    private Denied denied(long missing) {
        if (missing == Long.MAX_VALUE) {
            return new Denied(GateLedger.NEVER, () -> "more than the burst of %d (%s)".formatted(burst, limit.text()));
        }
        return new Denied(Math.ceilDiv(missing, count), () -> "no token yet (%s)".formatted(limit.text()));
    }

    @Override
    GateState state(long number) {
        long micros = time.base() + number / count;
        long part = number % count * reduced;
        String memory = part == 0 ? micros + "/" + limit.count() : micros + "+" + part + "/" + limit.count();
        return new GateState(0, 0, time.micros(), false, null, null, Map.of(limit.key(), memory));
    }
}

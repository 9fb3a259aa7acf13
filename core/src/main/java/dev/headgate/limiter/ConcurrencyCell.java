package dev.headgate.limiter;

import dev.headgate.internal.admission.GateLedger;
import dev.headgate.internal.admission.GateState;
import dev.headgate.limit.Concurrency;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** So many at once: how many there are. */
final class ConcurrencyCell extends LimitCell {
    private final Concurrency limit;
    private final long max;

    ConcurrencyCell(Concurrency limit, LocalTime time) {
        super(time);
        this.limit = limit;
        this.max = limit.max();
    }

    /** Only of cost 1: then the number of permits is also the sum of what they cost. */
    @Override
    Limiter.@Nullable Answer tryAcquire(LocalLimiter limiter, long cost) {
        while (cost == 1) {
            long used = value.get();
            if (used == MOVED) {
                return null;
            }
            if (used >= max) {
                return new Denied(
                        GateLedger.UNTIL_RELEASE, () -> "%d of %d in use (%s)".formatted(used, max, limit.text()));
            }
            if (value.weakCompareAndSetVolatile(used, used + 1)) {
                return new CellPermit(limiter, this, cost, 0);
            }
        }
        return null;
    }

    @Override
    @Nullable
    Boolean tryStart(long cost) {
        while (cost == 1) {
            long used = value.get();
            if (used == MOVED) {
                return null;
            }
            if (used >= max) {
                return Boolean.FALSE;
            }
            if (value.weakCompareAndSetVolatile(used, used + 1)) {
                return Boolean.TRUE;
            }
        }
        return null;
    }

    @Override
    boolean finish(long cost) {
        return cost == 1 && giveBack();
    }

    @Override
    void giveBack(CellPermit permit) {
        if (!giveBack()) {
            successor().giveBack(permit);
        }
    }

    private boolean giveBack() {
        while (true) {
            long used = value.get();
            if (used == MOVED) {
                return false;
            }
            if (used == 0 || value.weakCompareAndSetVolatile(used, used - 1)) {
                return true;
            }
        }
    }

    @Override
    GateState state(long number) {
        return new GateState(number, number, time.micros(), false, null, null, Map.of());
    }
}

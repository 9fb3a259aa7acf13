package dev.headgate.limiter;

import dev.headgate.internal.admission.GateState;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.Spaced;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Even spacing of starts: the first microsecond, since the beginning, at which the next may start. */
final class SpacedCell extends LimitCell {
    private final Spaced limit;
    private final long gap;

    SpacedCell(Spaced limit, LocalTime time) {
        super(time);
        this.limit = limit;
        this.gap = Math.ceilDiv(Micros.of(limit.per()), limit.count());
    }

    @Override
    Limiter.@Nullable Answer tryAcquire(LocalLimiter limiter, long cost) {
        long now = time.elapsed();
        long missing = take(now);
        if (missing == 0) {
            return new CellPermit(limiter, this, cost, now);
        }
        return missing < 0
                ? null
                : new Denied(missing, () -> "the last start is too recent (%s)".formatted(limit.text()));
    }

    @Override
    @Nullable
    Boolean tryStart(long cost) {
        long missing = take(time.elapsed());
        return missing < 0 ? null : Boolean.valueOf(missing == 0);
    }

    private long take(long now) {
        while (true) {
            long free = value.get();
            if (free == MOVED) {
                return -1;
            }
            if (now < free) {
                return free - now;
            }
            if (value.weakCompareAndSetVolatile(free, now + gap)) {
                return 0;
            }
        }
    }

    @Override
    GateState state(long number) {
        Map<String, String> memory = number == 0 ? Map.of() : Map.of(limit.key(), time.base() + number - gap + "*1");
        return new GateState(0, 0, time.micros(), false, null, null, memory);
    }
}

package dev.headgate.admission;

import dev.headgate.admission.InUse.Aside;
import org.jspecify.annotations.Nullable;

/** The last start and how many units it was: enough for any distance that is asked for later. */
final class SpacedMeter extends Meter {
    private static final long NEVER_YET = Long.MIN_VALUE;

    private final Spaced limit;
    private final long count;
    private final long per;
    private final boolean isByCost;
    private long at = NEVER_YET;
    private long units;
    /** The first microsecond at which the gate is free again; follows from the two above. */
    private long free = NEVER_YET;

    SpacedMeter(Spaced limit) {
        this.limit = limit;
        this.count = limit.count();
        this.per = Micros.of(limit.per());
        this.isByCost = limit.isByCost();
    }

    @Override
    Limit limit() {
        return limit;
    }

    @Override
    long opens(long clock, long cost, InUse inUse, Aside aside) {
        if (isByCost && cost == 0) {
            return clock;
        }
        if ((isByCost ? aside.units() : aside.leases()) > 0) {
            return UNTIL_RELEASE;
        }
        return Math.max(clock, free);
    }

    @Override
    String figures(long clock, long cost, InUse inUse) {
        if (at == NEVER_YET) {
            return "no start yet";
        }
        String ago = Spans.text(Micros.duration(Math.max(0, clock - at)));
        return isByCost ? units + " units started " + ago + " ago" : "last start " + ago + " ago";
    }

    @Override
    void take(long clock, long cost) {
        if (!isByCost) {
            occupy(clock, 1);
        } else if (cost > 0) {
            occupyFurther(clock, cost);
        }
    }

    private void occupyFurther(long clock, long more) {
        if (clock < free) {
            occupy(at, units + more);
        } else {
            occupy(clock, more);
        }
    }

    private void occupy(long start, long newUnits) {
        at = start;
        units = Math.min(newUnits, FAR / 4);
        long periods = units / count;
        long rest = Math.ceilDiv((units % count) * per, count);
        free = periods > FAR / per ? FAR : Math.min(FAR, at + periods * per + rest);
    }

    /** A debt keeps the gate shut longer; a refund shortens only what the last start itself still occupies. */
    @Override
    void settle(long charged, long actual, long startedAt, long clock) {
        if (!isByCost) {
            return;
        }
        if (actual > charged) {
            occupyFurther(clock, Math.min(FAR / 8, actual - charged));
        } else if (startedAt == at && clock < free) {
            occupy(at, Math.max(0, units - (charged - actual)));
        }
    }

    @Override
    void exhaust(long clock) {
        occupy(clock, isByCost ? count : 1);
    }

    @Override
    void remember(String memory, long seen) {
        int star = memory.indexOf('*');
        long stored = Long.parseLong(memory.substring(star + 1));
        if (stored < 0) {
            throw new IllegalArgumentException("spacing: expected units of 0 or more, got " + memory);
        }
        occupy(Long.parseLong(memory.substring(0, star)), stored);
    }

    @Override
    @Nullable
    String memory(long seen) {
        return at == NEVER_YET ? null : at + "*" + units;
    }

    @Override
    Meter copy() {
        SpacedMeter copy = new SpacedMeter(limit);
        copy.at = at;
        copy.units = units;
        copy.free = free;
        return copy;
    }
}

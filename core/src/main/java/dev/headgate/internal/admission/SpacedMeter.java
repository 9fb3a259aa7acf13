package dev.headgate.internal.admission;

import dev.headgate.internal.admission.InUse.KeptFree;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.Limit;
import dev.headgate.limit.Spaced;
import dev.headgate.limit.Spans;
import org.jspecify.annotations.Nullable;

/** The last start and its number of units: enough for any distance that a later policy asks for. */
final class SpacedMeter extends PendingMeter {
    private static final long NEVER_YET = Long.MIN_VALUE;
    private static final char PENDING = '@';

    private final Spaced limit;
    private final long count;
    private final long per;
    private long at = NEVER_YET;
    private long units;
    /** The first microsecond at which the gate is free again; follows from the two fields above. */
    private long free = NEVER_YET;

    SpacedMeter(Spaced limit) {
        super(limit, limit.isByCost());
        this.limit = limit;
        this.count = limit.count();
        this.per = Micros.of(limit.per());
    }

    @Override
    Limit limit() {
        return limit;
    }

    @Override
    long opens(long clock, long cost, InUse inUse, KeptFree reserved) {
        if (isByCost && cost == 0) {
            return clock;
        }
        if ((isByCost ? reserved.units() : reserved.leases()) > 0 || open(inUse) > 0) {
            return UNTIL_RELEASE;
        }
        return Math.max(clock, pending.size() == 0 ? free : freeAfterPending());
    }

    /** Takes over the starts of another distance, if they keep this one shut for longer than its own. */
    @Override
    void carryOver(Meter other, long seen) {
        SpacedMeter old = (SpacedMeter) other;
        SpacedMeter then = new SpacedMeter(limit);
        if (!old.isUnused()) {
            then.occupy(old.at, old.units);
        }
        then.pending = old.pending.copy();
        if (then.freeAfterPending() > freeAfterPending()) {
            at = then.at;
            units = then.units;
            free = then.free;
            pending = then.pending;
        }
        takeOver(old);
    }

    private long freeAfterPending() {
        long lastAt = at;
        long lastUnits = units;
        long freeAt = free;
        for (int i = 0; i < pending.size(); i++) {
            boolean isFurther = isByCost && pending.at(i) < freeAt;
            lastUnits = isFurther ? lastUnits + pending.units(i) : pending.units(i);
            lastAt = isFurther ? lastAt : pending.at(i);
            freeAt = freeAt(lastAt, isByCost ? lastUnits : 1);
        }
        return freeAt;
    }

    @Override
    long used(long clock, InUse inUse) {
        return opens(clock, 1, inUse, KeptFree.NOTHING) > clock ? 1 : 0;
    }

    @Override
    long most() {
        return 1;
    }

    @Override
    String figures(long clock, long cost, InUse inUse) {
        if (open(inUse) > 0 || pending.size() > 0) {
            return "one is on its way";
        }
        if (at == NEVER_YET) {
            return "no start yet";
        }
        String ago = Spans.text(Micros.duration(Math.max(0, clock - at)));
        return isByCost ? units + " units started " + ago + " ago" : "last start " + ago + " ago";
    }

    @Override
    void record(long instant, long more) {
        if (more == 0) {
            return;
        }
        if (isByCost && instant < free) {
            occupy(at, units + more);
        } else {
            occupy(instant, isByCost ? more : 1);
        }
    }

    private void occupy(long start, long newUnits) {
        at = start;
        units = Math.min(newUnits, FAR / 4);
        free = freeAt(at, units);
    }

    private long freeAt(long start, long occupied) {
        long periods = occupied / count;
        long rest = Math.ceilDiv((occupied % count) * per, count);
        return periods > FAR / per ? FAR : Math.min(FAR, start + periods * per + rest);
    }

    /** Shortens only the distance of the last start itself: it began when the one before was over. */
    @Override
    void refund(long latest, long back, long clock) {
        if (latest == at && clock < free) {
            occupy(at, Math.max(0, units - back));
        }
    }

    @Override
    void exhaust(long clock) {
        pending.clear();
        occupy(clock, isByCost ? count : 1);
    }

    @Override
    boolean isUnused() {
        return at == NEVER_YET;
    }

    @Override
    boolean isFree(long clock) {
        return free <= clock;
    }

    @Override
    void read(String memory, long seen) {
        int star = memory.indexOf('*');
        int waiting = memory.indexOf(PENDING);
        if (waiting >= 0) {
            pending.read(memory.substring(waiting + 1));
        }
        if (waiting == 0) {
            return;
        }
        long stored = Long.parseLong(memory.substring(star + 1, waiting < 0 ? memory.length() : waiting));
        if (stored < 0) {
            throw new IllegalArgumentException("spacing: expected units of 0 or more, got " + memory);
        }
        occupy(Long.parseLong(memory.substring(0, star)), stored);
    }

    @Override
    @Nullable
    String write(long seen) {
        if (at == NEVER_YET && pending.size() == 0) {
            return null;
        }
        StringBuilder text = new StringBuilder(at == NEVER_YET ? "" : at + "*" + units);
        if (pending.size() > 0) {
            pending.write(text.append(PENDING));
        }
        return text.toString();
    }

    @Override
    Meter copy() {
        SpacedMeter copy = new SpacedMeter(limit);
        copy.first = first;
        copy.at = at;
        copy.units = units;
        copy.free = free;
        copy.pending = pending.copy();
        return copy;
    }
}

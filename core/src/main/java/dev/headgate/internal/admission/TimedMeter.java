package dev.headgate.internal.admission;

import dev.headgate.limit.Limit;
import dev.headgate.limit.Margin;
import org.jspecify.annotations.Nullable;

/**
 * A limit that counts starts over time. It decides at the grant, and records the start when the call has certainly been
 * made: at the end of its margin, or of its handler if that is earlier. So the limit holds whenever in between the call
 * was made.
 */
abstract sealed class TimedMeter extends Meter permits PendingMeter, WindowMeter, QuotaMeter {
    /** The first character of a memory whose starts count until their handlers end: those in use are not in it. */
    private static final char OPEN = '^';

    /** How long a call of a lost worker may still be on its way. */
    private static final long TRAVEL = Margin.travelAllowance(Margin.AUTO_MAX);

    /** More than any limit counts, and far from an overflow. */
    private static final long DEBT_MAX = FAR / 1024;

    private static final char FIRST = '!';
    private static final int RADIX = 36;

    final boolean isByCost;
    final long margin;
    private boolean wasOpen;

    /**
     * The first start that is counted. What started before it, when there was no such limit or it was not cleared yet, has
     * nothing to give back.
     */
    long first = Long.MIN_VALUE;

    TimedMeter(Limit limit, boolean isByCost) {
        this.isByCost = isByCost;
        this.margin = limit.marginMicros();
    }

    /** Whether a start counts until its handler has ended, however long that takes. */
    final boolean isOpen() {
        return margin == Margin.OPEN;
    }

    /** When a start is recorded, unless its handler ends earlier. */
    final long latest(Start start) {
        return margin == 0 ? start.at() : start.latest();
    }

    final boolean isCounted(Start start) {
        return start.at() >= first;
    }

    /**
     * The first start as a store keeps it, behind all else; nothing once every start before it lies, with its margin, before
     * the instant from which on something could be given back.
     */
    final String firstText(long from) {
        boolean isOver = first == Long.MIN_VALUE || from - first > Math.max(Margin.AUTO_MAX, isOpen() ? 0 : margin);
        return isOver || margin == 0 ? "" : FIRST + Long.toString(first, RADIX);
    }

    /** Reads what {@link #firstText} wrote. Returns the text before it. */
    final String readFirst(String memory) {
        int at = memory.lastIndexOf(FIRST);
        if (at < 0) {
            return memory;
        }
        first = Long.parseLong(memory, at + 1, memory.length(), RADIX);
        return memory.substring(0, at);
    }

    final long unitsOf(long cost) {
        return isByCost ? cost : 1;
    }

    /** What is in use and not recorded yet. */
    final long open(InUse inUse) {
        if (!isOpen()) {
            return 0;
        }
        return isByCost ? inUse.units : inUse.leases;
    }

    /** If only the end of its handler would end its margin, the start counts until a call made just now has arrived. */
    @Override
    final void lost(Start start, long cost, long clock) {
        if (isOpen()) {
            record(clock + TRAVEL, unitsOf(cost));
        }
    }

    /** Until a handler ends, its units in use show what it owes; a start that holds no place has none, so it owes now. */
    final void oweWithoutPlace(long debt, long clock) {
        if (isOpen() && isByCost) {
            record(clock, Math.min(DEBT_MAX, debt));
        }
    }

    /** Counts these units as of this instant. */
    abstract void record(long instant, long units);

    abstract void read(String memory, long seen);

    abstract @Nullable String write(long seen);

    @Override
    final void remember(String memory, long seen) {
        wasOpen = memory.charAt(0) == OPEN;
        String own = wasOpen ? memory.substring(1) : memory;
        if (!own.isEmpty()) {
            read(own, seen);
        }
    }

    @Override
    final @Nullable String memory(long seen) {
        String own = write(seen);
        if (!isOpen()) {
            return own;
        }
        return own == null ? String.valueOf(OPEN) : OPEN + own;
    }

    @Override
    final void closeOpen(InUse inUse, long seen) {
        long units = isByCost ? inUse.units : inUse.leases;
        if (wasOpen && !isOpen() && units > 0) {
            record(seen, units);
        }
        wasOpen = false;
    }

    @Override
    final boolean isWorthKeeping(long seen) {
        return wasOpen || write(seen) != null;
    }

    final void takeOver(TimedMeter other) {
        wasOpen |= other.wasOpen;
        first = Math.max(first, other.first);
    }
}

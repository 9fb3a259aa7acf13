package dev.headgate.internal.admission;

import dev.headgate.internal.admission.InUse.Aside;
import dev.headgate.limit.Adaptive;
import dev.headgate.limit.Budget;
import dev.headgate.limit.Concurrency;
import dev.headgate.limit.Limit;
import dev.headgate.limit.Quota;
import dev.headgate.limit.Rate;
import dev.headgate.limit.Spaced;
import dev.headgate.limit.Window;
import org.jspecify.annotations.Nullable;

/**
 * One limit at work: what it remembers of the starts so far, and its answer to the next one. A working copy inside a
 * {@link GateLedger}; asking changes nothing and allocates nothing.
 */
abstract sealed class Meter permits ConcurrencyMeter, BudgetMeter, AdaptiveMeter, TimedMeter {
    /** The answer if somebody must give something back first. */
    static final long UNTIL_RELEASE = Long.MAX_VALUE - 1;

    /** The answer if the job asks for more than the limit gives when idle. */
    static final long NEVER = Long.MAX_VALUE;

    /** Beyond every instant that is ever asked for; debts that reach further are cut here. */
    static final long FAR = Long.MAX_VALUE / 2;

    static Meter of(Limit limit) {
        return switch (limit) {
            case Concurrency concurrency -> new ConcurrencyMeter(concurrency);
            case Budget budget -> new BudgetMeter(budget);
            case Adaptive adaptive -> new AdaptiveMeter(adaptive);
            case Rate rate -> new RateMeter(rate);
            case Window window -> new WindowMeter(window);
            case Spaced spaced -> new SpacedMeter(spaced);
            case Quota quota -> new QuotaMeter(quota);
        };
    }

    abstract Limit limit();

    /**
     * When a job of this cost may start: {@code clock} or less if now, an exact later instant if time will open the
     * limit, else {@link #UNTIL_RELEASE} or {@link #NEVER}. So of several answers the greatest is the one that counts.
     */
    abstract long opens(long clock, long cost, InUse inUse, Aside aside);

    /** The numbers behind the answer, such as {@code 5 of 5 in use}. */
    abstract String figures(long clock, long cost, InUse inUse);

    /** What counts against the limit now, in the unit of {@link #most}. */
    abstract long used(long clock, InUse inUse);

    /** What the limit gives while nothing is used. */
    abstract long most();

    /** How much of a limit that counts over time is used, in percent; 0 of any other. */
    final long usedPercent(long clock, InUse inUse) {
        return limit().isTimed() ? Math.min(most(), used(clock, inUse)) * 100 / most() : 0;
    }

    /** The margin of a start of this cost that is granted now, in microseconds; 0 if there is none. */
    long margin(long clock, long cost) {
        return limit().marginMicros();
    }

    /** A job starts: asked now, and recorded when its margin is over or its handler has ended, whichever is earlier. */
    void take(Start start, long cost) {}

    /**
     * The handler of a start has ended: if its margin is not over, it is recorded now.
     *
     * @param cost what it cost, as settled
     */
    void ended(Start start, long cost, long clock) {}

    /** The worker of a start was lost: its call may still be on its way. */
    void lost(Start start, long cost, long clock) {}

    /** A start did not happen after all: no more is given back than the same history without it would leave. */
    void giveUp(Start start, long cost, long clock) {}

    /** A job of {@code charged} units turned out to need {@code actual} ones. */
    void settle(long charged, long actual, Start start, long clock) {}

    /** A job ended well. */
    void grow() {}

    /** Somebody was rejected by what the gate stands for. */
    void shrink() {}

    /** Takes the limit for spent as of now: what it was is not known. */
    void exhaust(long clock) {}

    /** Takes up what {@link #memory} wrote; throws if it is unreadable. */
    void remember(String memory, long seen) {}

    /**
     * Takes up what {@link #memory} did not hold: where starts counted until their handlers ended and no longer do, those in
     * use are recorded as of the gate's last start.
     */
    void closeOpen(InUse inUse, long seen) {}

    /** Takes over what a limit of the same kind and unit, but another period, remembered at {@code seen}. */
    void carryOver(Meter other, long seen) {}

    /** What must be remembered, as text without spaces; absent if nothing. */
    @Nullable
    String memory(long seen) {
        return null;
    }

    /** Whether what it remembers can still matter to a limit that takes it over. */
    boolean isWorthKeeping(long seen) {
        return memory(seen) != null;
    }

    /** Whether it would answer the same from this time on if nothing had ever started; nothing is in use. */
    abstract boolean isAsNew(long clock);

    abstract Meter copy();
}

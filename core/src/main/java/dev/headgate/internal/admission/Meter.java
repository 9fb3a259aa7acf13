package dev.headgate.internal.admission;

import dev.headgate.internal.admission.InUse.KeptFree;
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
 * One limit at work: what it remembers of past starts, and what it says of the next one. Part of the working copy in a
 * {@link GateLedger}; a question changes nothing and allocates nothing.
 */
abstract sealed class Meter permits ConcurrencyMeter, BudgetMeter, AdaptiveMeter, TimedMeter {
    /** {@link #opens} if a release must come first. */
    static final long UNTIL_RELEASE = Long.MAX_VALUE - 1;

    /** {@link #opens} if the job asks for more than the limit gives when idle. */
    static final long NEVER = Long.MAX_VALUE;

    /** Later than every instant that is ever asked for; longer debts are cut here. */
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
     * limit, else {@link #UNTIL_RELEASE} or {@link #NEVER}. So of several limits the greatest value counts.
     */
    abstract long opens(long clock, long cost, InUse inUse, KeptFree reserved);

    /** The numbers behind the decision, such as {@code 5 of 5 in use}. */
    abstract String figures(long clock, long cost, InUse inUse);

    /** What counts against the limit now, in the unit of {@link #most}. */
    abstract long used(long clock, InUse inUse);

    /** What the limit gives while nothing is used. */
    abstract long most();

    /** How much of a limit over time is used, in percent; 0 for other limits. */
    final long usedPercent(long clock, InUse inUse) {
        return limit().isTimed() ? Math.min(most(), used(clock, inUse)) * 100 / most() : 0;
    }

    /** The margin of a start of this cost that is granted now, in microseconds; 0 if there is none. */
    long margin(long clock, long cost) {
        return limit().marginMicros();
    }

    /**
     * A job starts: the limit decides now, and records the start when its margin is over or its handler has ended,
     * whichever is earlier.
     */
    void take(Start start, long cost) {}

    /**
     * The handler of a start has ended: the start is recorded now if its margin is not over.
     *
     * @param cost as settled
     */
    void ended(Start start, long cost, long clock) {}

    /** The worker of a start was lost: its call may still be on its way. */
    void lost(Start start, long cost, long clock) {}

    /** A start did not happen after all: gives back no more than if it had never been taken. */
    void giveUp(Start start, long cost, long clock) {}

    /** A job charged with {@code charged} units needed {@code actual} units. */
    void settle(long charged, long actual, Start start, long clock) {}

    /** A job ended well. */
    void grow() {}

    /** What the gate stands for has rejected a call. */
    void shrink() {}

    /** Counts the limit as used up now: its past is not known. */
    void exhaust(long clock) {}

    /** Restores what {@link #memory} wrote; throws if it is unreadable. */
    void remember(String memory, long seen) {}

    /**
     * Restores what {@link #memory} left out: if starts counted until their handlers ended and no longer do, those in
     * use are recorded as of the gate's last start.
     */
    void closeOpen(InUse inUse, long seen) {}

    /** Takes over what a limit of the same kind and unit, but of another period, remembered at {@code seen}. */
    void carryOver(Meter other, long seen) {}

    /** What must be remembered, as text without spaces; absent if nothing. */
    @Nullable
    String memory(long seen) {
        return null;
    }

    /** Whether this memory can still matter to a limit that takes it over. */
    boolean isWorthKeeping(long seen) {
        return memory(seen) != null;
    }

    /** Whether it would decide the same from this time on if nothing had ever started; nothing is in use. */
    abstract boolean isAsNew(long clock);

    abstract Meter copy();
}

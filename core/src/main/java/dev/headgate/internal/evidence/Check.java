package dev.headgate.internal.evidence;

import dev.headgate.limit.Adaptive;
import dev.headgate.limit.Budget;
import dev.headgate.limit.Concurrency;
import dev.headgate.limit.Limit;
import dev.headgate.limit.Quota;
import dev.headgate.limit.Rate;
import dev.headgate.limit.Spaced;
import dev.headgate.limit.Window;
import dev.headgate.spi.JournalTable.Entry;
import java.math.BigInteger;

/**
 * The promise of one limit, checked start by start. It is given the instants at which starts are spent, and need not know why
 * they are those: {@link Account} does. The entries of a batch share one instant and are judged together:
 * if the last of them was allowed, all were.
 *
 * <p>What is not known is read in favour of the gate, so that every violation it reports is one: starts before the
 * journal began are not held against it, and neither are those under a limit that had another period.
 */
abstract sealed class Check permits InUseCheck, RateCheck, WindowCheck, SpacedCheck, QuotaCheck {
    /** {@link #possibleAt} if the journal cannot tell. */
    static final long UNKNOWN = Long.MIN_VALUE;

    /** What the last judged start used and was allowed, since when. */
    long used;

    long allowed;
    long since;

    static Check of(Limit limit) {
        return switch (limit) {
            case Concurrency concurrency -> new InUseCheck(limit);
            case Budget budget -> new InUseCheck(limit);
            case Adaptive adaptive -> new InUseCheck(limit);
            case Rate rate -> new RateCheck(rate);
            case Window window -> new WindowCheck(window);
            case Spaced spaced -> new SpacedCheck(spaced);
            case Quota quota -> new QuotaCheck(quota);
        };
    }

    /** Whether it counts units of cost; else jobs. */
    abstract boolean isByCost();

    /** What the jobs of an entry take of this limit. */
    final long amount(Entry entry) {
        return isByCost() ? entry.event().units() : entry.event().starts();
    }

    /**
     * Judges a batch that takes something; false if there was nothing to compare it with.
     *
     * @param open what started before and is not spent yet, because its calls may still come
     */
    abstract boolean judge(Entry batch, long open);

    /** So much is spent at this instant, which is no earlier than any before. */
    void spend(long at, long amount) {}

    /** A cost turned out to be greater by so much. */
    void owe(long at, long amount) {
        spend(at, amount);
    }

    /**
     * What was spent at some instant from {@code from} to {@code to} was not needed after all. Leaves no more than the same
     * history without it would leave.
     */
    void takeOut(long from, long to, long amount, long now) {}

    /** An operator made the gate as new. */
    void clear() {}

    /** The limit has the same key and other numbers from now on. */
    abstract void change(Limit to);

    /** The earliest instant at which so much more could have started, by this limit alone. */
    abstract long possibleAt(long amount);

    /** The figures of the last judged start. */
    abstract String figures();

    /** The most that could start between two starts, both included; {@code lastAmount} is what the last one took. */
    abstract BigInteger allowance(long first, long last, long lastAmount, long periods);

    /** Whether it limits what runs at once: then it is used as far as its peak goes. */
    boolean isLevel() {
        return false;
    }
}

package dev.headgate.internal.evidence;

import dev.headgate.internal.time.Micros;
import dev.headgate.limit.Limit;
import dev.headgate.limit.Spaced;
import dev.headgate.limit.Spans;
import dev.headgate.spi.JournalTable.Entry;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Two starts are {@code per / count} apart; by cost, a start keeps the next one off for that time per unit. Jobs of no
 * cost do not count, and a batch does not tell what each of its jobs cost: by cost, a batch is taken for one job.
 */
final class SpacedCheck extends Check {
    /** How many starts are kept, in case that the last ones turn out to have been none. */
    private static final int KEPT_MAX = 64;

    private Spaced limit;
    private final List<Spent> spent = new ArrayList<>();
    private boolean isOpen;

    private record Spent(long at, long units) {}

    SpacedCheck(Spaced limit) {
        this.limit = limit;
    }

    @Override
    boolean isByCost() {
        return limit.isByCost();
    }

    private @Nullable Spent last() {
        return spent.isEmpty() ? null : spent.getLast();
    }

    /** The distance that so many units need. */
    private long needed(long units) {
        return Exact.ceil(units, Micros.of(limit.per()), limit.count());
    }

    @Override
    boolean judge(Entry batch, long open) {
        boolean isCrowd = !limit.isByCost() && batch.event().starts() > 1;
        Spent last = last();
        isOpen = open > 0 && !isCrowd;
        since = isCrowd || isOpen || last == null ? batch.event().at() : last.at;
        allowed = batch.event().at() - since;
        if (isOpen) {
            used = needed(limit.isByCost() ? open : 1);
        } else if (isCrowd) {
            used = needed(1);
        } else {
            used = last == null ? 0 : needed(last.units);
        }
        return isCrowd || isOpen || last != null;
    }

    @Override
    void spend(long at, long amount) {
        spent.add(new Spent(at, limit.isByCost() ? amount : 1));
        if (spent.size() > KEPT_MAX) {
            spent.removeFirst();
        }
    }

    @Override
    void owe(long at, long amount) {
        Spent last = last();
        if (last == null || at - last.at >= needed(last.units)) {
            spend(at, amount);
        } else {
            spent.removeLast();
            spent.add(new Spent(last.at, last.units + amount));
        }
    }

    @Override
    void takeOut(long from, long to, long amount, long now) {
        int i = spent.size() - 1;
        while (i >= 0 && spent.get(i).at > to) {
            i--;
        }
        if (i < 0 || spent.get(i).at < from) {
            return;
        }
        Spent found = spent.remove(i);
        if (found.units > amount) {
            spent.add(i, new Spent(found.at, found.units - amount));
        }
    }

    @Override
    void clear() {
        spent.clear();
    }

    @Override
    void change(Limit to) {
        limit = (Spaced) to;
    }

    @Override
    long possibleAt(long amount) {
        Spent last = last();
        return last == null ? UNKNOWN : last.at + needed(last.units);
    }

    @Override
    String figures() {
        return isOpen
                ? "while a call before may still come, at least %s after it"
                        .formatted(Spans.text(Micros.duration(used)))
                : "%s after the start before, at least %s"
                        .formatted(Spans.text(Micros.duration(allowed)), Spans.text(Micros.duration(used)));
    }

    @Override
    BigInteger allowance(long first, long last, long lastAmount, long periods) {
        return Exact.floor(Exact.product(last - first, limit.count()), Micros.of(limit.per()))
                .add(BigInteger.valueOf(lastAmount));
    }
}

package dev.headgate.internal.evidence;

import dev.headgate.limit.Adaptive;
import dev.headgate.limit.Budget;
import dev.headgate.limit.Concurrency;
import dev.headgate.limit.Limit;
import dev.headgate.spi.JournalTable.Entry;
import java.math.BigInteger;

/**
 * After a batch of starts no more is in use than allowed. More may be in use while a lowered limit drains, but then
 * nothing starts. An adaptive limit is judged by its upper bound; where it stood is not in the journal.
 */
final class InUseCheck extends Check {
    private Limit limit;

    InUseCheck(Limit limit) {
        this.limit = limit;
    }

    @Override
    boolean isByCost() {
        return limit instanceof Budget;
    }

    @Override
    boolean judge(Entry batch, long open) {
        used = limit instanceof Budget ? batch.use().units() : batch.use().leases();
        allowed = max();
        since = batch.event().at();
        return true;
    }

    private long max() {
        return switch (limit) {
            case Concurrency concurrency -> concurrency.max();
            case Budget budget -> budget.units();
            case Adaptive adaptive -> adaptive.max();
            default -> throw new IllegalStateException("not a limit on what is in use: " + limit.text());
        };
    }

    @Override
    void change(Limit to) {
        limit = to;
    }

    @Override
    long possibleAt(long amount) {
        return UNKNOWN;
    }

    @Override
    String figures() {
        return "%d of %d%s in use".formatted(used, allowed, limit instanceof Budget ? " units" : "");
    }

    @Override
    BigInteger allowance(long first, long last, long lastAmount, long periods) {
        return BigInteger.valueOf(max());
    }

    @Override
    boolean isLevel() {
        return true;
    }
}

package dev.headgate.internal.evidence;

import dev.headgate.internal.time.Micros;
import dev.headgate.limit.Limit;
import dev.headgate.limit.Rate;
import dev.headgate.limit.Spans;
import dev.headgate.spi.JournalTable.Entry;
import java.math.BigInteger;

/**
 * In any interval of length t at most {@code burst + count × t / per}. Kept as a leaking sum: what was started and has
 * not leaked away at the rate. It exceeds the burst exactly if some interval that ends now holds too much, and the one
 * that began when the sum was last zero is the worst.
 */
final class RateCheck extends Check {
    private Rate limit;
    private final long per;
    /** The sum, in {@code per}-ths of a unit. */
    private BigInteger sum = BigInteger.ZERO;

    private final LowPoints low = new LowPoints();
    private long at;
    private long leak;

    RateCheck(Rate limit) {
        this.limit = limit;
        this.per = Micros.of(limit.per());
        this.leak = limit.count();
        this.at = UNKNOWN;
    }

    @Override
    boolean isByCost() {
        return limit.isByCost();
    }

    private void leakUntil(long now) {
        if (at == UNKNOWN) {
            at = now;
        }
        sum = sum.subtract(Exact.product(Math.max(0, now - at), leak));
        if (sum.signum() <= 0) {
            sum = BigInteger.ZERO;
            low.clear();
        }
        at = Math.max(at, now);
        leak = limit.count();
    }

    @Override
    boolean judge(Entry batch, long open) {
        leakUntil(batch.event().at());
        long asked = open + amount(batch);
        BigInteger room = Exact.product(limit.burst(), per).subtract(sum).subtract(Exact.product(asked, per));
        since = low.since(at);
        used = low.addedSince() + asked;
        allowed = used + Exact.fit(Exact.floor(room, per));
        return true;
    }

    @Override
    void spend(long when, long units) {
        leakUntil(when);
        low.add(at, sum, units);
        sum = sum.add(Exact.product(units, per));
    }

    @Override
    void takeOut(long from, long to, long units, long now) {
        leakUntil(now);
        sum = sum.subtract(low.takeOut(to, units, Exact.product(units, per))).max(BigInteger.ZERO);
    }

    @Override
    void clear() {
        sum = BigInteger.ZERO;
        low.clear();
        at = UNKNOWN;
    }

    /** When exactly it changed is not known: until the next start the faster of the two rates counts. */
    @Override
    void change(Limit to) {
        leak = Math.max(leak, ((Rate) to).count());
        limit = (Rate) to;
    }

    @Override
    long possibleAt(long amount) {
        if (at == UNKNOWN) {
            return UNKNOWN;
        }
        BigInteger over = sum.add(Exact.product(amount - limit.burst(), per));
        return over.signum() <= 0 ? at : at + Exact.ceil(over, leak);
    }

    @Override
    String figures() {
        return "%d started within %s, at most %d".formatted(used, Spans.text(Micros.duration(at - since)), allowed);
    }

    @Override
    BigInteger allowance(long first, long last, long lastAmount, long periods) {
        return Exact.floor(Exact.product(last - first, limit.count()), per).add(BigInteger.valueOf(limit.burst()));
    }
}

package dev.headgate.internal.evidence;

import dev.headgate.internal.time.Micros;
import dev.headgate.limit.Limit;
import dev.headgate.limit.Spans;
import dev.headgate.limit.Window;
import dev.headgate.spi.JournalTable.Entry;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * In any half-open interval of length {@code per} at most {@code count}. All batches of the last window are kept as they
 * were, 16 bytes each: a window of a day with a million batches takes 16 MB.
 */
final class WindowCheck extends Check {
    private static final int SIZE_MIN = 64;

    private Window limit;
    private final long per;
    private long[] instants = new long[SIZE_MIN];
    private long[] units = new long[SIZE_MIN];
    private int first;
    private int end;
    private long sum;

    WindowCheck(Window limit) {
        this.limit = limit;
        this.per = Micros.of(limit.per());
    }

    @Override
    boolean isByCost() {
        return limit.isByCost();
    }

    @Override
    boolean judge(Entry batch, long open) {
        expire(batch.event().at());
        used = sum + open + amount(batch);
        allowed = limit.count();
        since = first < end ? instants[first] : batch.event().at();
        return true;
    }

    private void expire(long now) {
        while (first < end && instants[first] <= now - per) {
            sum -= units[first++];
        }
    }

    @Override
    void spend(long at, long added) {
        expire(at);
        if (first < end && instants[end - 1] == at) {
            units[end - 1] += added;
            sum += added;
            return;
        }
        if (end == instants.length) {
            int size = end - first;
            int capacity = Math.max(SIZE_MIN, size * 2);
            instants = Arrays.copyOf(Arrays.copyOfRange(instants, first, end), capacity);
            units = Arrays.copyOf(Arrays.copyOfRange(units, first, end), capacity);
            first = 0;
            end = size;
        }
        instants[end] = at;
        units[end++] = added;
        sum += added;
    }

    /** Taken off the instants at which it can have been spent, the latest first, while they count. */
    @Override
    void takeOut(long from, long to, long amount, long now) {
        expire(now);
        int found = Arrays.binarySearch(instants, first, end, to);
        long left = amount;
        for (int i = found >= 0 ? found : -found - 2; left > 0 && i >= first && instants[i] >= from; i--) {
            long back = Math.min(units[i], left);
            units[i] -= back;
            sum -= back;
            left -= back;
        }
    }

    @Override
    void clear() {
        first = end = 0;
        sum = 0;
    }

    @Override
    void change(Limit to) {
        limit = (Window) to;
    }

    @Override
    long possibleAt(long amount) {
        long over = sum + amount - limit.count();
        if (over <= 0 || first == end) {
            return first == end ? UNKNOWN : instants[end - 1];
        }
        int last = first;
        while (last < end - 1 && over > units[last]) {
            over -= units[last++];
        }
        return instants[last] + per;
    }

    @Override
    String figures() {
        return "%d of %d in the last %s".formatted(used, allowed, Spans.text(limit.per()));
    }

    @Override
    BigInteger allowance(long firstStart, long lastStart, long lastAmount, long periods) {
        return Exact.product((lastStart - firstStart) / per + 1, limit.count());
    }
}

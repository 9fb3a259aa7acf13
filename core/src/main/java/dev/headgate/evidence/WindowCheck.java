package dev.headgate.evidence;

import dev.headgate.admission.Limit;
import dev.headgate.admission.Micros;
import dev.headgate.admission.Spans;
import dev.headgate.admission.Window;
import dev.headgate.store.JournalTable.Entry;
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
    long amount(Entry batch) {
        return limit.isByCost() ? batch.units() : batch.starts();
    }

    @Override
    boolean start(Entry batch) {
        add(batch.at(), amount(batch));
        used = sum;
        allowed = limit.count();
        since = instants[first];
        return true;
    }

    private void add(long at, long added) {
        while (first < end && instants[first] <= at - per) {
            sum -= units[first++];
        }
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

    /** A debt counts from when it became known, a refund as of the start it belongs to, while that counts. */
    @Override
    void settle(Entry settled) {
        if (!limit.isByCost()) {
            return;
        }
        if (settled.units() >= 0) {
            add(settled.at(), settled.units());
            return;
        }
        if (first == end || settled.startedAt() <= settled.at() - per) {
            return;
        }
        int found = Arrays.binarySearch(instants, first, end, settled.startedAt());
        // If the clock was set back, a start is noted later than its job says.
        int start = found >= 0 ? found : Math.min(-found - 1, end - 1);
        long back = Math.min(units[start], -settled.units());
        units[start] -= back;
        sum -= back;
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

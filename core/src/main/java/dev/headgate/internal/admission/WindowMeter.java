package dev.headgate.internal.admission;

import dev.headgate.internal.admission.InUse.KeptFree;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.Limit;
import dev.headgate.limit.Spans;
import dev.headgate.limit.Window;
import org.jspecify.annotations.Nullable;

/**
 * The starts of the last window, in the order in which they are recorded, as entries of (first, last, units). While
 * there are few, each instant has an entry of its own. When there are many, a start joins an entry if that stays
 * shorter than a 128th of the window; the whole entry then expires with its last start, so the limit stays strict.
 */
final class WindowMeter extends TimedMeter {
    private static final int EXACT_MAX = 100;
    private static final int PARTS = 128;
    private static final int RADIX = 36;
    private static final long UNITS_MAX = FAR / 1024;

    private final Window limit;
    private final long count;
    private final long per;
    private long[] firsts = new long[4];
    private long[] last = new long[4];
    private long[] units = new long[4];
    private int head;
    private int end;
    private long sum;

    WindowMeter(Window limit) {
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
        long asked = unitsOf(cost);
        if (asked == 0) {
            return clock;
        }
        if (asked > count) {
            return NEVER;
        }
        long wanted = asked + (isByCost ? reserved.units() : reserved.leases());
        if (wanted > count) {
            return UNTIL_RELEASE;
        }
        long over = sum + open(inUse) + wanted - count;
        long opens = clock;
        for (int i = head; over > 0 && i < end; i++) {
            over -= units[i];
            opens = Math.max(clock, last[i] + per);
        }
        return over > 0 ? UNTIL_RELEASE : opens;
    }

    /** Units that still count. A question must not drop entries: the clock may be set back before the next start. */
    private long live(long clock) {
        long live = sum;
        for (int i = head; i < end && last[i] + per <= clock; i++) {
            live -= units[i];
        }
        return live;
    }

    @Override
    long used(long clock, InUse inUse) {
        return live(clock) + open(inUse);
    }

    @Override
    long most() {
        return count;
    }

    @Override
    String figures(long clock, long cost, InUse inUse) {
        return used(clock, inUse) + " of " + count + (isOpen() ? " running or" : "") + " in the last "
                + Spans.text(limit.per());
    }

    @Override
    void take(Start start, long cost) {
        prune(start.at());
        if (head == end) {
            first = start.at();
        }
        if (!isOpen()) {
            record(latest(start), unitsOf(cost));
        }
    }

    private void prune(long clock) {
        while (head < end && last[head] + per <= clock) {
            sum -= units[head++];
        }
    }

    /** Entries never overlap: a start inside an entry joins it, and counts as long as its last start. */
    @Override
    void record(long instant, long added) {
        if (added == 0) {
            return;
        }
        int i = end;
        while (i > head && last[i - 1] >= instant) {
            i--;
        }
        boolean isCrowded = end - head >= EXACT_MAX;
        if (i < end && (firsts[i] <= instant || (isCrowded && last[i] - instant < per / PARTS))) {
            firsts[i] = Math.min(firsts[i], instant);
            join(i, added);
        } else if (i == end && i > head && isCrowded && instant - firsts[i - 1] < per / PARTS) {
            last[i - 1] = instant;
            join(i - 1, added);
        } else {
            insert(i, instant, instant, added);
        }
    }

    private void join(int i, long added) {
        long before = units[i];
        units[i] = Math.min(UNITS_MAX, before + added);
        sum += units[i] - before;
    }

    private void insert(int index, long newFirst, long newLast, long newUnits) {
        int i = index;
        if (end == firsts.length) {
            int size = end - head;
            int capacity = Math.max(4, size * 2);
            firsts = moved(firsts, capacity);
            last = moved(last, capacity);
            units = moved(units, capacity);
            i -= head;
            head = 0;
            end = size;
        }
        System.arraycopy(firsts, i, firsts, i + 1, end - i);
        System.arraycopy(last, i, last, i + 1, end - i);
        System.arraycopy(units, i, units, i + 1, end - i);
        firsts[i] = newFirst;
        last[i] = newLast;
        units[i] = newUnits;
        end++;
        sum += newUnits;
    }

    private long[] moved(long[] from, int capacity) {
        long[] moved = new long[capacity];
        System.arraycopy(from, head, moved, 0, end - head);
        return moved;
    }

    /**
     * Takes so many units off the entry that holds this start, as far as they are there; returns how many. An entry of
     * several instants may hold the instant of a start that was never counted.
     */
    private long unrecord(Start start, long wanted) {
        long instant = latest(start);
        for (int i = end - 1; i >= head && last[i] >= instant; i--) {
            if (firsts[i] <= instant) {
                boolean isItsOwn = firsts[i] == last[i] || isCounted(start);
                long taken = isItsOwn ? Math.min(units[i], wanted) : 0;
                units[i] -= taken;
                sum -= taken;
                if (units[i] == 0) {
                    remove(i);
                }
                return taken;
            }
        }
        return 0;
    }

    private void remove(int i) {
        System.arraycopy(firsts, i + 1, firsts, i, end - i - 1);
        System.arraycopy(last, i + 1, last, i, end - i - 1);
        System.arraycopy(units, i + 1, units, i, end - i - 1);
        end--;
    }

    @Override
    void ended(Start start, long cost, long clock) {
        if (isOpen()) {
            prune(clock);
            record(clock, unitsOf(cost));
        } else if (latest(start) > clock) {
            record(clock, unrecord(start, unitsOf(cost)));
        }
    }

    @Override
    void giveUp(Start start, long cost, long clock) {
        if (!isOpen()) {
            unrecord(start, unitsOf(cost));
        }
    }

    /**
     * A refund is taken off the entry of its start, while that counts. A debt belongs to its start while the margin of
     * that is not over. Later it counts from now: a window that holds the start and reaches beyond the settling holds
     * its actual units.
     */
    @Override
    void settle(long charged, long actual, Start start, long clock) {
        if (!isByCost || isOpen()) {
            return;
        }
        if (actual > charged) {
            prune(clock);
            record(Math.max(clock, latest(start)), Math.min(UNITS_MAX, actual - charged));
        } else {
            unrecord(start, charged - actual);
        }
    }

    @Override
    void exhaust(long clock) {
        head = end = 0;
        sum = 0;
        first = clock;
        insert(0, clock, clock, count);
    }

    @Override
    boolean isAsNew(long clock) {
        return live(clock) == 0;
    }

    @Override
    void read(String text, long seen) {
        String memory = readFirst(text);
        long previous = 0;
        int stop;
        for (int from = 0; from <= memory.length(); from = stop + 1) {
            stop = before(memory, ',', from, memory.length());
            int timeEnd = before(memory, '*', from, stop);
            int dash = before(memory, '-', from, timeEnd);
            long began = previous + natural(memory, from, dash);
            long ended = dash == timeEnd ? began : began + natural(memory, dash + 1, timeEnd);
            insert(end, began, ended, timeEnd == stop ? 1 : Math.min(UNITS_MAX, natural(memory, timeEnd + 1, stop)));
            previous = ended;
        }
    }

    /** The first place of this character in a part of the text; the end of the part if there is none. */
    private static int before(String text, char wanted, int from, int to) {
        int at = text.indexOf(wanted, from, to);
        return at < 0 ? to : at;
    }

    private static long natural(String text, int from, int to) {
        long number = Long.parseLong(text, from, to, RADIX);
        if (number < 0 || number > FAR) {
            throw new IllegalArgumentException("window: expected a natural number, got " + text.substring(from, to));
        }
        return number;
    }

    /** The starts are the same for any window; a longer one knows only what the shorter one remembered. */
    @Override
    void carryOver(Meter other, long seen) {
        WindowMeter old = (WindowMeter) other;
        takeOver(old);
        if (old.live(seen) > live(seen)) {
            firsts = old.firsts;
            last = old.last;
            units = old.units;
            head = old.head;
            end = old.end;
            sum = old.sum;
        }
    }

    /** Writes each entry as the time since the one before, {@code -} its length, {@code *} its units; in base 36. */
    @Override
    @Nullable
    String write(long seen) {
        StringBuilder text = new StringBuilder();
        long previous = 0;
        for (int i = head; i < end; i++) {
            if (last[i] + per <= seen || units[i] == 0) {
                continue;
            }
            text.append(text.isEmpty() ? "" : ",").append(Long.toString(firsts[i] - previous, RADIX));
            if (last[i] > firsts[i]) {
                text.append('-').append(Long.toString(last[i] - firsts[i], RADIX));
            }
            if (units[i] != 1) {
                text.append('*').append(Long.toString(units[i], RADIX));
            }
            previous = last[i];
        }
        return text.isEmpty() ? null : text.append(firstText(firsts[head])).toString();
    }

    @Override
    Meter copy() {
        WindowMeter copy = new WindowMeter(limit);
        copy.first = first;
        int size = Math.max(4, end - head);
        copy.firsts = moved(firsts, size);
        copy.last = moved(last, size);
        copy.units = moved(units, size);
        copy.end = end - head;
        copy.sum = sum;
        return copy;
    }
}

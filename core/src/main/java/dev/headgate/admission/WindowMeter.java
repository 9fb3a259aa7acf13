package dev.headgate.admission;

import dev.headgate.admission.InUse.Aside;
import org.jspecify.annotations.Nullable;

/**
 * The starts of the last window, in order, as entries of (first, last, units). While there are few, each instant has an
 * entry of its own. When there are many, a start joins the last entry if that one began less than a 128th of the window
 * ago; the whole entry then expires with its last start, which is what makes it strict.
 */
final class WindowMeter extends Meter {
    private static final int EXACT_MAX = 100;
    private static final int PARTS = 128;
    private static final int RADIX = 36;
    private static final long UNITS_MAX = FAR / 1024;

    private final Window limit;
    private final long count;
    private final long per;
    private final boolean isByCost;
    private long[] first = new long[4];
    private long[] last = new long[4];
    private long[] units = new long[4];
    private int head;
    private int end;
    private long sum;

    WindowMeter(Window limit) {
        this.limit = limit;
        this.count = limit.count();
        this.per = Micros.of(limit.per());
        this.isByCost = limit.isByCost();
    }

    @Override
    Limit limit() {
        return limit;
    }

    @Override
    long opens(long clock, long cost, InUse inUse, Aside aside) {
        long asked = isByCost ? cost : 1;
        if (asked == 0) {
            return clock;
        }
        if (asked > count) {
            return NEVER;
        }
        long wanted = asked + (isByCost ? aside.units() : aside.leases());
        if (wanted > count) {
            return UNTIL_RELEASE;
        }
        long over = sum + wanted - count;
        long opens = clock;
        for (int i = head; over > 0 && i < end; i++) {
            over -= units[i];
            opens = Math.max(clock, last[i] + per);
        }
        return opens;
    }

    /** Units that still count. Asking must not forget: the clock may be set back before the next start. */
    private long live(long clock) {
        long live = sum;
        for (int i = head; i < end && last[i] + per <= clock; i++) {
            live -= units[i];
        }
        return live;
    }

    @Override
    String figures(long clock, long cost, InUse inUse) {
        return live(clock) + " of " + count + " in the last " + Spans.text(limit.per());
    }

    @Override
    String never(long cost) {
        return "costs %d units, the window holds %d".formatted(cost, count);
    }

    @Override
    void take(long clock, long cost) {
        add(clock, isByCost ? cost : 1);
    }

    private void add(long clock, long added) {
        if (added == 0) {
            return;
        }
        while (head < end && last[head] + per <= clock) {
            sum -= units[head++];
        }
        int tail = end - 1;
        boolean isSameInstant = head < end && last[tail] >= clock;
        boolean isCrowded = end - head >= EXACT_MAX && clock - first[tail] < per / PARTS;
        if (isSameInstant || isCrowded) {
            last[tail] = Math.max(last[tail], clock);
            long before = units[tail];
            units[tail] = Math.min(UNITS_MAX, before + added);
            sum += units[tail] - before;
        } else {
            append(clock, clock, added);
        }
    }

    private void append(long newFirst, long newLast, long newUnits) {
        if (end == first.length) {
            int size = end - head;
            int capacity = Math.max(4, size * 2);
            first = moved(first, capacity);
            last = moved(last, capacity);
            units = moved(units, capacity);
            head = 0;
            end = size;
        }
        first[end] = newFirst;
        last[end] = newLast;
        units[end++] = newUnits;
        sum += newUnits;
    }

    private long[] moved(long[] from, int capacity) {
        long[] moved = new long[capacity];
        System.arraycopy(from, head, moved, 0, end - head);
        return moved;
    }

    /**
     * A refund is taken off the entry of its start, while that counts. A debt counts from now: that is later than the
     * start it belongs to, so a window that holds the start and reaches beyond the settling holds its actual units.
     */
    @Override
    void settle(long charged, long actual, long startedAt, long clock) {
        if (!isByCost) {
            return;
        }
        if (actual > charged) {
            add(clock, Math.min(UNITS_MAX, actual - charged));
            return;
        }
        for (int i = head; i < end; i++) {
            if (first[i] <= startedAt && startedAt <= last[i]) {
                long back = Math.min(units[i], charged - actual);
                units[i] -= back;
                sum -= back;
                return;
            }
        }
    }

    @Override
    void exhaust(long clock) {
        head = end = 0;
        sum = 0;
        append(clock, clock, count);
    }

    @Override
    void remember(String memory, long seen) {
        long previous = 0;
        int stop;
        for (int from = 0; from <= memory.length(); from = stop + 1) {
            stop = before(memory, ',', from, memory.length());
            int timeEnd = before(memory, '*', from, stop);
            int dash = before(memory, '-', from, timeEnd);
            long began = previous + natural(memory, from, dash);
            long ended = dash == timeEnd ? began : began + natural(memory, dash + 1, timeEnd);
            append(began, ended, timeEnd == stop ? 1 : Math.min(UNITS_MAX, natural(memory, timeEnd + 1, stop)));
            previous = ended;
        }
    }

    /** Where the first of this character stands in a part of the text; its end if there is none. */
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

    /** The starts are the same whatever window looks at them; a longer one knows only what the shorter remembered. */
    @Override
    void carryOver(Meter other, long seen) {
        WindowMeter old = (WindowMeter) other;
        if (old.live(seen) > live(seen)) {
            first = old.first;
            last = old.last;
            units = old.units;
            head = old.head;
            end = old.end;
            sum = old.sum;
        }
    }

    /** Each entry as the time since the one before, {@code -} its length, {@code *} its units; in base 36. */
    @Override
    @Nullable
    String memory(long seen) {
        StringBuilder text = new StringBuilder();
        long previous = 0;
        for (int i = head; i < end; i++) {
            if (last[i] + per <= seen || units[i] == 0) {
                continue;
            }
            text.append(text.isEmpty() ? "" : ",").append(Long.toString(first[i] - previous, RADIX));
            if (last[i] > first[i]) {
                text.append('-').append(Long.toString(last[i] - first[i], RADIX));
            }
            if (units[i] != 1) {
                text.append('*').append(Long.toString(units[i], RADIX));
            }
            previous = last[i];
        }
        return text.isEmpty() ? null : text.toString();
    }

    @Override
    Meter copy() {
        WindowMeter copy = new WindowMeter(limit);
        int size = Math.max(4, end - head);
        copy.first = moved(first, size);
        copy.last = moved(last, size);
        copy.units = moved(units, size);
        copy.end = end - head;
        copy.sum = sum;
        return copy;
    }
}

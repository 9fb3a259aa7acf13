package dev.headgate.internal.admission;

import java.util.Arrays;

/**
 * Remembers how full a bucket was at each take, so that a refund returns no more than if the refunded start had never
 * happened.
 *
 * <p>Design note. A bucket is one instant T; a take at t makes it {@code max(T, t) + cost}. The <i>slack</i> of a take
 * is how far T lies ahead of t, or 0 if the bucket is full. Without an earlier start of cost c, every later T is
 * earlier by c, except that a take with a slack below c would have found the bucket full; from there on only that slack
 * remains of the difference. So a refund is the least of c and of all later slacks. Only those takes matter that no
 * later take has as little slack as: they are kept in order, with rising slack. Takes at the same instant as the start
 * never have less slack than its cost.
 */
final class BucketHistory {
    private static final int MAX = 16;
    private static final int RADIX = 36;

    private final long[] at = new long[MAX + 1];
    private final long[] parts = new long[MAX + 1];
    private int size;

    /** Notes a take. */
    void push(long instant, long slack) {
        long moment = size == 0 ? instant : Math.max(instant, at[size - 1]);
        while (size > 0 && parts[size - 1] >= slack) {
            size--;
        }
        if (size > 0 && at[size - 1] == moment) {
            return;
        }
        at[size] = moment;
        parts[size++] = slack;
        if (size > MAX) {
            // Merges the two oldest into one, with the later instant and the lesser slack: this refunds less, never
            // more.
            parts[1] = parts[0];
            System.arraycopy(at, 1, at, 0, --size);
            System.arraycopy(parts, 1, parts, 0, size);
        }
    }

    /** Returns what may be refunded to a start that was recorded at this instant, and counts it as refunded. */
    long refund(long instant, long wanted) {
        long left = wanted;
        for (int i = 0; i < size; i++) {
            if (at[i] > instant) {
                long before = left;
                left = Math.min(left, parts[i]);
                parts[i] = Math.max(0, parts[i] - before);
            }
        }
        return left;
    }

    void clear() {
        size = 0;
    }

    void write(StringBuilder text) {
        for (int i = 0; i < size; i++) {
            text.append(i == 0 ? "" : ",")
                    .append(Long.toString(i == 0 ? at[0] : at[i] - at[i - 1], RADIX))
                    .append('*')
                    .append(Long.toString(parts[i], RADIX));
        }
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** What was recorded before this instant gets nothing back, because the bucket was full then; 0 if that is not known. */
    long from() {
        return parts[0] == 0 ? at[0] : 0;
    }

    void read(String text) {
        long previous = 0;
        for (String entry : text.split(",", -1)) {
            int star = entry.indexOf('*');
            previous += Long.parseLong(entry.substring(0, star), RADIX);
            long slack = Long.parseLong(entry.substring(star + 1), RADIX);
            if (slack < 0) {
                throw new IllegalArgumentException("bucket: expected slacks of 0 or more, got " + text);
            }
            push(previous, slack);
        }
    }

    BucketHistory copy() {
        BucketHistory copy = new BucketHistory();
        System.arraycopy(at, 0, copy.at, 0, size);
        System.arraycopy(parts, 0, copy.parts, 0, size);
        copy.size = size;
        return copy;
    }

    @Override
    public String toString() {
        return Arrays.toString(Arrays.copyOf(at, size)) + Arrays.toString(Arrays.copyOf(parts, size));
    }
}

package dev.headgate.internal.resource;

import java.util.Arrays;
import java.util.StringJoiner;

/**
 * The distribution of a figure over recent runs, small enough for one column. Integers only; not thread-safe.
 *
 * <p>Design note. Values are counted in buckets that grow by an eighth, so a percentile is at most 12.5 % above the
 * value it stands for, never below it. Above {@link #WEIGHT_MAX} runs every count is halved, so old runs fade. Two
 * digests can be added in any order: that merges the runs of many workers.
 */
public final class Digest {
    /** The most runs that are remembered. */
    public static final int WEIGHT_MAX = 512;

    private static final int EXACT = 16;
    private static final int BUCKETS = EXACT + 8 * (Long.SIZE - 5);

    private final int[] counts = new int[BUCKETS];
    private int weight;

    public void add(long value) {
        counts[bucket(Math.max(0, value))]++;
        weight++;
        fade();
    }

    /** Adds all runs of another. */
    public void add(Digest other) {
        for (int i = 0; i < BUCKETS; i++) {
            counts[i] += other.counts[i];
        }
        weight += other.weight;
        fade();
    }

    private void fade() {
        while (weight > WEIGHT_MAX) {
            weight = 0;
            for (int i = 0; i < BUCKETS; i++) {
                counts[i] >>= 1;
                weight += counts[i];
            }
        }
    }

    /** How many runs it remembers. */
    public int weight() {
        return weight;
    }

    /** The value that this percentage of the runs did not exceed; zero without runs. */
    public long percentile(int percent) {
        long rank = ((long) weight * percent + 99) / 100;
        long passed = 0;
        for (int i = 0; i < BUCKETS; i++) {
            passed += counts[i];
            if (counts[i] > 0 && passed >= rank) {
                return most(i);
            }
        }
        return 0;
    }

    private static int bucket(long value) {
        if (value < EXACT) {
            return (int) value;
        }
        int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(value);
        return EXACT + (power - 4) * 8 + (int) ((value >>> (power - 3)) & 7);
    }

    /** The greatest value of a bucket. */
    private static long most(int bucket) {
        if (bucket < EXACT) {
            return bucket;
        }
        int power = (bucket - EXACT) / 8 + 4;
        int eighth = (bucket - EXACT) % 8;
        return (1L << power) + ((eighth + 1L) << (power - 3)) - 1;
    }

    /** For the store: bucket and count, {@code 93:4 94:12}. */
    public String text() {
        StringJoiner text = new StringJoiner(" ");
        for (int i = 0; i < BUCKETS; i++) {
            if (counts[i] > 0) {
                text.add(i + ":" + counts[i]);
            }
        }
        return text.toString();
    }

    /** Reads {@link #text} back. */
    public static Digest parse(String text) {
        Digest digest = new Digest();
        for (String part : text.isEmpty() ? new String[0] : text.split(" ", -1)) {
            int sign = part.indexOf(':');
            int count = Integer.parseInt(part, sign + 1, part.length(), 10);
            digest.counts[Integer.parseInt(part, 0, sign, 10)] += count;
            digest.weight += count;
        }
        return digest;
    }

    public Digest copy() {
        Digest copy = new Digest();
        copy.add(this);
        return copy;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Digest digest && Arrays.equals(counts, digest.counts);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(counts);
    }

    @Override
    public String toString() {
        return text();
    }
}

package dev.headgate.proof.mutants;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Code for {@link WeaverTest} to change: each change shows in what {@link #get} returns. */
final class Specimen implements Supplier<String> {
    private record Pair(int left, int right) {
        private static final int WIDTH = 40 + 2;

        @Override
        public String toString() {
            return left + right > WIDTH ? "wide" : "narrow";
        }
    }

    private final List<String> seen = new ArrayList<>();

    @Override
    public String get() {
        seen.clear();
        see(less(1, 2), less(2, 2), less(3, 2));
        see(isNothing(null), isNothing(""));
        see(sum(7, 5), half(12), smaller(3, 4), count(3));
        see(small(), names());
        see(new Pair(1, 2));
        return String.join(" ", seen);
    }

    private void see(Object... values) {
        for (Object value : values) {
            seen.add(String.valueOf(value));
        }
    }

    private static boolean less(int a, int b) {
        return a < b;
    }

    private static boolean isNothing(Object value) {
        if (value == null) {
            return true;
        }
        return false;
    }

    private static long sum(long a, long b) {
        return a + b;
    }

    private static int half(int a) {
        return a / 2;
    }

    private static int smaller(int a, int b) {
        return Math.min(a, b);
    }

    private static int count(int most) {
        int count = 0;
        while (count < most) {
            count++;
        }
        return count;
    }

    private static String small() {
        if (half(4) > 10) {
            throw new IllegalStateException("expected at most %d".formatted(10 + 1));
        }
        return "small";
    }

    private static List<String> names() {
        return List.of("a");
    }
}

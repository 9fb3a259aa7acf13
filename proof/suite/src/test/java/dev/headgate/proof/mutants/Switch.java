package dev.headgate.proof.mutants;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;

/**
 * What woven code asks at each place where it could be changed. One mutant is planted at a time. Also tells which places a test
 * reaches, and ends a test that runs in circles: after a number of steps, so that the end does not depend on the machine.
 *
 * <p>The fields are plain because every step reads them. Tests start their threads after a mutant is planted; a count that misses a
 * few steps does no harm.
 */
public final class Switch {
    private static final int NONE = Integer.MIN_VALUE / 2;

    private static int planted = NONE;
    private static boolean[] reached = new boolean[0];
    private static long steps;
    private static long stepsMax = Long.MAX_VALUE;

    private Switch() {}

    /** Begins a test. */
    static void begin(int mutant, int mutants, long most) {
        if (reached.length == mutants) {
            Arrays.fill(reached, false);
        } else {
            reached = new boolean[mutants];
        }
        steps = 0;
        stepsMax = most;
        planted = mutant;
    }

    /** Begins a test of healthy code. */
    static void begin(int mutants) {
        begin(NONE, mutants, Long.MAX_VALUE);
    }

    /** Nothing is planted and nothing is bounded any more. */
    static void end() {
        planted = NONE;
        stepsMax = Long.MAX_VALUE;
    }

    /** The sites that were reached since the test began. */
    static BitSet reached() {
        BitSet sites = new BitSet();
        for (int site = 0; site < reached.length; site++) {
            sites.set(site, reached[site]);
        }
        return sites;
    }

    static long steps() {
        return steps;
    }

    /** 0 if the first mutant of this site is planted, 1 if the second is. */
    private static int at(int site) {
        if (++steps > stepsMax) {
            throw new AssertionError(new TimeoutException("%d steps, and no end".formatted(stepsMax)));
        }
        reached[site] = true;
        return planted - site;
    }

    public static boolean eq(int a, int b, int site) {
        return (a == b) ^ (at(site) == 0);
    }

    public static boolean ne(int a, int b, int site) {
        return (a != b) ^ (at(site) == 0);
    }

    @SuppressWarnings("ReferenceEquality") // that of the woven code
    public static boolean same(Object a, Object b, int site) {
        return (a == b) ^ (at(site) == 0);
    }

    public static boolean lt(int a, int b, int site) {
        return switch (at(site)) {
            case 0 -> a >= b;
            case 1 -> a <= b;
            default -> a < b;
        };
    }

    public static boolean ge(int a, int b, int site) {
        return switch (at(site)) {
            case 0 -> a < b;
            case 1 -> a > b;
            default -> a >= b;
        };
    }

    public static boolean gt(int a, int b, int site) {
        return switch (at(site)) {
            case 0 -> a <= b;
            case 1 -> a >= b;
            default -> a > b;
        };
    }

    public static boolean le(int a, int b, int site) {
        return switch (at(site)) {
            case 0 -> a > b;
            case 1 -> a < b;
            default -> a <= b;
        };
    }

    public static int add(int a, int b, int site) {
        return at(site) == 0 ? a - b : a + b;
    }

    public static long add(long a, long b, int site) {
        return at(site) == 0 ? a - b : a + b;
    }

    public static double add(double a, double b, int site) {
        return at(site) == 0 ? a - b : a + b;
    }

    public static int sub(int a, int b, int site) {
        return at(site) == 0 ? a + b : a - b;
    }

    public static long sub(long a, long b, int site) {
        return at(site) == 0 ? a + b : a - b;
    }

    public static double sub(double a, double b, int site) {
        return at(site) == 0 ? a + b : a - b;
    }

    public static int mul(int a, int b, int site) {
        return at(site) == 0 ? a / b : a * b;
    }

    public static long mul(long a, long b, int site) {
        return at(site) == 0 ? a / b : a * b;
    }

    public static double mul(double a, double b, int site) {
        return at(site) == 0 ? a / b : a * b;
    }

    public static int div(int a, int b, int site) {
        return at(site) == 0 ? a * b : a / b;
    }

    public static long div(long a, long b, int site) {
        return at(site) == 0 ? a * b : a / b;
    }

    public static double div(double a, double b, int site) {
        return at(site) == 0 ? a * b : a / b;
    }

    public static int rem(int a, int b, int site) {
        return at(site) == 0 ? a * b : a % b;
    }

    public static long rem(long a, long b, int site) {
        return at(site) == 0 ? a * b : a % b;
    }

    public static int min(int a, int b, int site) {
        return at(site) == 0 ? Math.max(a, b) : Math.min(a, b);
    }

    public static long min(long a, long b, int site) {
        return at(site) == 0 ? Math.max(a, b) : Math.min(a, b);
    }

    public static int max(int a, int b, int site) {
        return at(site) == 0 ? Math.min(a, b) : Math.max(a, b);
    }

    public static long max(long a, long b, int site) {
        return at(site) == 0 ? Math.min(a, b) : Math.max(a, b);
    }

    public static int addExact(int a, int b, int site) {
        return at(site) == 0 ? Math.subtractExact(a, b) : Math.addExact(a, b);
    }

    public static long addExact(long a, long b, int site) {
        return at(site) == 0 ? Math.subtractExact(a, b) : Math.addExact(a, b);
    }

    public static int subtractExact(int a, int b, int site) {
        return at(site) == 0 ? Math.addExact(a, b) : Math.subtractExact(a, b);
    }

    public static long subtractExact(long a, long b, int site) {
        return at(site) == 0 ? Math.addExact(a, b) : Math.subtractExact(a, b);
    }

    /** Whether a call is left out. */
    public static boolean drop(int site) {
        return at(site) == 0;
    }

    public static boolean truth(boolean value, int site) {
        return switch (at(site)) {
            case 0 -> false;
            case 1 -> true;
            default -> value;
        };
    }

    /** For literals: only the other one is a change. */
    public static boolean not(boolean value, int site) {
        return value ^ (at(site) == 0);
    }

    public static int zero(int value, int site) {
        return at(site) == 0 ? 0 : value;
    }

    public static long zero(long value, int site) {
        return at(site) == 0 ? 0 : value;
    }

    public static double zero(double value, int site) {
        return at(site) == 0 ? 0 : value;
    }

    public static String zero(String value, int site) {
        return at(site) == 0 ? "" : value;
    }

    public static List<?> zero(List<?> value, int site) {
        return at(site) == 0 ? List.of() : value;
    }

    public static Set<?> zero(Set<?> value, int site) {
        return at(site) == 0 ? Set.of() : value;
    }

    public static Map<?, ?> zero(Map<?, ?> value, int site) {
        return at(site) == 0 ? Map.of() : value;
    }

    public static Optional<?> zero(Optional<?> value, int site) {
        return at(site) == 0 ? Optional.empty() : value;
    }

    public static int next(int value, int site) {
        return at(site) == 0 ? value + 1 : value;
    }

    public static long next(long value, int site) {
        return at(site) == 0 ? value + 1 : value;
    }

    /** What a counter is counted by. */
    public static int turned(int value, int site) {
        return at(site) == 0 ? -value : value;
    }
}

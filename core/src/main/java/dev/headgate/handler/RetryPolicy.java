package dev.headgate.handler;

import dev.headgate.internal.time.Micros;
import dev.headgate.job.RetryRule;
import dev.headgate.limit.Spans;
import java.time.Duration;
import java.util.Optional;

/**
 * How long to wait before the next attempt: {@code RetryPolicy.exponential(ofSeconds(1)).max(ofMinutes(10)).jitter(20)}.
 * Immutable.
 *
 * <p>As text, on jobs and in commands: {@code none}, {@code fixed 5s}, {@code linear 10s max 5m},
 * {@code exponential 1s x2 max 10m jitter 20%}.
 *
 * @param max no wait is longer. Default: one day
 * @param jitter by how many percent a wait may be shortened at random, so that jobs which failed together do not all
 *     come back together; 0 to 100. Default: 0
 */
public record RetryPolicy(Growth growth, Duration max, int jitter) implements RetryRule {
    private static final Duration MAX = Duration.ofDays(366); // first: the constants below are checked against it

    /** 1 s, 2 s, 4 s and so on up to 10 minutes, each shortened by up to a fifth at random. */
    public static final RetryPolicy DEFAULT =
            exponential(Duration.ofSeconds(1)).max(Duration.ofMinutes(10)).jitter(20);

    /** How waits grow from attempt to attempt. */
    public sealed interface Growth {
        /** No second attempt. */
        record None() implements Growth {}

        /** The same wait each time. */
        record Fixed(Duration delay) implements Growth {}

        /** {@code step} after the first attempt, {@code 2 × step} after the second. */
        record Linear(Duration step) implements Growth {}

        /** {@code first} after the first attempt, then {@code factor} times the one before. */
        record Exponential(Duration first, int factor) implements Growth {}
    }

    public RetryPolicy {
        switch (growth) {
            case Growth.None none -> {}
            case Growth.Fixed(Duration delay) -> checkSpan("delay", delay);
            case Growth.Linear(Duration step) -> checkSpan("step", step);
            case Growth.Exponential(Duration first, int factor) -> {
                checkSpan("first delay", first);
                if (factor < 1 || factor > 100) {
                    throw new IllegalArgumentException(
                            "retry: expected a factor from 1 to 100, got %d".formatted(factor));
                }
            }
        }
        checkSpan("max", max);
        if (jitter < 0 || jitter > 100) {
            throw new IllegalArgumentException(
                    "retry: expected a jitter from 0 to 100 percent, got %d".formatted(jitter));
        }
    }

    /** One attempt, and no other. */
    public static RetryPolicy none() {
        return of(new Growth.None());
    }

    /** The same wait before each attempt. */
    public static RetryPolicy fixed(Duration delay) {
        return of(new Growth.Fixed(delay));
    }

    /** One step after the first attempt, two steps after the second, and so on. */
    public static RetryPolicy linear(Duration step) {
        return of(new Growth.Linear(step));
    }

    /** Doubles each time. */
    public static RetryPolicy exponential(Duration first) {
        return exponential(first, 2);
    }

    /** Each wait is {@code factor} times the one before, 1 to 100. */
    public static RetryPolicy exponential(Duration first, int factor) {
        return of(new Growth.Exponential(first, factor));
    }

    private static RetryPolicy of(Growth growth) {
        return new RetryPolicy(growth, Duration.ofDays(1), 0);
    }

    /** No wait is longer than this. Default: one day. */
    public RetryPolicy max(Duration longest) {
        return new RetryPolicy(growth, longest, jitter);
    }

    /** By how many percent a wait may be shortened at random, 0 to 100. Default: 0. */
    public RetryPolicy jitter(int percent) {
        return new RetryPolicy(growth, max, percent);
    }

    /**
     * The wait after this attempt failed, absent if there should be no other.
     *
     * @param attempt which attempt failed, from 1
     * @param random any number, evenly spread; decides the jitter
     */
    public Optional<Duration> delay(int attempt, long random) {
        long failures = Math.max(1, attempt);
        long longest = Micros.of(max);
        long wait =
                switch (growth) {
                    case Growth.None none -> -1;
                    case Growth.Fixed(Duration delay) -> Micros.of(delay);
                    case Growth.Linear(Duration step) -> times(Micros.of(step), failures, longest);
                    case Growth.Exponential(Duration first, int factor) ->
                        grown(Micros.of(first), factor, failures, longest);
                };
        if (wait < 0) {
            return Optional.empty();
        }
        long capped = Math.min(wait, longest);
        long share = capped / 100 * jitter + capped % 100 * jitter / 100;
        return Optional.of(Micros.duration(capped - Math.floorMod(random, share + 1)));
    }

    private static long grown(long first, int factor, long failures, long longest) {
        long wait = first;
        for (long i = 1; i < failures && wait < longest && factor > 1 && wait > 0; i++) {
            wait = times(wait, factor, longest);
        }
        return wait;
    }

    private static long times(long span, long count, long longest) {
        return span > longest / count ? longest : span * count;
    }

    /** The form that {@link #parse} reads back. */
    @Override
    public String text() {
        return RetryText.text(this);
    }

    /** Reads back what {@link #text} wrote, and the forms above. */
    public static RetryPolicy parse(String text) {
        return RetryText.parse(text);
    }

    private static void checkSpan(String what, Duration span) {
        if (span.isNegative() || span.compareTo(MAX) > 0) {
            throw new IllegalArgumentException(
                    "retry: expected a %s from 0 to %s, got %s".formatted(what, Spans.text(MAX), span));
        }
    }

    @Override
    public String toString() {
        return text();
    }
}

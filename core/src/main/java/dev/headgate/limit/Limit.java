package dev.headgate.limit;

import java.time.Duration;
import java.util.List;

/**
 * One rule of a gate or queue. Combine several on one gate, and several gates on one job: a start must satisfy all.
 *
 * <pre>{@code
 * concurrency(3)                                  // at most 3 at once
 * budget(100)                                     // at most 100 units of cost at once
 * adaptive(1, 20)                                 // between 1 and 20 at once, found by success and rejection
 * rate(20).per(Duration.ofSeconds(1)).burst(5)    // token bucket: 20 starts a second, up to 5 together
 * window(50).per(Duration.ofMinutes(1))           // at most 50 starts in any minute
 * window(90_000).per(Duration.ofMinutes(1)).byCost() // at most 90,000 units of cost in any minute, such as tokens
 * window(20).per(Duration.ofSeconds(1)).margin(Margin.END) // the same for calls, until their handlers have ended
 * spaced(10).per(Duration.ofSeconds(10))          // starts at least a second apart
 * delay(Duration.ofMillis(100))                   // the same, as a distance
 * quota(1000).perDay(ZoneId.of("Europe/Berlin"))  // 1000 starts between two midnights in Berlin
 * }</pre>
 *
 * <p>As text, in commands and in the store: {@code concurrency 3}, {@code budget 100}, {@code adaptive 1..20},
 * {@code rate 20/1s burst 5}, {@code window 50/1m}, {@code window 90000/1m by-cost}, {@code window 20/1s margin end},
 * {@code spaced 10/10s}, {@code delay 100ms}, {@code quota 1000/day Europe/Berlin}.
 *
 * <p>A limit over time counts a start until its call has been made, see {@link Margin}.
 */
public sealed interface Limit permits Concurrency, Budget, Adaptive, Rate, Window, Spaced, Quota {
    /** The largest count of any limit. */
    long COUNT_MAX = 1_000_000_000_000L;

    /** Reads one limit; {@link #text} writes it. */
    static Limit parse(String text) {
        return LimitText.parse(text);
    }

    /** Reads limits joined by semicolons. */
    static List<Limit> parseAll(String text) {
        return LimitText.parseAll(text);
    }

    /** These limits joined by semicolons. */
    static String textOf(List<Limit> limits) {
        return LimitText.text(limits);
    }

    /** At most {@code max} leases at any instant. */
    static Concurrency concurrency(long max) {
        return new Concurrency(max);
    }

    /** At most {@code units} of job cost in leases at any instant. */
    static Budget budget(long units) {
        return new Budget(units);
    }

    /** A concurrency that grows with success and is halved by a rejection, between these bounds. */
    static Adaptive adaptive(long min, long max) {
        return new Adaptive(min, max);
    }

    /** Starts a token bucket: {@code rate(100).per(Duration.ofMinutes(1))}. */
    static Rate.PerStage rate(long count) {
        return new Rate.PerStage(count);
    }

    /** Starts a sliding window: {@code window(50).per(Duration.ofMinutes(1))}. */
    static Window.PerStage window(long count) {
        return new Window.PerStage(count);
    }

    /** Starts an even spacing: {@code spaced(10).per(Duration.ofSeconds(10))}. */
    static Spaced.PerStage spaced(long count) {
        return new Spaced.PerStage(count);
    }

    /** Two starts are at least {@code between} apart. */
    static Spaced delay(Duration between) {
        return new Spaced(1, between, false);
    }

    /** Starts a quota of a calendar period: {@code quota(1000).perDay(ZoneId.of("Europe/Berlin"))}. */
    static Quota.PerStage quota(long count) {
        return new Quota.PerStage(count);
    }

    /**
     * Where the limit counts: kind, period and unit, never the count itself, so that a changed count keeps what was
     * used. A policy has at most one limit of each key, except that it may keep several distances.
     */
    String key();

    /** The same among all limits of a policy, where it is unique: of several distances each has a key of its own. */
    default String key(List<Limit> policy) {
        return key();
    }

    /** How long a start of it may take until its call; {@link Margin#NONE} for a limit that time does not open. */
    default Margin margin() {
        return Margin.NONE;
    }

    /** The same limit with another margin; itself if it has none. */
    default Limit margin(Margin other) {
        return this;
    }

    /** To which span an automatic margin may grow: that costs a third of the limit at most. */
    default long stretchedMicros() {
        return marginMicros();
    }

    /**
     * The margin that would leave a tenth of the limit, in microseconds; no bound if any margin leaves more, or if that
     * depends on the jobs.
     */
    default long longestMarginMicros() {
        return Margin.OPEN;
    }

    /**
     * The span of its margin in microseconds, set or automatic: 0 if none, {@link Margin#OPEN} until the handler has
     * ended.
     */
    default long marginMicros() {
        return 0;
    }

    /** Whether a limit over time counts units of cost instead of starts. */
    default boolean isByCost() {
        return false;
    }

    /** Whether time alone opens it again, without a release. */
    boolean isTimed();

    /** Whether a release may have to come before it opens. */
    default boolean opensByRelease() {
        return !isTimed() || marginMicros() == Margin.OPEN;
    }

    /**
     * As stored: always with its margin, so that a version without margins cannot read it and stops, instead of
     * ignoring the margin.
     */
    default String stored() {
        return margin().equals(Margin.AUTO) && marginMicros() > 0 ? text() + " margin auto" : text();
    }

    /** The canonical text form, which {@link #parse} reads back. */
    String text();
}

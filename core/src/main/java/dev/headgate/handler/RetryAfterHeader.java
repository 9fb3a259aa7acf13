package dev.headgate.handler;

import dev.headgate.internal.time.WallClock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads how long a server asks to be left alone: the {@code Retry-After} of an answer with status 429 or 503, as seconds
 * or as a date. Any HTTP client will do; {@link RetryLater#honouring} takes the JDK's.
 */
public final class RetryAfterHeader {
    /**
     * The longest wait that a header is believed: a server that says more is more likely mistaken than closed, and if it is closed,
     * its next answer tells again. What a handler says itself, by {@link RetryLater#pushedBack}, is believed for 366 days.
     */
    public static final Duration WAIT_MAX = Duration.ofDays(1);

    static final int TOO_MANY_REQUESTS = 429;
    private static final int UNAVAILABLE = 503;
    private static final int SECONDS_DIGITS_MAX = 9;

    private RetryAfterHeader() {}

    /**
     * The wait, at most {@link #WAIT_MAX}; absent if the status is another, or the header is missing or unreadable. A
     * date is counted from the answer's own {@code Date}, so that the two clocks need not agree; only an answer without
     * one is held against the clock of this machine.
     *
     * @param header finds the value of a header by its name in lower case
     */
    public static Optional<Duration> of(int status, Function<String, Optional<String>> header) {
        if (status != TOO_MANY_REQUESTS && status != UNAVAILABLE) {
            return Optional.empty();
        }
        return header.apply("retry-after")
                .map(String::strip)
                .flatMap(text -> isDigits(text) ? Optional.of(seconds(text)) : until(text, header.apply("date")))
                .map(wait -> wait.compareTo(WAIT_MAX) > 0 ? WAIT_MAX : wait);
    }

    private static boolean isDigits(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static Duration seconds(String digits) {
        return digits.length() > SECONDS_DIGITS_MAX ? WAIT_MAX : Duration.ofSeconds(Long.parseLong(digits));
    }

    private static Optional<Duration> until(String text, Optional<String> sent) {
        Instant now = sent.flatMap(RetryAfterHeader::date).orElseGet(RetryAfterHeader::now);
        return date(text).map(then -> then.isBefore(now) ? Duration.ZERO : Duration.between(now, then));
    }

    private static Optional<Instant> date(String text) {
        try {
            return Optional.of(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text.strip(), Instant::from));
        } catch (DateTimeException unreadable) {
            return Optional.empty();
        }
    }

    private static Instant now() {
        return Instant.EPOCH.plus(Duration.ofMillis(WallClock.micros() / 1_000));
    }
}

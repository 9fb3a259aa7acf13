package dev.headgate.handler;

import dev.headgate.limit.Hold;
import dev.headgate.limit.Spans;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a handler that knows when to try again, such as after a {@code Retry-After} header:
 * {@code throw RetryLater.after(ofSeconds(30), "rate limited")}. Counts as an attempt; on the last one the job fails.
 * After {@link #pushedBack} it does not: then the gate waits, and the job with it.
 */
public final class RetryLater extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final Duration DELAY_MAX = Duration.ofDays(3_660);
    private static final Instant INSTANT_MAX = Instant.parse("9999-01-01T00:00:00Z");

    private final When when;

    /** When to try again. */
    public sealed interface When {
        record After(Duration delay) implements When {}

        record At(Instant instant) implements When {}

        /** When the gate or queue that has pushed back opens again. Uses up no attempt. */
        record Reopened(String gate, @Nullable Duration retryAfter) implements When {}

        /** When the worker's own limiter opens again, or another worker is free. Uses up no attempt. */
        record LimiterReopened(@Nullable Duration retryAfter) implements When {}
    }

    private RetryLater(When when, String why, @Nullable Throwable cause) {
        super(why, cause);
        this.when = when;
    }

    /** Counted in store time from the end of this attempt. */
    public static RetryLater after(Duration delay, String why) {
        if (delay.isNegative() || delay.compareTo(DELAY_MAX) > 0) {
            throw new IllegalArgumentException(
                    "retry: expected a delay from zero to %s, got %s".formatted(DELAY_MAX, delay));
        }
        return new RetryLater(new When.After(delay), why, null);
    }

    /** The same without a reason. */
    public static RetryLater after(Duration delay) {
        return after(delay, "asked to be run again after " + delay);
    }

    /** Runs the job again at an instant of store time; one that is past means at once. */
    public static RetryLater at(Instant instant, String why) {
        if (instant.isBefore(Instant.EPOCH) || instant.isAfter(INSTANT_MAX)) {
            throw new IllegalArgumentException(
                    "retry: expected an instant from %s to %s, got %s".formatted(Instant.EPOCH, INSTANT_MAX, instant));
        }
        return new RetryLater(new When.At(instant), why, null);
    }

    /** The same without a reason. */
    public static RetryLater at(Instant instant) {
        return at(instant, "asked to be run again at " + instant);
    }

    /**
     * What an answer with status 429 or 503 and a {@code Retry-After} asks for; absent for every other answer:
     * {@code var later = RetryLater.honouring(response); if (later.isPresent()) throw later.get();}
     * The header is believed for a day at most, {@link RetryAfterHeader#WAIT_MAX}; then the next answer tells again.
     */
    public static Optional<RetryLater> honouring(HttpResponse<?> response) {
        return RetryAfterHeader.of(response.statusCode(), response.headers()::firstValue)
                .map(wait ->
                        after(wait, "status %d, asked to come back after %s".formatted(response.statusCode(), wait)));
    }

    /**
     * The same for a job whose gate stands for that server: an answer with status 429, or 503 and a {@code Retry-After},
     * shuts the gate for every worker, and the job goes back without having used up an attempt. The header is believed for a day
     * at most, where {@link #pushedBack} takes a wait of up to 366 days.
     */
    public static Optional<RetryLater> honouring(String gate, HttpResponse<?> response) {
        Optional<Duration> wait = RetryAfterHeader.of(response.statusCode(), response.headers()::firstValue);
        return wait.isPresent() || response.statusCode() == RetryAfterHeader.TOO_MANY_REQUESTS
                ? Optional.of(pushedBack(gate, wait.orElse(null)))
                : Optional.empty();
    }

    /**
     * A gate or queue has pushed back. It shuts for every worker, and the job runs again when it opens, without having used up
     * an attempt. {@link JobContext#pushedBack} does this at once, this when it is thrown.
     *
     * <p>The name is looked for among the gates of the job, then it may be the queue of the job, another gate, another queue. A job
     * that does not pass what it names waits for as long as that is shut. A name that nothing has shuts nothing: the job waits
     * as long as it was told, at least a second, and says so; if it was told nothing, the attempt fails.
     *
     * @param retryAfter how long the service asks to be left alone; null if it did not say. Less than zero, such as a date
     *     that is past, is zero; more than 366 days is 366 days
     */
    public static RetryLater pushedBack(String gate, @Nullable Duration retryAfter) {
        Duration told = retryAfter == null ? Duration.ZERO : Hold.bounded(retryAfter);
        String wait = told.isZero() ? "" : ", asks to be left alone for " + Spans.text(told);
        return pushedBack(gate, retryAfter, "'%s' pushed back%s".formatted(gate, wait));
    }

    /** The same with a reason, which the hold of the gate and the log of the job show. */
    public static RetryLater pushedBack(String gate, @Nullable Duration retryAfter, String why) {
        Duration wait = retryAfter == null ? null : Hold.bounded(retryAfter);
        return new RetryLater(new When.Reopened(gate, wait), why, null);
    }

    /**
     * What the limiter of the job's worker stands for has pushed back, such as a device of this machine; see
     * {@link JobContext#limiterPushedBack}, which does this at once.
     *
     * @param retryAfter how long to leave it alone; null if that is not known
     */
    public static RetryLater limiterPushedBack(@Nullable Duration retryAfter) {
        Duration wait = retryAfter == null ? null : Hold.bounded(retryAfter);
        String told = wait == null || wait.isZero() ? "" : ", asks to be left alone for " + Spans.text(wait);
        return new RetryLater(new When.LimiterReopened(wait), "the limiter of its worker was pushed back" + told, null);
    }

    /** The same with what led to it. */
    public RetryLater because(Throwable cause) {
        return new RetryLater(when, String.valueOf(getMessage()), cause);
    }

    /** When the job is to run again. */
    public When when() {
        return when;
    }
}

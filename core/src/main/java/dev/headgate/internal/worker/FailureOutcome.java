package dev.headgate.internal.worker;

import dev.headgate.handler.PermanentFailure;
import dev.headgate.handler.RetryLater;
import dev.headgate.handler.RetryPolicy;
import dev.headgate.handler.TooLate;
import dev.headgate.internal.operate.HoldStore;
import dev.headgate.job.Outcome;
import dev.headgate.limit.BackOff;
import dev.headgate.limit.Spans;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what an exception means for its job. No side effect but a log line about a retry policy that cannot be read.
 */
final class FailureOutcome {
    private static final Logger log = LoggerFactory.getLogger(FailureOutcome.class);

    private FailureOutcome() {}

    /**
     * The outcome of an attempt that threw.
     *
     * @param random decides the jitter of the wait
     */
    static Outcome of(RunningJob run, Throwable error, long random) {
        StopReason stop = run.stopReason();
        if (stop == StopReason.CANCELLED) {
            return new Outcome.Cancelled("cancelled while it ran");
        }
        TooLate late = run.callTime().tooLateIn(error);
        if (late != null) {
            return new Outcome.Late(late.lag());
        }
        return switch (error) {
            case PermanentFailure permanent -> new Outcome.Failed(ErrorText.of(permanent));
            case RetryLater later -> later(run, later, random);
            default -> stop == null ? retry(run, ErrorText.of(error), random) : stopped(run, stop, error, random);
        };
    }

    private static Outcome later(RunningJob run, RetryLater later, long random) {
        String error = ErrorText.of(later);
        return switch (later.when()) {
            case RetryLater.When.Reopened(String gate, Duration retryAfter) ->
                new Outcome.PushedBack(
                        gate,
                        retryAfter,
                        (int) Math.floorMod(random, (long) BackOff.JITTER_FULL),
                        firstLine(String.valueOf(later.getMessage())));
            case RetryLater.When.LimiterReopened(Duration retryAfter) ->
                limiterReopened(run, retryAfter, later, random);
            case RetryLater.When.After(var delay) ->
                isLast(run) ? new Outcome.Failed(error) : new Outcome.RetryAfter(delay, error);
            case RetryLater.When.At(var instant) ->
                isLast(run) ? new Outcome.Failed(error) : new Outcome.RetryAt(instant, error);
        };
    }

    private static Outcome limiterReopened(
            RunningJob run, @Nullable Duration retryAfter, RetryLater later, long random) {
        if (run.hasLimiter()) {
            return new Outcome.HandedBack();
        }
        String error = ErrorText.cut(
                "%s; its worker has no limiter, so nothing was shut: give it one, worker.limiter(…), or name a gate, job.pushedBack(\"NAME\", …)\n%s"
                        .formatted(later.getMessage(), ErrorText.of(later)));
        log.warn("{}: {}", run, firstLine(error));
        if (retryAfter == null) {
            return retry(run, error, random);
        }
        return isLast(run) ? new Outcome.Failed(error) : new Outcome.RetryAfter(retryAfter, error);
    }

    /**
     * What a push-back means for a job that does not pass the gate that pushed back.
     *
     * @param shut what became of that gate
     */
    static Outcome pushedBackElsewhere(
            RunningJob run, Outcome.PushedBack pushed, HoldStore.PushedBack shut, long random) {
        if (shut.isHeld() || shut.isGone()) {
            return new Outcome.PushedBack(pushed.gate(), shut.span(), pushed.jitter(), pushed.reason());
        }
        String told =
                "%s; no gate or queue has the name '%s', so nothing was shut".formatted(pushed.reason(), pushed.gate());
        log.warn("{}: {}", run, told);
        return pushed.retryAfter() == null
                ? retry(run, told, random)
                : new Outcome.PushedBack(pushed.gate(), pushed.retryAfter(), pushed.jitter(), told);
    }

    private static String firstLine(String text) {
        int end = text.indexOf('\n');
        return end < 0 ? text : text.substring(0, end);
    }

    private static Outcome stopped(RunningJob run, StopReason stop, Throwable error, long random) {
        return switch (stop) {
            case SHUTDOWN, LOST -> new Outcome.HandedBack();
            case LEASE_ENDING ->
                new Outcome.HandedBack("no heartbeat reached the store for three quarters of the lease");
            case TIMED_OUT ->
                retry(run, "timed out after %s\n%s".formatted(timeoutText(run), ErrorText.of(error)), random);
            case PAST_DEADLINE ->
                new Outcome.Failed(ErrorText.cut("its deadline %s passed while it ran\n%s"
                        .formatted(run.row().spec().tries().deadline(), ErrorText.of(error))));
            case CANCELLED -> new Outcome.Cancelled("cancelled while it ran");
        };
    }

    private static String timeoutText(RunningJob run) {
        Duration timeout = timeoutOf(run);
        return timeout == null ? "its time" : Spans.text(timeout);
    }

    /** The job's own timeout, or its handler's. */
    static @Nullable Duration timeoutOf(RunningJob run) {
        Duration own = run.row().spec().tries().timeout();
        return own == null ? run.handler().options().timeout() : own;
    }

    private static Outcome retry(RunningJob run, String error, long random) {
        String stored = ErrorText.cut(error);
        if (isLast(run)) {
            return new Outcome.Failed(stored);
        }
        Optional<Duration> delay = policyOf(run).delay(run.attempt(), random);
        return delay.isPresent() ? new Outcome.RetryAfter(delay.get(), stored) : new Outcome.Failed(stored);
    }

    private static boolean isLast(RunningJob run) {
        return run.attempt() >= run.attemptsMax();
    }

    private static RetryPolicy policyOf(RunningJob run) {
        String own = run.row().spec().tries().retry();
        if (own != null) {
            try {
                return RetryPolicy.parse(own);
            } catch (IllegalArgumentException unreadable) {
                log.warn("{}: its own retry policy is unreadable; its handler's is used", run, unreadable);
            }
        }
        return run.handler().options().retry();
    }
}

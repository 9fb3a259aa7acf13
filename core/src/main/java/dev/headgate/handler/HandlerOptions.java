package dev.headgate.handler;

import dev.headgate.resource.Needs;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How often, how long and with which resources a handler runs its jobs: {@code HandlerOptions.DEFAULT.attempts(3).timeout(ofSeconds(20))}. Immutable.
 *
 * @param attempts the most attempts a job gets here; a job fails after these or its own, whichever are fewer. Default:
 *     its own alone (10 unless it was enqueued with another number)
 * @param retry when to try again, for jobs that bring no policy of their own. Default: {@link RetryPolicy#DEFAULT}
 * @param timeout how long an attempt may run, for jobs that bring none of their own. Default: absent, for ever
 * @param needs what an attempt takes of the machine; a worker starts it only where that is free. Default: what earlier
 *     runs have shown, if the worker minds its room at all
 * @param expected how long an attempt usually takes, for workers whose time is limited. Default: absent, what earlier runs
 *     have shown
 */
public record HandlerOptions(
        int attempts,
        RetryPolicy retry,
        @Nullable Duration timeout,
        Needs needs,
        @Nullable Duration expected) {
    public static final HandlerOptions DEFAULT =
            new HandlerOptions(Integer.MAX_VALUE, RetryPolicy.DEFAULT, null, Needs.NONE, null);

    public HandlerOptions {
        if (attempts < 1) {
            throw new IllegalArgumentException("attempts: expected at least 1, got %d".formatted(attempts));
        }
        if (timeout != null && (timeout.isNegative() || timeout.isZero())) {
            throw new IllegalArgumentException(
                    "timeout: expected a positive duration, got %s; leave it out for none".formatted(timeout));
        }
        if (expected != null && (expected.isNegative() || expected.isZero())) {
            throw new IllegalArgumentException(
                    "expected: expected a positive duration, got %s; leave it out if it is not known"
                            .formatted(expected));
        }
    }

    /** The most attempts of a job here. Default: what the job was enqueued with, which is 10 if nothing was said. */
    public HandlerOptions attempts(int most) {
        return new HandlerOptions(most, retry, timeout, needs, expected);
    }

    /** When to try again, for jobs that bring no policy of their own. Default: {@link RetryPolicy#DEFAULT}. */
    public HandlerOptions retry(RetryPolicy policy) {
        return new HandlerOptions(attempts, policy, timeout, needs, expected);
    }

    /** How long an attempt may run before its handler is interrupted, for jobs that bring no timeout. Default: for ever. */
    public HandlerOptions timeout(Duration perAttempt) {
        return new HandlerOptions(attempts, retry, perAttempt, needs, expected);
    }

    /** {@code needs(Needs.memory(mb(256)).and("gpu", 1))}. */
    public HandlerOptions needs(Needs ofOneAttempt) {
        return new HandlerOptions(attempts, retry, timeout, ofOneAttempt, expected);
    }

    /** How long an attempt usually takes, for workers whose time is limited. Default: what earlier runs have shown. */
    public HandlerOptions expected(Duration usually) {
        return new HandlerOptions(attempts, retry, timeout, needs, usually);
    }
}

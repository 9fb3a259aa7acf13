package dev.headgate.job;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How one attempt ended, as its worker reports it. The store accepts it only from the holder of the current lease. */
public sealed interface Outcome {
    /** Done; the result is JSON text. */
    record Succeeded(@Nullable String result) implements Outcome {}

    /** Failed for good: no attempt is left, or trying again makes no sense. */
    record Failed(String error) implements Outcome {}

    /** Try again after a delay. Without delay the job keeps its places at its gates and starts again at once. */
    record RetryAfter(Duration delay, String error) implements Outcome {}

    /** Try again at an instant. */
    record RetryAt(Instant at, String error) implements Outcome {}

    /** Stopped because it was cancelled. */
    record Cancelled(String reason) implements Outcome {}

    /**
     * Not run to its end through no fault of its own; the attempt is given back.
     *
     * @param trouble what is wrong with the worker that gives it back; absent if nothing is (it stops, or starts fewer jobs).
     *     Returns with trouble are counted: after each in a row the job waits longer, and at last it fails
     */
    record HandedBack(@Nullable String trouble) implements Outcome {
        /** By a worker that has no trouble. */
        public HandedBack() {
            this(null);
        }
    }

    /**
     * Not run at all: its handler was reached too late for a call that its limits would still count where it happens. It
     * goes back to its place, its attempt and all that its start took are given back.
     *
     * @param lag how long after the grant its handler was reached
     */
    record Late(Duration lag) implements Outcome {}

    /**
     * What lies behind one of its gates, or behind its queue, pushed back, as with a 429. That shuts for every worker; the job
     * keeps its place and its attempt. If it is something that the job does not pass, the job waits that long instead.
     *
     * @param gate the name of the gate or queue
     * @param retryAfter how long it was told to wait; absent if it was not told
     * @param jitter stretches a back-off of the gate's own, see {@code BackOff}
     */
    record PushedBack(String gate, @Nullable Duration retryAfter, int jitter, String reason) implements Outcome {}

    /** Cannot be run by this worker's code; set aside with the reason, without burning an attempt. */
    record Parked(ParkReason reason, String detail) implements Outcome {}
}

package dev.headgate.run;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a run or a part of it.
 *
 * @param part the run itself, or the branch, item or child run it happened to
 * @param number counts the events of this part, from 1
 * @param step where it stood or went
 * @param detail why, for people
 * @param state the state it entered the step with, as JSON; only of events that enter a step
 */
public record RunEvent(
        RunId part,
        long number,
        Instant at,
        Kind kind,
        @Nullable String step,
        @Nullable String detail,
        @Nullable String state) {

    /** What happened. */
    public enum Kind {
        STARTED,
        ENTERED,
        /** Entered a step on the way to a bad end. */
        UNWINDING,
        STEP_FAILED,
        SIGNALLED,
        /** A state machine was sent what no transition takes; says why. */
        IGNORED,
        /** A timer has run out: of a machine's state, or of a wait for a signal that goes on without one. */
        TIMED,
        JOINED,
        WARNED,
        BUDGET_EXCEEDED,
        TOPPED_UP,
        PAUSED,
        RESUMED,
        RETRIED,
        REWOUND,
        CANCEL_REQUESTED,
        SUCCEEDED,
        FAILED,
        CANCELLED
    }
}

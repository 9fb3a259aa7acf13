package dev.headgate.job;

import java.util.EnumSet;
import java.util.Set;

/** Where a job stands. The edges below are the only legal ones; the schema's CHECK constraints mirror the names. */
public enum JobState {
    /** Not due yet: a delay, an instant, or the back-off of a retry. */
    SCHEDULED,
    /** In its lane, waiting to be admitted. */
    QUEUED,
    /** Leased to one worker. */
    RUNNING,
    /** Set aside with a reason (unknown handler, unreadable payload, never fits); an operator or a fit worker revives it. */
    PARKED,
    /** Ended well; its result is in history. */
    SUCCEEDED,
    /** Ended for good after its last attempt, a permanent failure or its deadline. Can be redriven. */
    FAILED,
    /** Ended by request. Can be retried by hand. */
    CANCELLED;

    private static final Set<JobState> TERMINAL = EnumSet.of(SUCCEEDED, FAILED, CANCELLED);
    private static final Set<JobState> WAITING = EnumSet.of(SCHEDULED, QUEUED, PARKED);

    public boolean isTerminal() {
        return TERMINAL.contains(this);
    }

    /** Live, but nobody runs it. */
    public boolean isWaiting() {
        return WAITING.contains(this);
    }

    /** The whole state machine: who may follow whom. */
    public boolean mayBecome(JobState next) {
        return switch (this) {
            case SCHEDULED, PARKED -> next == QUEUED || next == SCHEDULED || next == FAILED || next == CANCELLED;
            case QUEUED -> next != SUCCEEDED && next != QUEUED;
            case RUNNING -> true; // RUNNING to RUNNING is the immediate retry: a new lease, a higher epoch
            case FAILED, CANCELLED -> next == QUEUED;
            case SUCCEEDED -> false;
        };
    }
}

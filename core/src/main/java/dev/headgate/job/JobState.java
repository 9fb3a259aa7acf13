package dev.headgate.job;

import java.util.EnumSet;
import java.util.Set;

/** Where a job stands. The edges below are the only legal ones; the schema's CHECK constraints mirror the names. */
public enum JobState {
    /** Waits for other jobs to end; in no lane, so claims do not see it. */
    AWAITING,
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
    private static final Set<JobState> WAITING = EnumSet.of(AWAITING, SCHEDULED, QUEUED, PARKED);

    /** Whether the job has ended: it succeeded, failed or was cancelled. */
    public boolean isTerminal() {
        return TERMINAL.contains(this);
    }

    /** Whether the job is live and not running. */
    public boolean isWaiting() {
        return WAITING.contains(this);
    }

    /** Whether the state machine has an edge from this state to that one. */
    public boolean mayBecome(JobState next) {
        return switch (this) {
            case AWAITING ->
                next == AWAITING || next == QUEUED || next == SCHEDULED || next == FAILED || next == CANCELLED;
            case SCHEDULED, PARKED -> next == QUEUED || next == SCHEDULED || next == FAILED || next == CANCELLED;
            case QUEUED -> next != SUCCEEDED && next != QUEUED && next != AWAITING;
            case RUNNING -> next != AWAITING; // RUNNING to RUNNING is the immediate retry: a new lease, a higher epoch
            case FAILED, CANCELLED -> next == QUEUED || next == AWAITING;
            case SUCCEEDED -> false;
        };
    }
}

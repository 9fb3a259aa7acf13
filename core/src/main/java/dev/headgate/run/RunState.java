package dev.headgate.run;

import java.util.EnumSet;
import java.util.Set;

/** Where a run, or a part of one, stands. */
public enum RunState {
    /** A job of it waits or runs; {@link RunStatus.Position#work} says which. */
    RUNNING,
    /** Sleeps until an instant. Holds nothing meanwhile. */
    SLEEPING,
    /** Waits for a signal or an approval. Holds nothing meanwhile. */
    AWAITING,
    /** Waits for its branches, items or child runs. Holds nothing meanwhile. */
    JOINING,
    /** Paused by hand: nothing of it starts until it is resumed. */
    PAUSED,
    /** Stopped before work that its budget does not cover; goes on when the budget is topped up and it is resumed. */
    BUDGET_EXCEEDED,
    /** Was cancelled and has not ended: its compensations and {@code onCancel} wait or run. It takes no signals. */
    CANCELLING,
    /** Ended well; its last state is its result. */
    SUCCEEDED,
    /** Ended because a step failed for good. */
    FAILED,
    /** Ended by request, or because the run that waited for it no longer needs it. */
    CANCELLED;

    private static final Set<RunState> TERMINAL = EnumSet.of(SUCCEEDED, FAILED, CANCELLED);

    /** Whether the run has ended: it succeeded, failed or was cancelled. */
    public boolean isTerminal() {
        return TERMINAL.contains(this);
    }
}

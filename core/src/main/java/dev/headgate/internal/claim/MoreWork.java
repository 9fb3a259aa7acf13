package dev.headgate.internal.claim;

import java.util.EnumSet;
import java.util.Set;

/** Why another turn right after this one may find more to start: then the worker does not sleep. */
final class MoreWork {
    enum Reason {
        /** More doorbells or due jobs are there than one turn takes. */
        ARRIVALS_LEFT,
        /** More lines are due than one turn looks at. */
        LINES_LEFT,
        /** A doorbell was rung again, because another transaction has locked its lane or one of its gates. */
        RUNG_AGAIN,
        /** A woken lane was empty, so the lanes behind it in its line were not woken. */
        WOKE_EMPTY_LANE,
        /** All jobs that were read of a lane are parked now; others may stand behind them. */
        ONLY_PARKED_READ,
        /** Jobs were parked or ended instead of started. */
        PARKED,
        /** A job went back to its lane and rang a doorbell. */
        GIVEN_BACK,
        /** A workflow run has moved on. */
        RUN_MOVED,
        /** A job that waited for another one came into its lane. */
        FREED,
        /** More queues that a pattern covers have work than one turn looks at. */
        QUEUES_LEFT,
        /** Lanes or jobs that could start were not judged. */
        NOT_JUDGED
    }

    private final Set<Reason> reasons = EnumSet.noneOf(Reason.class);

    void addIf(boolean isSo, Reason reason) {
        if (isSo) {
            reasons.add(reason);
        }
    }

    boolean isAny() {
        return !reasons.isEmpty();
    }

    @Override
    public String toString() {
        return reasons.toString();
    }
}

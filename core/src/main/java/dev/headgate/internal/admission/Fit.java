package dev.headgate.internal.admission;

import dev.headgate.internal.admission.ClaimPlan.Head;

/**
 * What the worker that claims has room for, as it was when it asked. Gates say whether a job may start at all; this says
 * whether it may start here. What does not fit is passed over: it costs no lease, no attempt and no place in line, and
 * another worker may take it.
 */
public interface Fit {
    /** Room for everything, asked at no cost. */
    Fit ALWAYS = new Fit() {
        private final Trial all = head -> true;

        @Override
        public Trial trial() {
            return all;
        }

        @Override
        public int sight() {
            return 0;
        }

        @Override
        public boolean hasPassed(long job) {
            return false;
        }

        @Override
        public boolean hasPassedLane(String lane) {
            return false;
        }
    };

    /** The same room anew, for one plan: a transaction that is run again must not find it half taken. */
    Trial trial();

    /** How many more jobs and lanes to look at than there are slots, because so many may be passed over. */
    int sight();

    /** Whether this job was passed over before, so that others know already that it is left for them. */
    boolean hasPassed(long job);

    /** Whether the head of this lane was passed over before; a gate's line must not wait for it. */
    boolean hasPassedLane(String lane);

    /** The room while one claim is planned. */
    interface Trial {
        /** Takes room for this job if there is enough; what was taken is gone for those asked later. */
        boolean take(Head head);

        /**
         * The same for a start whose handler must be reached in time.
         *
         * @param margin that of the start, in microseconds; 0 if there is no hurry
         */
        default boolean take(Head head, long margin) {
            return take(head);
        }

        /**
         * Whether jobs behind this one in a lane without gates may start although this one does not fit. If not, they keep
         * their order.
         */
        default boolean mayBePassed(Head unfit) {
            return true;
        }

        /**
         * The margin of a start that was taken: at least the one that its limits ask for.
         *
         * @param margin as in {@link #take(Head, long)}
         */
        default long margin(Head head, long margin) {
            return margin;
        }
    }
}

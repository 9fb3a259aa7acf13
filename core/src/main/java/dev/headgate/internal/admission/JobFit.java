package dev.headgate.internal.admission;

import dev.headgate.internal.admission.ClaimPlan.Head;

/**
 * What the claiming worker has capacity for, as of the moment of the claim. Gates decide whether a job may start at
 * all; this decides whether it may start on this worker. A job that does not fit is passed over: that costs no lease,
 * no attempt and no place in line, and another worker may take it.
 */
public interface JobFit {
    /** Fits every job, at no cost. */
    JobFit ALWAYS = new JobFit() {
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

    /** The same capacity for one plan: a transaction that runs again must not find it partly taken. */
    Trial trial();

    /** How many jobs and lanes to read beyond the free slots, because as many may be passed over. */
    int sight();

    /** Whether this job was passed over before, so that other workers already know that it is left for them. */
    boolean hasPassed(long job);

    /** Whether the head of this lane was passed over before; a gate's line must not wait for it. */
    boolean hasPassedLane(String lane);

    /** The capacity while one claim is planned. */
    interface Trial {
        /** Takes capacity for this job if there is enough; later calls find that much less. */
        boolean take(Head head);

        /**
         * The same for a start whose handler must be reached in time.
         *
         * @param margin of the start, in microseconds; 0 if there is no bound
         */
        default boolean take(Head head, long margin) {
            return take(head);
        }

        /**
         * Whether jobs behind this one in a lane without gates may start although this one does not fit. If not, they
         * keep their order.
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

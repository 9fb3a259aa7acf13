package dev.headgate.spi;

import dev.headgate.job.Cost;
import dev.headgate.job.JobSpec.FrameRef;
import dev.headgate.run.RunState;
import org.jspecify.annotations.Nullable;

/**
 * A waiting job at or near the head of its lane.
 *
 * @param standing whether the run that it is a step of still wants it
 * @param isMore whether more of its lane may wait than were read
 */
public record HeadRow(String lane, long job, long rank, Cost cost, String type, Standing standing, boolean isMore) {
    /** What the run says of its step; a plain job is always wanted. */
    public enum Standing {
        WANTED,
        /** The run is paused, or stopped by its budget. */
        HELD,
        /** The run has ended or gone another way. */
        GONE;

        /**
         * By what is stored of the run.
         *
         * @param ref the frame that the job works for; absent for a plain job
         * @param state where the frame stands; absent if it is no longer there
         * @param revision the revision that the frame is in
         * @param isHalted its whole run is stopped
         */
        public static Standing of(@Nullable FrameRef ref, @Nullable RunState state, long revision, boolean isHalted) {
            if (ref == null || ref.revision() == FrameRef.ALWAYS) {
                return WANTED;
            }
            if (state == null || state.isTerminal() || !ref.isFor(revision)) {
                return GONE;
            }
            return isHalted || state == RunState.BUDGET_EXCEEDED ? HELD : WANTED;
        }
    }
}

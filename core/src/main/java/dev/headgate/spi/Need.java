package dev.headgate.spi;

import dev.headgate.job.JobId;
import dev.headgate.job.Unmet;

/** Something that a new job waits for. */
public sealed interface Need {
    /** What becomes of the new job if it ends otherwise than well. */
    Unmet unmet();

    /** A job that is there already. */
    record Job(JobId id, Unmet unmet) implements Need {}

    /**
     * Another job of the same enqueue.
     *
     * @param place where that one stands in the list, counted from 0; before the job that needs it
     * @param isChild whether it was made only for the job that needs it
     */
    record Mate(int place, Unmet unmet, boolean isChild) implements Need {}
}

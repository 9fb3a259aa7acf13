package dev.headgate.spi;

import dev.headgate.job.JobState;
import dev.headgate.job.ParkReason;
import dev.headgate.limit.GateKey;
import org.jspecify.annotations.Nullable;

/**
 * A job that a frame waits for, or several that stand in the same way.
 *
 * @param frame the frame; of several jobs, the root of their tree
 * @param job the job; of several, the first
 * @param runAt when it is due; of several, the earliest
 * @param worker the worker that runs it
 * @param waitingAt the gate in whose line its lane stands
 * @param jobs how many there are
 */
public record StepRow(
        long frame,
        long job,
        JobState state,
        String queue,
        String type,
        long runAt,
        @Nullable String worker,
        @Nullable ParkReason parkReason,
        @Nullable GateKey waitingAt,
        long jobs) {}

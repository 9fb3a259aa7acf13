package dev.headgate.spi;

import dev.headgate.job.JobCursor;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobSpec;
import dev.headgate.job.JobState;

/** Whether a job is one that a filter wants, by what its row says. */
public final class JobMatch {
    private JobMatch() {}

    public static boolean isWanted(JobFilter filter, JobSpec spec, JobState state) {
        return (filter.queue() == null || filter.queue().equals(spec.lane().queue()))
                && (filter.type() == null || filter.type().equals(spec.type()))
                && (filter.state() == null || filter.state() == state)
                && isAtGate(filter, spec, state);
    }

    private static boolean isAtGate(JobFilter filter, JobSpec spec, JobState state) {
        JobFilter.AtGate gate = filter.gate();
        return gate == null
                || (spec.lane().gates().contains(gate.name())
                        && switch (gate.part()) {
                            case NAMED -> true;
                            case HOLDING -> state == JobState.RUNNING;
                            case WAITING -> state == JobState.QUEUED;
                        });
    }

    /** All ids that are still to come are below this one, in a list that has the newest first. */
    public static long below(JobFilter filter) {
        JobCursor after = filter.after();
        return after == null ? Long.MAX_VALUE : after.id();
    }
}

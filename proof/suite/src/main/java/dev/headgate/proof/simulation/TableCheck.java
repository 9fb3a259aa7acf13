package dev.headgate.proof.simulation;

import dev.headgate.internal.job.JobStore;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.proof.simulation.Track.Stand;

/** I26 and I28: what a table says of a job is what the commits add up to, and nothing in it is larger than allowed. */
record TableCheck(Judge judge, JobStore jobs) {
    private static final int DETAIL_MAX = 20_000;

    void check(Track track) {
        JobStatus status = jobs.find(JobId.of(track.id));
        if (status == null) {
            if (track.stand != Stand.DELETED) {
                judge.broken("I1", "%s: no longer in any table".formatted(track));
            }
            return;
        }
        boolean isLike =
                switch (track.stand) {
                    case WAITING -> status.state().isWaiting();
                    case RUNNING -> status.state() == JobState.RUNNING;
                    case SUCCEEDED -> status.state() == JobState.SUCCEEDED;
                    case ENDED -> status.state() == JobState.FAILED || status.state() == JobState.CANCELLED;
                    case DELETED -> false;
                };
        if (!isLike || status.leases().epoch() != track.epoch || status.leases().attempt() != track.attempt) {
            judge.broken(
                    "I26",
                    "%s, attempt %d: the table says %s, epoch %d, attempt %d"
                            .formatted(
                                    track,
                                    track.attempt,
                                    status.state(),
                                    status.leases().epoch(),
                                    status.leases().attempt()));
        }
        if (status.report().detail() != null && status.report().detail().length() > DETAIL_MAX) {
            judge.broken(
                    "I28",
                    "%s: %d characters of detail"
                            .formatted(track, status.report().detail().length()));
        }
    }
}

package dev.headgate.internal.worker;

import dev.headgate.event.Event;
import dev.headgate.internal.lease.EndedLease;
import dev.headgate.job.JobId;
import dev.headgate.job.JobSpec;
import dev.headgate.job.Outcome;
import dev.headgate.spi.JobRow;
import java.util.Objects;

/** Builds the public events from jobs and outcomes. */
final class EventText {
    private EventText() {}

    static Event started(JobRow row) {
        return new Event.JobStarted(worker(row), attempt(row));
    }

    static Event ended(EndedLease ended) {
        String worker = worker(ended.lease());
        Event.JobAttempt attempt = attempt(ended.lease());
        return ended.outcome() instanceof Outcome.Late(var lag)
                ? new Event.JobLate(worker, attempt, lag)
                : new Event.JobEnded(worker, attempt, ended.outcome());
    }

    private static String worker(JobRow row) {
        return Objects.requireNonNull(row.lease().worker(), "a leased job has a worker");
    }

    private static Event.JobAttempt attempt(JobRow row) {
        JobSpec spec = row.spec();
        return new Event.JobAttempt(
                new JobId(row.id()),
                spec.type(),
                spec.lane().queue(),
                row.lease().attempt(),
                row.lease().epoch());
    }
}

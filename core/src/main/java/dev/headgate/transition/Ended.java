package dev.headgate.transition;

import dev.headgate.job.Outcome;
import dev.headgate.store.JobRow;
import dev.headgate.store.JobTable.LeaseRef;

/** A lease a worker is done with, and what came of it. */
public record Ended(JobRow lease, Outcome outcome) {
    LeaseRef ref() {
        return new LeaseRef(lease.id(), lease.epoch());
    }
}

package dev.headgate.transition;

import dev.headgate.job.Outcome;
import dev.headgate.store.JobRow;
import dev.headgate.store.JobTable.LeaseRef;
import java.util.Map;

/**
 * A lease a worker is done with, and what came of it.
 *
 * @param settled what it really took of some of its gates
 */
public record Ended(JobRow lease, Outcome outcome, Map<String, Long> settled) {
    public Ended(JobRow lease, Outcome outcome) {
        this(lease, outcome, Map.of());
    }

    LeaseRef ref() {
        return new LeaseRef(lease.id(), lease.epoch());
    }
}

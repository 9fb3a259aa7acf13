package dev.headgate.internal.lease;

import dev.headgate.internal.run.Move;
import dev.headgate.job.Outcome;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.JobTable.LeaseRef;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A lease that a worker is done with, and its outcome.
 *
 * @param settled how many units it really took of some of its gates
 * @param move where its workflow run goes from here, if it is a step of one and has succeeded
 * @param lag the time from its grant to its handler, in microseconds, also if the handler was not entered; absent if unknown
 * @param passes how often its lane was turned away before this start, if the start is given up
 */
public record EndedLease(
        JobRow lease,
        Outcome outcome,
        Map<String, Long> settled,
        @Nullable Move move,
        @Nullable Long lag,
        int passes) {
    public EndedLease(JobRow lease, Outcome outcome) {
        this(lease, outcome, Map.of());
    }

    public EndedLease(JobRow lease, Outcome outcome, Map<String, Long> settled) {
        this(lease, outcome, settled, null);
    }

    public EndedLease(JobRow lease, Outcome outcome, Map<String, Long> settled, @Nullable Move move) {
        this(lease, outcome, settled, move, null, 0);
    }

    /** The same lease with another outcome. */
    public EndedLease with(Outcome other) {
        return new EndedLease(lease, other, settled, move, lag, passes);
    }

    /** Whether the job is over: nothing of it goes back to wait once more. */
    public boolean isFinal() {
        return switch (outcome) {
            case Outcome.Succeeded done -> true;
            case Outcome.Failed failed -> true;
            case Outcome.Cancelled cancelled -> true;
            default -> false;
        };
    }

    public List<GateKey> gateKeys() {
        return GateKey.gatesOf(lease.spec().lane());
    }

    public LeaseRef ref() {
        return new LeaseRef(lease.id(), lease.lease().epoch());
    }
}

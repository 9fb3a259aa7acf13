package dev.headgate.internal.recovery;

import dev.headgate.job.Attempt;
import dev.headgate.spi.JobTable.LeaseRef;
import dev.headgate.spi.StoreTransaction;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Takes losses back: a worker that counted as lost, and whose jobs other workers have by now, is alive. So none of its jobs
 * took it down: the loss does not count against them and the attempt is given back. It is noted as trouble of the worker, and
 * {@link WorkerTrouble} bounds that. A job that has ended since stays ended.
 */
public final class LossReversal {
    private LossReversal() {}

    /** Returns how many live jobs it took a loss from. */
    public static int run(StoreTransaction tx, String worker, Collection<LeaseRef> leases) {
        List<Long> all = leases.stream().map(LeaseRef::job).distinct().toList();
        Map<Long, List<Attempt>> past = WorkerTrouble.past(tx, all);
        Map<Long, Integer> lost = new HashMap<>();
        tx.jobs()
                .findAll(past.keySet())
                .forEach(job -> lost.put(job.id(), job.lease().lost()));
        List<LeaseRef> counted = leases.stream()
                .distinct()
                .filter(lease -> mayForgive(past.get(lease.job()), lost.getOrDefault(lease.job(), 0), lease))
                .toList();
        if (counted.isEmpty()) {
            return 0;
        }
        List<Long> jobs = tx.history().amendLost(worker, counted, WorkerTrouble.RETURNED, WorkerTrouble.SURVIVED);
        return jobs.isEmpty() ? 0 : tx.jobs().forgiveLoss(jobs).size();
    }

    /** Whether the job has not come back too often already. The store checks whether this loss was counted. */
    private static boolean mayForgive(@Nullable List<Attempt> past, int lost, LeaseRef lease) {
        if (past == null) {
            return false;
        }
        List<Attempt> others = past.stream()
                .filter(attempt -> attempt.epoch() != lease.epoch())
                .toList();
        return WorkerTrouble.inARow(others, lost - 1).size() < WorkerTrouble.MOST;
    }
}

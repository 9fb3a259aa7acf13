package dev.headgate.internal.worker;

import dev.headgate.internal.job.JobStore;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.JobTable.LeaseRef;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leases that this process lost although it lived (its machine was suspended, a clock jumped). They are reported to the
 * store, so that the loss does not count against the jobs: none of them killed the process.
 */
final class OwnLosses {
    private static final Logger log = LoggerFactory.getLogger(OwnLosses.class);

    private final JobStore store;
    private final Queue<JobRow> arriving = new ConcurrentLinkedQueue<>();
    private final Map<String, List<LeaseRef>> untold = new LinkedHashMap<>();

    OwnLosses(JobStore store) {
        this.store = store;
    }

    /** Thread-safe, unlike the other methods. One lease may come twice: the store counts it once. */
    void add(JobRow lease) {
        arriving.add(lease);
    }

    /** Reports them to the store; what fails is kept for the next time. */
    void tell() {
        for (JobRow lease = arriving.poll(); lease != null; lease = arriving.poll()) {
            String worker = lease.lease().worker();
            if (worker != null) {
                untold.computeIfAbsent(worker, id -> new ArrayList<>())
                        .add(new LeaseRef(lease.id(), lease.lease().epoch()));
            }
        }
        for (Iterator<Map.Entry<String, List<LeaseRef>>> all = untold.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<String, List<LeaseRef>> next = all.next();
            int jobs = store.cameBack(next.getKey(), next.getValue());
            all.remove();
            if (jobs > 0) {
                log.info(
                        "worker {}: was given up for lost but is alive; {} jobs that it had do not count as lost",
                        next.getKey(),
                        jobs);
            }
        }
    }
}

package dev.headgate.internal.worker;

import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.policy.PolicyRequest;
import dev.headgate.internal.text.Served;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.Retention;
import dev.headgate.policy.PolicyEdit;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long a worker wants ended jobs of its queues to be kept. The stored value decides for all workers; a worker that
 * wants longer stores that once, and one that wants less changes nothing.
 */
final class RetentionRequest {
    private static final Logger log = LoggerFactory.getLogger(RetentionRequest.class);

    private final JobStore store;
    private final String worker;
    private final List<String> queues;
    private final @Nullable Retention asked;
    private boolean isTold;

    RetentionRequest(JobStore store, WorkerSettings settings) {
        this.store = store;
        this.worker = settings.name();
        this.queues = settings.serving().queues();
        this.asked = settings.serving().retention();
    }

    void tell() {
        Retention retention = asked;
        if (isTold || retention == null) {
            return;
        }
        PolicyBook book = store.policies();
        SortedMap<GateKey, PolicyEdit> edits = new TreeMap<>();
        Set<String> names = new TreeSet<>(queues);
        book.retentions()
                .values()
                .forEach(own -> own.stream()
                        .filter(queue -> Served.covers(queues, queue))
                        .forEach(names::add));
        for (String queue : names) {
            Retention stored = book.retentionFor(queue);
            if (retention.isLongerThan(stored)) {
                edits.put(GateKey.queue(queue), new PolicyEdit.Lengthen(retention));
            } else if (stored.isLongerThan(retention)) {
                log.warn(
                        "queue {}: ended jobs are kept for {}, as is stored; a worker's retention of {} does not shorten that",
                        queue,
                        stored.text(),
                        retention.text());
            }
        }
        if (!edits.isEmpty()) {
            store.changePolicies(new PolicyRequest(edits, "worker " + worker, "its retention is longer"));
        }
        isTold = true;
    }
}

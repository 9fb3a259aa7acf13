package dev.headgate.internal.gate;

import dev.headgate.internal.admission.GateLedger;
import dev.headgate.job.JobSpec;
import dev.headgate.job.Lane;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.GateRow;
import dev.headgate.spi.StoreTransaction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Whether one more job like those that run would have to wait. Reads gates and queues without locks. */
public final class CapacityCheck {
    private CapacityCheck() {}

    /** Whether no other job like one of these could start within this time, in microseconds. */
    public static boolean areAll(StoreTransaction tx, Collection<JobSpec> jobs, long span) {
        Map<Lane, JobSpec> lanes = new HashMap<>();
        jobs.forEach(job -> lanes.putIfAbsent(job.lane(), job));
        Set<GateKey> keys = new HashSet<>();
        lanes.keySet().forEach(lane -> keys.addAll(keys(tx, lane)));
        long now = tx.now();
        Map<GateKey, GateLedger> ledgers = new HashMap<>();
        for (GateRow row : tx.gates().findAll(keys)) {
            ledgers.put(row.key(), row.ledger(tx.policies(), now));
        }
        return lanes.values().stream().allMatch(job -> isShut(keys(tx, job.lane()), ledgers, job, now, now + span));
    }

    private static List<GateKey> keys(StoreTransaction tx, Lane lane) {
        List<GateKey> keys = new ArrayList<>();
        GateKey queue = GateKey.queue(lane.queue());
        if (tx.policies().isCounted(queue)) {
            keys.add(queue);
        }
        lane.gates().forEach(gate -> keys.add(GateKey.gate(gate)));
        return keys;
    }

    private static boolean isShut(
            List<GateKey> keys, Map<GateKey, GateLedger> ledgers, JobSpec job, long now, long until) {
        for (GateKey key : keys) {
            GateLedger ledger = ledgers.get(key);
            if (ledger != null && ledger.opens(key.unitsOf(job.cost()), now) > until) {
                return true;
            }
        }
        return false;
    }
}

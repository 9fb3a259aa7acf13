package dev.headgate.transition;

import dev.headgate.admission.GateKey;
import dev.headgate.admission.GatePolicy;
import dev.headgate.admission.PolicyBook;
import dev.headgate.store.GateRow;
import dev.headgate.store.HoldingRow;
import dev.headgate.store.LaneTable.LineCount;
import dev.headgate.store.StoreTransaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Stores a policy. No claim that was decided by the old one is open while it changes, so a queue that had no limits, and
 * was not counted, is counted exactly once here; lines that may move now are made due.
 */
final class ChangePolicy {
    private ChangePolicy() {}

    static void run(StoreTransaction tx, GateKey key, GatePolicy policy) {
        tx.policyTable().lockForChange();
        long now = tx.now();
        tx.policyTable().put(key, policy, now);
        if (key.scope() == GateKey.Scope.QUEUE) {
            recountQueues(tx, key);
        } else {
            wakeLines(tx, key, now);
        }
    }

    private static void recountQueues(StoreTransaction tx, GateKey pattern) {
        Map<GateKey, long[]> held = new HashMap<>();
        for (HoldingRow holding : tx.jobs().holdings()) {
            GateKey queue = GateKey.queue(holding.lane().queue());
            if (PolicyBook.covers(pattern, queue)) {
                long[] sum = held.computeIfAbsent(queue, q -> new long[2]);
                sum[0] += holding.leases();
                sum[1] += holding.units();
            }
        }
        TreeSet<GateKey> queues = new TreeSet<>(held.keySet());
        for (GateRow row : tx.gates().list(null, Integer.MAX_VALUE)) {
            if (PolicyBook.covers(pattern, row.key())) {
                queues.add(row.key());
            }
        }
        if (queues.isEmpty()) {
            return;
        }
        List<GateRow> recounted = new ArrayList<>();
        for (GateRow row : tx.gates().lock(queues)) {
            long[] sum = held.getOrDefault(row.key(), new long[2]);
            recounted.add(new GateRow(row.key(), sum[0], sum[1], row.memory(), row.wakeAt()));
        }
        tx.gates().save(recounted);
    }

    private static void wakeLines(StoreTransaction tx, GateKey pattern, long now) {
        List<GateKey> waiting = tx.lanes().lineCounts().stream()
                .map(LineCount::gate)
                .filter(gate -> PolicyBook.covers(pattern, gate))
                .toList();
        Ledgers ledgers = new Ledgers(tx);
        ledgers.lockGates(waiting, now);
        Lines.refresh(tx, ledgers);
        ledgers.save(now);
    }
}

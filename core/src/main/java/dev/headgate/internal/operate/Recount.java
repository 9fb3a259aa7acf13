package dev.headgate.internal.operate;

import dev.headgate.internal.admission.Permits;
import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.GateRow;
import dev.headgate.spi.HoldingRow;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.status.Drift;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Proves that what gates say is in use is what running jobs and permits hold. A drift is a bug of Headgate: counted and shown. */
public final class Recount {
    private Recount() {}

    public static List<Drift> run(StoreTransaction tx) {
        PolicyBook book = tx.policies();
        Map<GateKey, long[]> truth = new HashMap<>();
        for (HoldingRow holding : tx.jobs().holdings()) {
            add(truth, GateKey.queue(holding.lane().queue()), holding);
            holding.lane().gates().forEach(gate -> add(truth, GateKey.gate(gate), holding));
        }
        Map<GateKey, GateRow> stored = new TreeMap<>();
        tx.gates().list(null, Integer.MAX_VALUE).forEach(row -> stored.put(row.key(), row));
        List<Drift> drifts = new ArrayList<>();
        for (GateRow row : stored.values()) {
            boolean isCounted = row.key().scope() == GateKey.Scope.GATE || book.isCounted(row.key());
            long[] sum = truth.computeIfAbsent(row.key(), key -> new long[2]);
            // As of the beginning of time, so that those whose time is over are still counted on both sides.
            Permits permits = row.ledger(book, 0).permits();
            sum[0] += permits.count();
            sum[1] += permits.units();
            if (isCounted && (sum[0] != row.leases() || sum[1] != row.units())) {
                drifts.add(new Drift(row.key(), row.leases(), sum[0], row.units(), sum[1]));
            }
        }
        truth.forEach((key, sum) -> {
            boolean isMissing = !stored.containsKey(key) && (key.scope() == GateKey.Scope.GATE || book.isCounted(key));
            if (isMissing) {
                drifts.add(new Drift(key, 0, sum[0], 0, sum[1]));
            }
        });
        return drifts;
    }

    private static void add(Map<GateKey, long[]> truth, GateKey key, HoldingRow holding) {
        long[] sum = truth.computeIfAbsent(key, k -> new long[2]);
        sum[0] += holding.leases();
        sum[1] += holding.leases() * key.unitsOf(holding.cost());
    }
}

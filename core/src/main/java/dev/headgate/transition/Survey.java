package dev.headgate.transition;

import dev.headgate.admission.Decision;
import dev.headgate.admission.GateFigures;
import dev.headgate.admission.GateKey;
import dev.headgate.admission.GateLedger;
import dev.headgate.admission.GateLedger.Waiter;
import dev.headgate.admission.GatePolicy;
import dev.headgate.admission.Micros;
import dev.headgate.admission.PolicyBook;
import dev.headgate.admission.PolicyOverride;
import dev.headgate.admission.Rate;
import dev.headgate.room.Capacity;
import dev.headgate.store.GateRow;
import dev.headgate.store.LaneTable.LineCount;
import dev.headgate.store.QueueCount;
import dev.headgate.store.StoreTransaction;
import dev.headgate.transition.Overview.GateView;
import dev.headgate.transition.Overview.Lag;
import dev.headgate.transition.Overview.Reading;
import dev.headgate.transition.Overview.Tokens;
import dev.headgate.transition.Overview.Trial;
import dev.headgate.transition.Overview.WorkerView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads the overview. */
final class Survey {
    private Survey() {}

    static Overview run(StoreTransaction tx, int gatesMax) {
        long now = tx.now();
        List<QueueCount> counts = new ArrayList<>(tx.jobs().counts(QueueCount.COUNTED_MAX));
        counts.addAll(tx.history().counts(QueueCount.COUNTED_MAX));
        return new Overview(
                Micros.instant(now),
                counts,
                gates(tx, gatesMax, now),
                workers(tx),
                tx.policies().version());
    }

    static List<WorkerView> workers(StoreTransaction tx) {
        return tx.workers().list().stream()
                .map(worker -> new WorkerView(
                        worker.id(),
                        worker.name(),
                        worker.queues(),
                        worker.slots(),
                        worker.holding().size(),
                        Micros.instant(worker.startedAt()),
                        Micros.instant(worker.leaseUntil()),
                        Capacity.parse(worker.room())))
                .toList();
    }

    /** Gates with a row, and exact policies that no job has met yet. */
    private static List<GateView> gates(StoreTransaction tx, int gatesMax, long now) {
        PolicyBook book = tx.policies();
        Map<GateKey, GateRow> rows = new TreeMap<>();
        book.entries().forEach((key, entry) -> {
            boolean isSilent = entry.override() == null && entry.lasting().isSilent();
            if (!isSilent && !PolicyBook.isPattern(key)) {
                rows.put(key, GateRow.fresh(key));
            }
        });
        tx.gates().list(null, gatesMax).forEach(row -> rows.put(row.key(), row));
        Map<GateKey, Long> waiters = new HashMap<>();
        for (LineCount line : tx.lanes().lineCounts()) {
            waiters.put(line.gate(), line.lanes());
        }
        return rows.values().stream()
                .map(row -> view(row, book, waiters.getOrDefault(row.key(), 0L), now))
                .toList();
    }

    private static GateView view(GateRow row, PolicyBook book, long waiters, long now) {
        GatePolicy policy = book.policyFor(row.key());
        PolicyOverride override = book.overrideFor(row.key());
        GateLedger ledger = row.ledger(book, now);
        GateFigures figures = ledger.figures(now);
        List<Tokens> tokens = policy.limits().stream()
                .filter(Rate.class::isInstance)
                .map(Rate.class::cast)
                .map(rate -> new Tokens(rate.text(), figures.tokens(rate), rate.burst()))
                .toList();
        List<Reading> readings = policy.limits().stream()
                .map(limit -> new Reading(limit.text(), figures.of(limit)))
                .toList();
        List<Trial> trials = policy.shadows().stream()
                .map(shadow -> new Trial(shadow.text(), figures.blockedBy(shadow)))
                .toList();
        Decision next = ledger.checkLimits(new Waiter("", Long.MIN_VALUE, 1), now);
        Instant opens = next instanceof Decision.Blocked blocked ? blocked.next() : null;
        Instant until = override == null ? null : override.ends();
        return new GateView(
                row.key(),
                policy.text(),
                until,
                row.leases(),
                row.units(),
                tokens,
                readings,
                trials,
                waiters,
                opens,
                figures.shut(),
                Lag.of(figures.lags()));
    }
}

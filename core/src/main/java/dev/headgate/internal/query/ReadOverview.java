package dev.headgate.internal.query;

import dev.headgate.explain.Decision;
import dev.headgate.internal.admission.GateFigures;
import dev.headgate.internal.admission.GateLedger;
import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.admission.StartLags;
import dev.headgate.internal.admission.Waiter;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Rate;
import dev.headgate.policy.PolicyOverride;
import dev.headgate.resource.Capacity;
import dev.headgate.spi.GateRow;
import dev.headgate.spi.LaneTable.LineCount;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.status.Overview;
import dev.headgate.status.Overview.GateView;
import dev.headgate.status.Overview.Lag;
import dev.headgate.status.Overview.Reading;
import dev.headgate.status.Overview.Tokens;
import dev.headgate.status.Overview.Trial;
import dev.headgate.status.Overview.WorkerView;
import dev.headgate.status.QueueCount;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads the overview. */
public final class ReadOverview {
    private static final int MEDIAN = 50;
    private static final int TAIL = 99;

    private ReadOverview() {}

    public static Overview run(StoreTransaction tx, int gatesMax) {
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
            if (!isSilent && !key.isPattern()) {
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
                lag(figures.lags()));
    }

    private static Lag lag(StartLags lags) {
        Instant rejectedAt = lags.rejectedAt();
        return new Lag(
                lags.late(),
                lags.toHandler(MEDIAN),
                lags.toHandler(TAIL),
                lags.toEnd(MEDIAN),
                lags.toEnd(TAIL),
                rejectedAt,
                rejectedAt == null ? null : lags.rejectedLag(),
                rejectedAt == null ? null : lags.rejectedMargin(),
                lags.advisedMargin(),
                lags.cutMargin());
    }
}

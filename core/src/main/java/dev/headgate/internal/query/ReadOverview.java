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
import dev.headgate.status.Overview.Line;
import dev.headgate.status.Overview.Reading;
import dev.headgate.status.Overview.Tokens;
import dev.headgate.status.Overview.Trial;
import dev.headgate.status.Overview.WorkerView;
import dev.headgate.status.QueueCount;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Reads the overview. */
public final class ReadOverview {
    private static final int MEDIAN = 50;
    private static final int TAIL = 99;
    private static final int IN_LINES_MAX = 20_000;
    private static final int IN_LINE_LEAST = 20;

    private ReadOverview() {}

    /** Counts as far as listings do. */
    public static Overview run(StoreTransaction tx, int gatesMax) {
        return run(tx, gatesMax, QueueCount.COUNTED_MAX);
    }

    /** Counts everything. */
    public static Overview exact(StoreTransaction tx, int gatesMax) {
        return run(tx, gatesMax, Integer.MAX_VALUE);
    }

    private static Overview run(StoreTransaction tx, int gatesMax, int countMax) {
        long now = tx.now();
        List<QueueCount> counts = new ArrayList<>(tx.jobs().counts(countMax));
        counts.addAll(tx.history().counts(countMax));
        return new Overview(
                Micros.instant(now),
                counts,
                gates(tx, gatesMax, countMax, now),
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
    private static List<GateView> gates(StoreTransaction tx, int gatesMax, int countMax, long now) {
        PolicyBook book = tx.policies();
        Map<GateKey, GateRow> rows = new TreeMap<>();
        book.entries().forEach((key, entry) -> {
            boolean isSilent = entry.override() == null && entry.lasting().isSilent();
            if (!isSilent && !key.isPattern() && key.scope() != GateKey.Scope.TYPE) {
                rows.put(key, GateRow.fresh(key));
            }
        });
        tx.gates().list(null, gatesMax).forEach(row -> rows.put(row.key(), row));
        return views(tx, rows.values(), countMax, now);
    }

    /** How these stand, in their order. */
    static List<GateView> views(StoreTransaction tx, Collection<GateRow> rows, int countMax, long now) {
        PolicyBook book = tx.policies();
        Set<GateKey> keys = rows.stream().map(GateRow::key).collect(Collectors.toSet());
        Map<GateKey, Line> lines = lines(tx, keys, countMax);
        return rows.stream()
                .map(row -> view(row, book, lines.getOrDefault(row.key(), Line.NONE), now))
                .toList();
    }

    /** The more lines there are, the fewer jobs of each are counted: together they are bounded. */
    private static Map<GateKey, Line> lines(StoreTransaction tx, Set<GateKey> gates, int countMax) {
        Map<GateKey, Long> lanes = new TreeMap<>();
        for (LineCount line : tx.lanes().lineCounts()) {
            if (gates.contains(line.gate())) {
                lanes.put(line.gate(), line.lanes());
            }
        }
        if (lanes.isEmpty()) {
            return Map.of();
        }
        int max = countMax == Integer.MAX_VALUE
                ? countMax
                : Math.clamp(IN_LINES_MAX / lanes.size(), IN_LINE_LEAST, countMax);
        Map<GateKey, Line> lines = new HashMap<>();
        tx.demand()
                .inLines(lanes.keySet(), max)
                .forEach((gate, jobs) -> lines.put(gate, new Line(lanes.getOrDefault(gate, 0L), jobs, jobs >= max)));
        return lines;
    }

    private static GateView view(GateRow row, PolicyBook book, Line line, long now) {
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
                .map(limit -> new Reading(limit.text(), figures.of(limit), figures.used(limit), figures.most(limit)))
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
                line,
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

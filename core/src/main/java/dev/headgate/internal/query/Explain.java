package dev.headgate.internal.query;

import dev.headgate.explain.Decision;
import dev.headgate.explain.Explanation;
import dev.headgate.explain.Explanation.Forecast;
import dev.headgate.explain.Explanation.GateAnswer;
import dev.headgate.explain.Explanation.Holder;
import dev.headgate.explain.Explanation.Line;
import dev.headgate.explain.Explanation.Past;
import dev.headgate.explain.Explanation.SharePlace;
import dev.headgate.explain.Explanation.Times;
import dev.headgate.explain.Explanation.Use;
import dev.headgate.explain.Explanation.Wait;
import dev.headgate.explain.Reason;
import dev.headgate.internal.admission.GateLedger;
import dev.headgate.internal.admission.Shares;
import dev.headgate.internal.admission.Waiter;
import dev.headgate.internal.lane.LockedShares;
import dev.headgate.internal.time.Micros;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.limit.FairShare;
import dev.headgate.limit.GateKey;
import dev.headgate.policy.PolicyOverride;
import dev.headgate.spi.DemandTable.Unjudged;
import dev.headgate.spi.GateRow;
import dev.headgate.spi.HeadRow;
import dev.headgate.spi.HistoryRow;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.LaneRow;
import dev.headgate.spi.LaneState;
import dev.headgate.spi.ShareRow;
import dev.headgate.spi.ShareRow.OrderKey;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.WorkerRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Finds why a job waits, by asking the same admission code that will admit it. */
public final class Explain {
    /** A job ahead, of which only its number is known. */
    private static final Waiter AHEAD = new Waiter("", Long.MIN_VALUE, 0);

    private final StoreTransaction tx;
    private final JobRow job;
    private final long now;
    private final @Nullable LaneRow lane;
    private final int ahead;
    private final LimiterAnswer limiters;

    private Explain(StoreTransaction tx, JobRow job) {
        this.tx = tx;
        this.job = job;
        this.now = tx.now();
        this.limiters = new LimiterAnswer(tx, job, now);
        String laneId = job.spec().lane().id();
        this.lane = job.spec().lane().isPlain() ? null : tx.lanes().find(laneId);
        this.ahead = job.state() == JobState.QUEUED
                ? tx.jobs().countBefore(laneId, job.place().rank(), Explanation.AHEAD_MAX)
                : 0;
    }

    public static @Nullable Explanation run(StoreTransaction tx, long id) {
        JobRow job = tx.jobs().find(id);
        if (job != null) {
            return new Explain(tx, job).live();
        }
        HistoryRow ended = tx.history().find(id);
        return ended == null ? null : ended(ended, tx.now());
    }

    private static Explanation ended(HistoryRow job, long now) {
        return new Explanation(
                new JobId(job.id()),
                job.state(),
                new Reason.Ended(job.leases().attempt(), job.end().detail()),
                new Times(Micros.instant(now), Micros.instant(job.times().finishedAt()), Duration.ZERO, null, null),
                Explanation.Place.NONE,
                new Past(job.leases().lost(), null, List.of()));
    }

    private Explanation live() {
        boolean isWaiting = job.state() == JobState.QUEUED;
        List<GateAnswer> gates = isWaiting || job.state() == JobState.SCHEDULED ? gateAnswers() : List.of();
        Instant earliest = earliest();
        long ready = job.state() == JobState.AWAITING
                ? job.place().enqueuedAt()
                : job.place().runAt();
        long since = job.lease().startedAt() != null && job.state() == JobState.RUNNING
                ? job.lease().startedAt()
                : ready;
        return new Explanation(
                new JobId(job.id()),
                job.state(),
                reason(gates),
                new Times(
                        Micros.instant(now),
                        Micros.instant(Math.min(since, now)),
                        isWaiting
                                ? Micros.duration(Math.max(0, now - job.place().runAt()))
                                : Duration.ZERO,
                        earliest,
                        isWaiting ? forecast(gates, earliest) : null),
                new Explanation.Place(ahead, gates),
                new Past(
                        job.lease().lost(),
                        job.state() == JobState.PARKED ? null : job.notes().detail(),
                        isWaiting ? waits() : List.of()));
    }

    private Forecast forecast(List<GateAnswer> gates, @Nullable Instant earliest) {
        Forecast forecast = new StartEstimate(tx, job, ahead, now).forecast(gates, earliest, isServed());
        if (forecast.to() != null && limiters.answer() != null) {
            return new Forecast(earliest, null, "a limiter of the worker's own decides, which the store does not know");
        }
        boolean isUnjudged = forecast.to() != null && unjudgedBefore().lanes() > 0;
        return isUnjudged
                ? new Forecast(
                        earliest, null, "other lanes are judged before it; when a worker comes to it is not reckoned")
                : forecast;
    }

    private Reason reason(List<GateAnswer> gates) {
        return switch (job.state()) {
            case AWAITING ->
                AwaitedJobs.of(tx, List.of(job.id())).getOrDefault(job.id(), new Reason.AwaitsJobs(List.of(), 0));
            case SCHEDULED -> new Reason.Scheduled(Micros.instant(job.place().runAt()));
            case PARKED ->
                new Reason.Parked(job.notes().parkReason(), job.notes().detail());
            case RUNNING ->
                new Reason.Running(
                        Objects.requireNonNullElse(job.lease().worker(), ""),
                        job.lease().attempt(),
                        job.spec().tries().attemptsMax(),
                        job.notes().isCancelRequested());
            default -> waiting(gates);
        };
    }

    /** The first reason that applies, in the order in which a claim meets them. */
    private Reason waiting(List<GateAnswer> gates) {
        for (GateAnswer gate : gates) {
            if (gate.decision() instanceof Decision.NeverFits never) {
                return new Reason.NeverFits(never);
            }
        }
        for (GateAnswer gate : gates) {
            if (gate.decision() instanceof Decision.Blocked blocked) {
                return new Reason.AtGate(gate, blocked);
            }
        }
        String queue = job.spec().lane().queue();
        if (tx.policies().isPaused(GateKey.queue(queue))) {
            return new Reason.QueuePaused(queue);
        }
        if (!isServed()) {
            return new Reason.NoWorker(queue);
        }
        Reason unfit = new RoomAnswer(tx, now).of(job);
        if (unfit != null) {
            return unfit;
        }
        Reason shut = limiters.answer();
        if (shut != null) {
            return shut;
        }
        // Its gates would let it pass at this instant: what is before it keeps it waiting, or the slots.
        Unjudged before = unjudgedBefore();
        if (before.lanes() > 0 && hasFreeSlot()) {
            return new Reason.NotJudged(queue, before.lanes(), before.isMore());
        }
        return ahead == 0 ? new Reason.NoSlot() : new Reason.BehindOthers();
    }

    /** Lanes that a claim judges before the lane of this job, if that is not judged either. */
    private Unjudged unjudgedBefore() {
        boolean isJudged = job.spec().lane().isPlain() || (lane != null && lane.state() == LaneState.WAITING);
        return isJudged
                ? new Unjudged(0, false)
                : tx.demand().unjudged(job.spec().lane().queue(), rankOfLane(), Explanation.AHEAD_MAX);
    }

    /** The rank of the first job of its lane. */
    private long rankOfLane() {
        List<HeadRow> first = ahead == 0
                ? List.of()
                : tx.demand().heads(List.of(job.spec().lane().id()), 1);
        return first.isEmpty() ? job.place().rank() : first.getFirst().rank();
    }

    private boolean hasFreeSlot() {
        return tx.workers().list().stream()
                .anyMatch(worker -> isServing(worker) && worker.holding().size() < worker.slots());
    }

    private boolean isServing(WorkerRow worker) {
        return worker.isServing(job.spec().lane().queue(), now);
    }

    private boolean isServed() {
        return tx.workers().list().stream().anyMatch(this::isServing);
    }

    private List<GateAnswer> gateAnswers() {
        List<GateAnswer> answers = new ArrayList<>();
        for (GateLedger ledger : ledgers()) {
            LaneRow inLine = lane != null && ledger.key().equals(lane.waitingAt()) ? lane : null;
            int before = inLine == null
                    ? 0
                    : tx.lanes()
                            .countBefore(
                                    new OrderKey(ledger.key(), inLine.share()), inLine.rank(), Explanation.AHEAD_MAX);
            Decision decision = ledger.checkLimits(asker(ledger), now);
            boolean isFull = decision instanceof Decision.Blocked blocked && blocked.next() == null;
            answers.add(new GateAnswer(
                    ledger.key(),
                    ledger.policy(),
                    until(ledger.key()),
                    decision,
                    new Line(inLine != null, before, sharePlace(ledger)),
                    new Use(ledger.state().leases(), isFull ? holders(ledger.key()) : List.of())));
        }
        return answers;
    }

    private @Nullable SharePlace sharePlace(GateLedger ledger) {
        FairShare rule = ledger.policy().options().fair();
        if (rule == null) {
            return null;
        }
        String key = rule.keyOf(job.spec().lane().gates());
        OrderKey place = new OrderKey(ledger.key(), key);
        Shares.Share share = tx.shares().find(List.of(place)).stream()
                .map(ShareRow::share)
                .findFirst()
                .orElse(Shares.Share.NEW);
        long tag = share.isStanding()
                ? share.finish()
                : Math.max(share.finish(), ledger.line().virtual());
        return new SharePlace(
                key,
                LockedShares.weight(tx.policies(), key),
                tx.shares().countBefore(ledger.key(), tag, Explanation.AHEAD_MAX));
    }

    private List<Holder> holders(GateKey gate) {
        return StartEstimate.holders(tx, gate).stream()
                .limit(Explanation.HOLDERS_MAX)
                .map(row -> new Holder(
                        new JobId(row.id()),
                        row.spec().type(),
                        Objects.requireNonNullElse(row.lease().worker(), ""),
                        Micros.instant(Objects.requireNonNullElse(row.lease().startedAt(), now))))
                .toList();
    }

    /** A lane notes since when it is where it is; what was before that is not kept. */
    private List<Wait> waits() {
        Duration all = Micros.duration(Math.max(0, now - job.place().runAt()));
        LaneRow row = lane;
        if (row == null || row.state() != LaneState.WAITING || row.waitingAt() == null) {
            String where = ahead == 0 ? "for a worker of queue %s" : "for its turn in queue %s";
            return List.of(new Wait(where.formatted(job.spec().lane().queue()), all));
        }
        long since = Math.clamp(row.since(), Math.min(job.place().runAt(), now), now);
        String inLine = ahead == 0 ? "in line at %s" : "behind others of its lane, which is in line at %s";
        List<Wait> waits = new ArrayList<>();
        if (since > job.place().runAt()) {
            waits.add(new Wait(
                    "before that, not noted where",
                    Micros.duration(since - job.place().runAt())));
        }
        waits.add(new Wait(inLine.formatted(row.waitingAt()), Micros.duration(now - since)));
        return waits;
    }

    private @Nullable Instant until(GateKey key) {
        PolicyOverride override = tx.policies().overrideFor(key);
        return override == null ? null : override.ends();
    }

    /**
     * Plays the jobs ahead through the rates of each gate in virtual time. A lower bound: what the jobs ahead cost is not
     * read, and limits that wait for a release are taken as open. Nothing can be said of a job that can never pass, and of
     * one that waits for others only that it is not due.
     */
    private @Nullable Instant earliest() {
        if (job.state() == JobState.AWAITING) {
            return job.place().runAt() > now ? Micros.instant(job.place().runAt()) : null;
        }
        if (job.state() != JobState.QUEUED && job.state() != JobState.SCHEDULED) {
            return null;
        }
        long due = Math.max(now, job.place().runAt());
        long earliest = Math.max(due, limiters.earliest());
        for (GateLedger ledger : ledgers()) {
            if (ledger.checkLimits(asker(ledger), now) instanceof Decision.NeverFits) {
                return null;
            }
            GateLedger rates = onlyRates(ledger);
            long clock = due;
            for (int i = 0; i < ahead; i++) {
                clock = opens(rates, AHEAD, clock);
                rates.take(AHEAD, clock);
            }
            earliest = Math.max(earliest, opens(rates, asker(ledger), clock));
        }
        return Micros.instant(earliest);
    }

    private static long opens(GateLedger gate, Waiter asker, long clock) {
        return gate.checkLimits(asker, clock) instanceof Decision.Blocked blocked && blocked.next() != null
                ? Math.max(clock, Micros.of(blocked.next()))
                : clock;
    }

    private static GateLedger onlyRates(GateLedger ledger) {
        return new GateLedger(ledger.key(), ledger.policy().timed(), ledger.state());
    }

    private Waiter asker(GateLedger at) {
        return new Waiter(
                job.spec().lane().id(),
                job.place().rank(),
                at.key().unitsOf(job.spec().cost()),
                job.id(),
                "");
    }

    private List<GateLedger> ledgers() {
        List<GateKey> keys = new ArrayList<>();
        keys.add(GateKey.queue(job.spec().lane().queue()));
        job.spec().lane().gates().forEach(gate -> keys.add(GateKey.gate(gate)));
        Map<GateKey, GateRow> rows = new HashMap<>();
        tx.gates().findAll(keys).forEach(row -> rows.put(row.key(), row));
        List<GateLedger> ledgers = new ArrayList<>();
        for (GateKey key : keys) {
            if (key.scope() == GateKey.Scope.GATE || tx.policies().isCounted(key)) {
                ledgers.add(rows.getOrDefault(key, GateRow.fresh(key)).ledger(tx.policies(), now));
            }
        }
        return ledgers;
    }
}

package dev.headgate.internal.simulate;

import dev.headgate.explain.Decision;
import dev.headgate.internal.admission.ClaimPlan;
import dev.headgate.internal.admission.ClaimPlan.Fate;
import dev.headgate.internal.admission.GateLedger;
import dev.headgate.internal.admission.GateState;
import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.admission.ReleaseKind;
import dev.headgate.internal.admission.Start;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.GateKey;
import dev.headgate.simulate.Forecast;
import dev.headgate.simulate.Forecast.KeyForecast;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Plays a {@link Scenario} and tells what came of it. Deterministic: the same scenario has the same forecast.
 *
 * <p>Design note. Time jumps from event to event: an arrival, an end, the instant at which a limit lets the first of its
 * line pass, the end of an override. At each of them lanes leave the lines that can move, and {@link ClaimPlan} decides
 * over all that are ready, as it does in a store. What a real worker adds to a job, a few milliseconds for its turn, must be
 * part of {@link SimulatedJob#runs}; jobs that fail are left out: a forecast is what the limits allow.
 */
public final class Playback {
    private static final int LANES_MAX = 512;
    private static final int HEADS_MAX = 1_000;
    private static final Comparator<WaitingLane> BY_HEAD =
            Comparator.comparingLong((WaitingLane lane) -> lane.lineRank).thenComparing(lane -> lane.id);

    private final Scenario scenario;
    private final Deque<SimulatedJob> arrivals;
    private final PriorityQueue<Running> running = new PriorityQueue<>(Comparator.comparingLong(Running::ends)
            .thenComparingLong(each -> each.job().id()));
    private final Map<GateKey, GateLedger> ledgers = new HashMap<>();
    private final Map<GateKey, SimulationTally> tallies = new TreeMap<>();
    private final Map<String, WaitingLane> lanes = new HashMap<>();
    private final TreeSet<WaitingLane> ready = new TreeSet<>(BY_HEAD);
    private final Map<GateKey, TreeSet<WaitingLane>> lines = new HashMap<>();
    private final LineWakes wakes = new LineWakes();
    private final Map<String, Long> shut = new HashMap<>();
    private final Map<Long, SimulatedJob> byId = new HashMap<>();
    private PolicyBook book;
    private long now;
    private int slots;
    private int started;
    private int neverFit;
    private @Nullable Long lastStart;
    private @Nullable Long lastEnd;

    private record Running(SimulatedJob job, Start start, long ends) {}

    private Playback(Scenario scenario) {
        this.scenario = scenario;
        this.now = scenario.start();
        this.book = scenario.policies().at(now);
        this.slots = scenario.slots();
        List<SimulatedJob> inOrder = new ArrayList<>(scenario.waiting());
        inOrder.sort(Comparator.comparingLong(SimulatedJob::arrives).thenComparingLong(SimulatedJob::rank));
        this.arrivals = new ArrayDeque<>(inOrder);
        for (SimulatedJob job : scenario.running()) {
            slots--;
            keys(job).forEach(key -> tally(key).held(key.unitsOf(job.cost())));
            running.add(new Running(job, new Start(now, 0), Math.max(now, job.arrives() + job.runs())));
        }
    }

    public static Forecast run(Scenario scenario) {
        return run(scenario, started -> {});
    }

    /**
     * The same for scenarios that take a while.
     *
     * @param progress is told after every event how many jobs have started or can never start
     */
    public static Forecast run(Scenario scenario, IntConsumer progress) {
        Playback playback = new Playback(scenario);
        Long next = playback.now;
        while (next != null && next < scenario.end()) {
            playback.step(next);
            progress.accept(playback.started + playback.neverFit);
            next = playback.nextEvent();
        }
        return playback.forecast();
    }

    private void step(long to) {
        now = to;
        if (book.endsBy(now)) {
            endOverrides();
        }
        while (!running.isEmpty() && running.element().ends() <= now) {
            end(running.remove());
        }
        while (!arrivals.isEmpty() && arrivals.element().arrives() <= now) {
            arrive(arrivals.remove());
        }
        shut.values().removeIf(opens -> opens <= now);
        claim();
    }

    private void endOverrides() {
        book = book.at(now);
        ledgers.replaceAll((key, old) -> {
            GateLedger fresh = new GateLedger(key, book.policyFor(key), old.state());
            fresh.line().head(old.line().head());
            return fresh;
        });
        lines.keySet().forEach(gate -> wakes.put(gate, now));
        shut.clear();
    }

    private void end(Running ended) {
        slots++;
        lastEnd = ended.ends();
        for (GateKey key : keys(ended.job())) {
            long cost = key.unitsOf(ended.job().cost());
            ledger(key).release(0, cost, ReleaseKind.UNKNOWN, ended.start(), now);
            tally(key).ended(cost, now);
            if (lines.containsKey(key)) {
                wakes.put(key, now);
            }
        }
        shut.remove(ended.job().lane().queue());
    }

    private void arrive(SimulatedJob job) {
        byId.put(job.id(), job);
        WaitingLane lane = lanes.computeIfAbsent(job.lane().id(), id -> new WaitingLane(job.lane()));
        boolean isNewHead =
                lane.jobs.isEmpty() || job.rank() < lane.jobs.first().rank();
        lane.jobs.add(job);
        if (isNewHead) {
            leaveOrder(lane);
            makeReady(lane);
        }
    }

    private void leaveOrder(WaitingLane lane) {
        GateKey at = lane.waitingAt;
        if (at == null) {
            ready.remove(lane);
            return;
        }
        TreeSet<WaitingLane> line = lines.get(at);
        if (line != null) {
            line.remove(lane);
            if (line.isEmpty()) {
                lines.remove(at);
            }
        }
        lane.waitingAt = null;
        tellHead(at);
    }

    private void makeReady(WaitingLane lane) {
        lane.lineRank = lane.jobs.first().rank();
        ready.add(lane);
    }

    private void tellHead(GateKey gate) {
        TreeSet<WaitingLane> line = lines.get(gate);
        ledger(gate).line().head(line == null ? null : line.first().waiter(gate));
        if (line == null) {
            wakes.remove(gate);
        }
    }

    /** Claims until slots, jobs or room run out. Every round starts a job, sets one aside or puts a lane in a line. */
    private void claim() {
        boolean hasMoved = true;
        while (slots > 0 && hasMoved) {
            pull();
            List<WaitingLane> offered = ready.stream()
                    .filter(lane -> !shut.containsKey(lane.lane.queue()))
                    .limit(LANES_MAX)
                    .toList();
            hasMoved = !offered.isEmpty() && claim(offered);
        }
    }

    /** As many lanes leave each line that can move as its gate lets pass, oldest first. */
    private void pull() {
        for (GateKey gate : wakes.due(now)) {
            TreeSet<WaitingLane> line = lines.get(gate);
            if (line == null) {
                wakes.remove(gate);
                continue;
            }
            int most = Math.min(slots, line.size());
            int room = ledger(gate).startableCount(line.first().waiter(gate), now, most);
            for (WaitingLane lane : line.stream().limit(room).toList()) {
                leaveOrder(lane);
                makeReady(lane);
            }
            plan(gate);
        }
    }

    /** Notes when time lets the head of a gate's line pass; a release will tell by itself. */
    private void plan(GateKey gate) {
        Long at = ledger(gate).wakeAt(now);
        if (at == null) {
            wakes.remove(gate);
        } else {
            wakes.put(gate, at);
        }
    }

    private boolean claim(List<WaitingLane> offered) {
        Set<GateKey> touched = new HashSet<>();
        for (WaitingLane lane : offered) {
            ledger(GateKey.queue(lane.lane.queue()));
            lane.gates.forEach(gate -> {
                ledger(gate);
                touched.add(gate);
            });
        }
        ClaimPlan plan = new ClaimPlan(now, slots, ledgers);
        int perLane = Math.clamp(Math.ceilDiv(slots, offered.size()), 1, HEADS_MAX);
        offered.forEach(lane -> plan.offer(lane.offer(perLane)));
        plan.solve();
        plan.grants().forEach(grant -> start(grant.job(), grant.margin()));
        plan.impossibleJobs().forEach(misfit -> {
            forget(misfit.job());
            neverFit++;
        });
        plan.shutQueues().forEach((queue, blocked) -> shut.put(queue, opens(blocked)));
        boolean hasQueued = false;
        for (WaitingLane lane : offered) {
            hasQueued |= settle(lane, plan.fates().get(lane.id));
        }
        touched.forEach(this::tellHead);
        touched.stream().filter(lines::containsKey).forEach(this::plan);
        return hasQueued || !plan.grants().isEmpty() || !plan.impossibleJobs().isEmpty();
    }

    private static long opens(Decision.Blocked blocked) {
        return blocked.next() == null ? Long.MAX_VALUE : Micros.of(blocked.next());
    }

    private boolean settle(WaitingLane lane, @Nullable Fate fate) {
        ready.remove(lane);
        if (lane.jobs.isEmpty()) {
            lane.passes = 0;
            return false;
        }
        if (fate instanceof Fate.Waiting waiting) {
            lane.passes = waiting.passes();
            lane.lineRank = lane.jobs.first().rank();
            lane.waitingAt = waiting.at();
            lines.computeIfAbsent(waiting.at(), gate -> new TreeSet<>(BY_HEAD)).add(lane);
            return true;
        }
        makeReady(lane);
        return false;
    }

    private void start(long id, long margin) {
        SimulatedJob job = forget(id);
        slots--;
        started++;
        lastStart = now;
        long waited = now - Math.max(job.arrives(), scenario.start());
        keys(job).forEach(key -> tally(key).started(waited, key.unitsOf(job.cost()), now));
        running.add(new Running(job, new Start(now, margin), now + job.runs()));
    }

    private SimulatedJob forget(long id) {
        SimulatedJob job = byId.remove(id);
        WaitingLane lane = job == null ? null : lanes.get(job.lane().id());
        if (job == null || lane == null) {
            throw new IllegalStateException("simulation: job %d was granted and does not wait".formatted(id));
        }
        boolean isReady = ready.remove(lane);
        lane.jobs.remove(job);
        if (isReady && !lane.jobs.isEmpty()) {
            makeReady(lane);
        }
        return job;
    }

    private @Nullable Long nextEvent() {
        Long next = book.nextEnd();
        next = earlier(
                next,
                arrivals.isEmpty() ? null : Long.valueOf(arrivals.element().arrives()));
        next = earlier(
                next, running.isEmpty() ? null : Long.valueOf(running.element().ends()));
        if (slots > 0) {
            Long wake = wakes.first();
            next = earlier(next, wake == null ? null : Long.valueOf(Math.max(wake, now + 1)));
            for (long opens : shut.values()) {
                next = opens == Long.MAX_VALUE ? next : earlier(next, Long.valueOf(opens));
            }
        }
        return byId.isEmpty() && arrivals.isEmpty() && running.isEmpty() ? null : next;
    }

    private static @Nullable Long earlier(@Nullable Long one, @Nullable Long other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return Math.min(one, other);
    }

    private static List<GateKey> keys(SimulatedJob job) {
        List<GateKey> keys = new ArrayList<>();
        keys.add(GateKey.queue(job.lane().queue()));
        job.lane().gates().forEach(gate -> keys.add(GateKey.gate(gate)));
        return keys;
    }

    private GateLedger ledger(GateKey key) {
        return ledgers.computeIfAbsent(
                key,
                made -> new GateLedger(
                        made, book.policyFor(made), scenario.gates().getOrDefault(made, GateState.NEW)));
    }

    private SimulationTally tally(GateKey key) {
        return tallies.computeIfAbsent(key, made -> new SimulationTally(scenario.start()));
    }

    private Forecast forecast() {
        long start = scenario.start();
        Long latest = lastStart;
        Long end = lastEnd;
        List<KeyForecast> keys = new ArrayList<>();
        tallies.forEach((key, tally) -> keys.add(tally.forecast(
                key, book.policyFor(key), latest == null ? start : latest, end == null ? now : Math.max(end, now))));
        return new Forecast(
                started,
                neverFit,
                scenario.waiting().size() - started - neverFit,
                latest == null ? null : Micros.duration(latest - start),
                end == null ? null : Micros.duration(end - start),
                keys);
    }
}

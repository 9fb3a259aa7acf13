package dev.headgate.proof.simulation;

import dev.headgate.internal.gate.StrandedLines;
import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.query.BacklogStore;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.limit.GateKey;
import dev.headgate.proof.simulation.Track.Stand;
import dev.headgate.spi.GateRow;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** The course of one world: chaos, healing, and the look at what is left. */
final class Drama {
    private static final long SECOND = 1_000_000_000L;

    /** After this long without any job leased or ended, checks whether one should have been. */
    private static final long QUIET_NANOS = 100 * SECOND;

    /** For so long workers may be idle beside jobs that can start. */
    private static final long IDLE_NANOS_MAX = 3 * SECOND;

    private static final long HEAL_NANOS_MAX = 3_600 * SECOND;

    /** Healing that takes more events than this goes round in circles. */
    private static final long HEAL_EVENTS_MAX = 1_000_000;

    private final World.Parts parts;
    private final Timeline timeline;
    private final Judge judge;
    private final Tracks tracks;
    private final Store store;
    private final Theatre theatre;
    private final Handlings handlings;
    private final World world;
    private final Clients clients;
    private final Operators operators;
    private final Conductor conductor;
    private final Limiters limiters;
    private final Pruners pruners;
    private final Rush rush;
    private final FreeKey freeKey;
    private final Swamped swamped;
    private boolean isHealing;
    private boolean isStartable;

    Drama(World.Parts parts, Store store) {
        this.parts = parts;
        this.timeline = parts.timeline();
        this.judge = parts.judge();
        this.tracks = parts.tracks();
        this.store = store;
        this.handlings = new Handlings(parts, store::micros);
        this.theatre = new Theatre(timeline, parts.options(), handlings);
        Programs programs = new Programs(parts.options(), theatre, parts.runs());
        this.world = new World(parts, store, theatre, programs);
        this.clients = new Clients(parts, store);
        this.operators = new Operators(parts, store);
        this.conductor = new Conductor(parts, store, programs);
        this.limiters = new Limiters(parts, store);
        this.pruners = new Pruners(parts, store);
        this.rush = new Rush(parts, store);
        this.freeKey = new FreeKey(parts, store);
        this.swamped = new Swamped(parts, store, theatre);
        if (parts.options().isGentle()) {
            handlings.forbidOverlap();
        }
    }

    long overlaps() {
        return handlings.overlaps();
    }

    long longestOverlapNanos() {
        return handlings.longestOverlapNanos();
    }

    void open(boolean hasFaults) {
        store.onSkip(this::checkLines);
        operators.open();
        world.open();
        clients.open();
        conductor.open();
        limiters.open();
        pruners.open();
        if (hasFaults) {
            planNextFault();
        }
    }

    private void planNextFault() {
        Fault fault = parts.faults().next();
        timeline.at(fault.atNanos(), null, () -> {
            if (isHealing) {
                return false;
            }
            planNextFault();
            if (parts.faults().isLeftOut(fault)) {
                return false;
            }
            happen(fault);
            return true;
        });
    }

    private void happen(Fault fault) {
        Host host = world.host(fault.target());
        long lease = parts.options().leaseNanos();
        switch (fault.kind()) {
            case LOST_REPLY, REFUSED, SLOW_REQUEST, SLOW_REPLY -> {
                boolean isForClient = fault.size() % 4 == 0;
                (isForClient ? clients.line(fault.target()) : world.line(host)).arm(fault);
                return; // counted when it hits
            }
            case CRASH_BEFORE_COMMIT, CRASH_AFTER_COMMIT -> {
                world.line(host).arm(fault);
                return;
            }
            case CRASH -> world.kill(host);
            case PAUSE -> host.pause(timeline.now(), timeline.now() + lease * 4 / 1_000 * fault.size());
            case SKEW -> host.skew((fault.size() - 500) * 20_000L);
            case STORE_DOWN -> store.downUntil(timeline.now() + lease / 1_000 * fault.size());
            case CLOCK_BACK -> store.moveClock(-lease / 1_000_000 * fault.size());
            case CLOCK_JUMP -> store.moveClock(lease * 2 / 1_000_000 * fault.size());
            case LOST_WAKES -> host.deafUntil(timeline.now() + lease * 2 / 1_000 * fault.size());
            case STOP, STOP_NOW -> world.stop(host, fault.kind() == FaultKind.STOP_NOW);
            case OLD_VERSION -> world.replaceByOld(host);
            case POLICY, HOLD, CLEAR, PAUSED_WORK, SCHEDULE -> operators.act(fault);
        }
        store.happened(fault);
    }

    void chaos(long maxEvents) {
        while (judge.events() < maxEvents && !judge.isOver()) {
            timeline.runUntil(timeline.now() + SECOND / 10);
        }
    }

    /** I32: no line stands at an open gate that nothing would open again. Looked at before a worker mends it. */
    private void checkLines() {
        List<GateKey> stranded = new ArrayList<>(new StrandedLines(store.plain()).find());
        List<GateRow> gates = store.plain().read(tx -> tx.gates().findAll(List.copyOf(stranded)));
        gates.stream().filter(this::isDueButForTheClock).map(GateRow::key).forEach(stranded::remove);
        if (!stranded.isEmpty()) {
            judge.broken("I32", "lanes wait at open gates and nothing would wake them: %s".formatted(gates));
        }
    }

    /** The store's clock has stepped back since this gate got its wake time. */
    private boolean isDueButForTheClock(GateRow gate) {
        Long wakeAt = gate.wakeAt();
        return wakeAt != null && wakeAt - store.behindMicros() <= store.micros() + SECOND / 1_000;
    }

    /** Ends all faults and waits until nothing is left to do. */
    void heal() {
        isHealing = true;
        clients.stop();
        limiters.stop();
        pruners.stop();
        theatre.calm();
        store.heal();
        world.heal();
        operators.heal();
        conductor.heal();
        long begun = timeline.now();
        long eventsBefore = judge.events();
        long moves = -1;
        long movedAt = begun;
        while (!judge.isOver() && (tracks.live() > 0 || parts.runs().isAnyLive())) {
            timeline.runUntil(timeline.now() + SECOND);
            if (tracks.moves() != moves) {
                moves = tracks.moves();
                movedAt = timeline.now();
            }
            checkLines();
            checkIdling(timeline.now()
                    - Math.max(movedAt, begun + 2 * parts.options().leaseNanos()));
            boolean isQuiet =
                    timeline.now() - movedAt > QUIET_NANOS + 2 * parts.options().leaseNanos();
            if (isQuiet && !isAnyStuck(status -> !isKept(status))) {
                break;
            }
            if (timeline.now() - begun > HEAL_NANOS_MAX || judge.events() - eventsBefore > HEAL_EVENTS_MAX) {
                isAnyStuck(status -> true);
                judge.broken(
                        "I18",
                        "%d jobs are still not at their end %d s and %d events after the last fault"
                                .formatted(
                                        tracks.live(),
                                        (timeline.now() - begun) / SECOND,
                                        judge.events() - eventsBefore));
            }
        }
        if (!judge.isOver()) {
            lookAround();
        }
    }

    /** I19: no worker works although a job could start. Shorter than some polls, so these do not hide it. */
    private void checkIdling(long idleNanos) {
        boolean wasStartable = isStartable;
        isStartable = false;
        if (idleNanos > IDLE_NANOS_MAX && tracks.running() == 0) {
            int startable = new BacklogStore(store.plain()).admissible(Options.QUEUES, 8);
            isStartable = startable > 0;
            if (isStartable && wasStartable) { // twice, a second apart: one may just have become due
                judge.broken(
                        "I19",
                        "%d jobs could start, and nobody has moved for %d ms"
                                .formatted(startable, idleNanos / 1_000_000));
            }
        }
    }

    private JobStore plain() {
        return new JobStore(store.plain(), timeline::now);
    }

    private boolean isAnyStuck(Predicate<JobStatus> isStuck) {
        JobStore jobs = plain();
        for (JobState state : List.of(JobState.QUEUED, JobState.RUNNING, JobState.SCHEDULED, JobState.AWAITING)) {
            for (JobStatus job : jobs.list(JobFilter.all().state(state).limit(50))) {
                if (isStuck.test(job)) {
                    judge.broken(
                            "I18",
                            "job %s at %s: nothing has moved since all is well, and it has not ended: %s; gates %s; workers %s"
                                    .formatted(
                                            job.id(),
                                            job.spec().lane(),
                                            jobs.explain(job.id()),
                                            store.plain().read(tx -> tx.gates().findAll(keys(job))),
                                            jobs.overview(1).workers()));
                    return true;
                }
            }
        }
        return false;
    }

    private static List<GateKey> keys(JobStatus job) {
        List<GateKey> keys = new ArrayList<>();
        keys.add(GateKey.queue(job.queue()));
        job.gates().forEach(gate -> keys.add(GateKey.gate(gate)));
        return keys;
    }

    /** Waits for one that is set aside, or that waits in its turn. */
    private boolean isKept(JobStatus job) {
        return job.state() == JobState.AWAITING
                && plain().dependencies().of(job.id()).stream()
                        .anyMatch(edge -> edge.isOpen()
                                && (edge.state() == JobState.PARKED || edge.state() == JobState.AWAITING));
    }

    /** When all is done: nothing is held, nothing is lost, and the tables say what the commits said. */
    private void lookAround() {
        // A place that a limiter left behind is held by the store's clock, which may have stepped back since.
        long left = tracks.gates().permitsUntil() - store.micros();
        timeline.runUntil(timeline.now() + Math.max(2 * parts.options().leaseNanos(), left * 1_000));
        JobStore jobs = plain();
        if (!jobs.recount().isEmpty()) {
            judge.broken("I13", "gates have drifted: " + jobs.recount());
        }
        tracks.gates().checkFree(store.micros());
        List<Long> lost = new ArrayList<>();
        for (long id : clients.acknowledged()) {
            Track track = tracks.find(id);
            if (track != null && track.stand != Stand.DELETED && jobs.find(dev.headgate.job.JobId.of(id)) == null) {
                lost.add(id);
            }
        }
        if (!lost.isEmpty()) {
            judge.broken("I1", "acknowledged, and nowhere to be found: " + lost);
        }
        conductor.lookAround();
        tracks.each(track -> new TableCheck(judge, jobs).check(track));
        rush.run();
        if (Dice.of(parts.options().seed(), 982).oneIn(4)) {
            freeKey.run();
        }
        stopAll();
        if (!judge.isOver() && Dice.of(parts.options().seed(), 984).oneIn(2)) {
            swamped.run(world);
            stopAll();
        }
    }

    private void stopAll() {
        world.hosts().forEach(host -> world.stop(host, false));
        timeline.runUntil(timeline.now() + parts.options().drainNanos() + 6 * SECOND);
        for (Host host : world.hosts()) {
            if (host.isUp()) {
                judge.broken(
                        "I29", "%s: asked to stop, and still there after its drain and five seconds".formatted(host));
            }
        }
        if (parts.leases().count() > 0 && !judge.isOver()) {
            timeline.runUntil(timeline.now() + 2 * parts.options().leaseNanos());
        }
        if (tracks.running() > 0) {
            judge.broken("I12", "%d leases are held though every worker has left".formatted(tracks.running()));
        }
    }
}

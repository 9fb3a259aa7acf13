package dev.headgate.proof.simulation;

import dev.headgate.handler.HandlerOptions;
import dev.headgate.handler.RetryPolicy;
import dev.headgate.internal.handler.Handler;
import dev.headgate.internal.handler.Handlers;
import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.json.JsonCodec;
import dev.headgate.internal.time.Ticker;
import dev.headgate.internal.worker.CompletionSignals;
import dev.headgate.internal.worker.EventPublisher;
import dev.headgate.internal.worker.RunningWorker;
import dev.headgate.internal.worker.WorkerSettings;
import dev.headgate.internal.workflow.RunStore;
import dev.headgate.job.JobType;
import dev.headgate.limit.Serve;
import dev.headgate.resource.Headroom;
import dev.headgate.resource.PoolBounds;
import dev.headgate.spi.WorkerRow;
import dev.headgate.store.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The processes that work: started, killed, stopped and started again. */
final class World {
    /** The parts that one simulated world shares. */
    record Parts(
            Options options,
            Judge judge,
            Timeline timeline,
            Tracks tracks,
            RunWatch runs,
            WorkerLeases leases,
            Instants instants,
            Faults faults) {}

    static final List<String> TYPES = List.of("work", "other");

    /** One for all worlds: each new one would learn again how to read and write what is always the same. */
    static final JsonCodec CODEC = new JsonCodec();

    private static final Duration TIMEOUT = Duration.ofSeconds(9);

    /** Longer than any world lasts. */
    private static final long DROWSY_NANOS = Duration.ofDays(1).toNanos();

    private final Parts parts;
    private final Timeline timeline;
    private final Options options;
    private final Theatre theatre;
    private final Programs programs;
    private final List<Host> hosts = new ArrayList<>();
    private final Map<Host, Line> lines = new HashMap<>();
    private final Map<Host, List<RunningWorker>> workers = new HashMap<>();
    private final Store store;
    private long pollNanos;
    private int lives;
    private boolean isHealing;

    World(Parts parts, Store store, Theatre theatre, Programs programs) {
        this.programs = programs;
        this.parts = parts;
        this.timeline = parts.timeline();
        this.options = parts.options();
        this.theatre = theatre;
        this.store = store;
        this.pollNanos = options.pollNanos();
        store.onCrash(this::bootLater);
        for (int i = 0; i < options.hosts(); i++) {
            add("process-" + i, 1_000 + i);
        }
    }

    private Host add(String name, int actor) {
        Host host = new Host(name);
        hosts.add(host);
        store.connect(host);
        lines.put(host, new Line(host, store, Dice.of(options.seed(), actor)));
        return host;
    }

    void open() {
        hosts.forEach(host -> timeline.after(1_000, null, () -> boot(host, false)));
    }

    /** Starts so many processes that look for work only if they are told of it. All others have stopped. */
    void openDrowsy(int count) {
        pollNanos = DROWSY_NANOS;
        for (int i = 0; i < count; i++) {
            boot(add("drowsy-" + i, 3_000 + i), false);
        }
    }

    Host host(int target) {
        return hosts.get(target % hosts.size());
    }

    Line line(Host host) {
        return java.util.Objects.requireNonNull(lines.get(host));
    }

    List<Host> hosts() {
        return hosts;
    }

    private void boot(Host host, boolean isOld) {
        if (host.isUp()) {
            return;
        }
        host.up();
        Dice dice = Dice.of(options.seed(), 10_000 + ++lives);
        List<RunningWorker> started = new ArrayList<>();
        workers.put(host, started);
        try {
            RunningWorker.Shared shared = shared(host, dice, isOld);
            for (int i = 0; i < options.workersPerHost(); i++) {
                RunningWorker worker = RunningWorker.start(shared, settings(host, dice, isOld));
                started.add(worker);
                if (host.isStopping()) {
                    worker.beginStop(false); // it was asked while it was being started
                }
            }
        } catch (StoreUnavailableException away) {
            host.die();
            bootLater(host);
        } catch (Crashed gone) {
            // The fault that killed it has planned its next life.
        }
    }

    private RunningWorker.Shared shared(Host host, Dice dice, boolean isOld) {
        long origin = dice.next() >> 20;
        Ticker ticker = () -> timeline.now() + origin;
        Handlers handlers = new Handlers();
        for (String type : isOld ? TYPES.subList(0, 1) : TYPES) {
            HandlerOptions how = HandlerOptions.DEFAULT
                    .timeout(TIMEOUT)
                    .retry(RetryPolicy.exponential(Duration.ofMillis(50)).max(Duration.ofSeconds(1)));
            handlers.add(new Handler<>(JobType.of(type, Payload.class), theatre::handle, how));
        }
        if (options.runsMax() > 0 && !isOld) {
            programs.register(handlers, CODEC, new RunStore(line(host)));
        }
        return new RunningWorker.Shared(
                new JobStore(line(host), ticker),
                handlers,
                CODEC,
                new CompletionSignals(),
                new EventPublisher(),
                ticker,
                dice::next,
                new HostStage(timeline, host, dice, theatre, parts.judge()));
    }

    private WorkerSettings settings(Host host, Dice dice, boolean isOld) {
        List<String> queues = new ArrayList<>(Options.QUEUES);
        if (isOld || (!isHealing && dice.oneIn(3))) {
            queues.remove(dice.below(queues.size()));
        }
        PoolBounds pool = options.isPoolMoving()
                ? PoolBounds.between(1, options.slots()).every(Duration.ofMillis(700))
                : PoolBounds.fixed(options.slots());
        Serve serve = dice.pick(List.of(Serve.OLDEST_FIRST, Serve.OLDEST_FIRST, Serve.STRICT, Serve.ROUND_ROBIN));
        return new WorkerSettings(
                host.name(),
                new WorkerSettings.Serving(List.copyOf(queues), serve, null),
                new WorkerSettings.Timing(
                        Duration.ofNanos(options.leaseNanos()),
                        Duration.ofNanos(options.drainNanos()),
                        Duration.ofNanos(pollNanos)),
                new WorkerSettings.Limits(pool, null, Headroom.ignored(), null, WorkerRow.LOST_MAX),
                WorkerSettings.Threads.VIRTUAL,
                null);
    }

    /** Kills it, and sees to it that it comes back. */
    void kill(Host host) {
        if (host.isUp()) {
            host.die();
            bootLater(host);
        }
    }

    private void bootLater(Host host) {
        Dice dice = Dice.of(options.seed(), 20_000 + ++lives);
        long pause = isHealing ? 1_000_000 : dice.spread(1_000_000, 2 * options.leaseNanos());
        boolean isOld = !isHealing && dice.oneIn(10);
        timeline.after(pause, null, () -> boot(host, isOld));
    }

    void replaceByOld(Host host) {
        if (host.isUp()) {
            host.die();
            timeline.after(1_000_000, null, () -> boot(host, true));
        }
    }

    /** Asks it to stop; comes back when it has. */
    void stop(Host host, boolean isNow) {
        if (!host.isUp() || host.isStopping()) {
            return;
        }
        host.stopping();
        workersOf(host).forEach(worker -> worker.beginStop(isNow));
        int life = host.life();
        timeline.after(10_000_000, host, () -> awaitStop(host, life));
    }

    private void awaitStop(Host host, int life) {
        if (host.life() != life) {
            return;
        }
        if (workersOf(host).stream().allMatch(RunningWorker::isStopped)) {
            host.die();
            if (!isHealing) {
                bootLater(host);
            }
        } else {
            timeline.after(20_000_000, host, () -> awaitStop(host, life));
        }
    }

    List<RunningWorker> workersOf(Host host) {
        return workers.getOrDefault(host, List.of());
    }

    /** Every process runs again, and one of them is of the newest version for sure. */
    void heal() {
        isHealing = true;
        Host fresh = hosts.getFirst();
        for (Host host : hosts) {
            host.heal();
            line(host).disarm();
            // One is new and can do everything; the others go on with whatever they believe.
            boolean goesOn = host.isUp() && !host.isStopping() && !host.equals(fresh);
            if (!goesOn) {
                if (host.isUp()) {
                    host.die();
                }
                bootLater(host);
            }
        }
    }
}

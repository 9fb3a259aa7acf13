package dev.headgate;

import dev.headgate.internal.text.Names;
import dev.headgate.internal.text.Served;
import dev.headgate.internal.worker.WorkerSettings;
import dev.headgate.internal.worker.WorkerSettings.Threads;
import dev.headgate.limit.Retention;
import dev.headgate.limit.Serve;
import dev.headgate.limit.Spans;
import dev.headgate.limiter.CustomLimit;
import dev.headgate.limiter.Limiter;
import dev.headgate.limiter.LocalLimiter;
import dev.headgate.resource.Headroom;
import dev.headgate.resource.PoolBounds;
import dev.headgate.spi.WorkerRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Configures a worker and starts it; {@link #start} reports every fault at once. Not thread-safe. */
public final class WorkerBuilder {
    private static final int SLOTS_MAX = 100_000;
    private static final Duration LEASE_MIN = Duration.ofMillis(600);
    private static final Duration LEASE_MAX = Duration.ofDays(1);
    /** How many workers a job may lose unless {@link #lostMax} says otherwise. */
    public static final int LOST_MAX = WorkerRow.LOST_MAX;

    private static final int LOST_MAX_MAX = 1_000;

    private final Function<WorkerSettings, Worker> starter;
    private final List<String> queues;
    private String name = "worker";
    private PoolBounds pool = PoolBounds.fixed(10);
    private Threads threads = Threads.VIRTUAL;
    private Duration lease = Duration.ofSeconds(30);
    private Duration drain = Duration.ofSeconds(30);
    private Duration pollEvery = Duration.ofSeconds(30);
    private @Nullable Duration retention;
    private @Nullable LocalLimiter limiter;
    private @Nullable Headroom room;
    private @Nullable Duration until;
    private Serve serve = Serve.OLDEST_FIRST;
    private int lostMax = LOST_MAX;
    private final List<Runnable> warmUps = new ArrayList<>();

    WorkerBuilder(List<String> queues, Function<WorkerSettings, Worker> starter) {
        this.queues = queues;
        this.starter = starter;
    }

    /** How many jobs run at once, 1 to 100,000. Default: 10. */
    public WorkerBuilder slots(int jobs) {
        return slots(PoolBounds.fixed(jobs));
    }

    /**
     * Runs {@code min} to {@code max} jobs at once: more while there are jobs that could start at once, fewer after a
     * minute in which fewer were enough. Jobs that a limit or a pause holds back are no reason to grow.
     */
    public WorkerBuilder slots(int min, int max) {
        return slots(PoolBounds.between(min, max));
    }

    /** The same with steps and times of one's own. */
    public WorkerBuilder slots(PoolBounds bounds) {
        this.pool = bounds;
        return this;
    }

    /** A name for people, such as the host name; need not be unique. Default: {@code worker}. */
    public WorkerBuilder name(String forPeople) {
        this.name = forPeople;
        return this;
    }

    /**
     * How long the worker keeps its jobs after its last heartbeat; then other workers get them. It sends one every sixth of
     * this. Shorter recovers faster from a crash, longer survives a longer pause of the process; 600 ms to 1 day. Default: 30
     * seconds.
     */
    public WorkerBuilder lease(Duration time) {
        this.lease = time;
        return this;
    }

    /**
     * How many workers a job that it runs may lose before the job fails. A worker is lost if its lease ends and its process
     * does not come back (killed, out of memory, a machine that is gone); a suspended machine or a clock that jumped does not
     * count. A job that ran beside others when its worker was lost may lose twice as many. Default: 3.
     */
    public WorkerBuilder lostMax(int workers) {
        this.lostMax = workers;
        return this;
    }

    /** How long {@link Worker#stop} lets handlers finish before it interrupts them. Default: 30 seconds. */
    public WorkerBuilder drain(Duration time) {
        this.drain = time;
        return this;
    }

    /** Runs handlers on platform threads, for code that does not work well on virtual ones. Default: virtual threads. */
    public WorkerBuilder platformThreads() {
        this.threads = Threads.PLATFORM;
        return this;
    }

    /**
     * Ended jobs of its queues are kept for at least this long; zero means for ever. If less is stored, the worker stores this when
     * it starts, as a change of policies; it never shortens anything. Default: what is stored, which is 7 days if nothing is.
     */
    public WorkerBuilder retention(Duration time) {
        this.retention = time;
        return this;
    }

    /** Ended jobs of its queues are never deleted by themselves: the same as a retention of zero. */
    public WorkerBuilder keepForever() {
        return retention(Duration.ZERO);
    }

    /** How often it looks for work if nothing wakes it, at least every 10 ms; a safety net. Default: 30 seconds. */
    public WorkerBuilder pollEvery(Duration time) {
        this.pollEvery = time;
        return this;
    }

    /**
     * Limits that are meant for this process alone, such as what its machine can bear: {@code inProcess(concurrency(3))}.
     * Each job counts 1, whatever it costs, from the entry of its handler until that has returned. What the limiter would not let
     * start is not claimed and stays free for other workers. Limits that hold over all workers belong to gates and queues.
     */
    public WorkerBuilder limiter(LocalLimiter ofThisProcess) {
        this.limiter = ofThisProcess;
        return this;
    }

    /**
     * The same with a limit of your own. For several workers, make one limiter of it and give that to all of them:
     * {@code LocalLimiter shared = Limiter.inProcess(new Seats())}.
     */
    public WorkerBuilder limiter(CustomLimit own) {
        return limiter(Limiter.inProcess(own));
    }

    /**
     * Which of its queues gets a free slot first: {@code serving(Serve.STRICT)} the one named first,
     * {@code Serve.ROUND_ROBIN} each in turn, {@code Serve.weighted(Map.of("mail", 3, "reports", 1))} in proportion.
     * Default: the oldest job of all of them.
     */
    public WorkerBuilder serving(Serve order) {
        this.serve = order;
        return this;
    }

    /**
     * The memory and other resources that its jobs may use; see {@link Headroom}. It does not claim a job that needs more than
     * is free; other workers may. What a job needs is what its handler declares, or what earlier runs have shown. Default: {@link Headroom#system}
     * if any handler here declares needs or a run time, or the heap is smaller than 768 MB; else {@link Headroom#ignored}.
     */
    public WorkerBuilder headroom(Headroom ofThisWorker) {
        this.room = ofThisWorker;
        return this;
    }

    /** The same as {@link Worker#finishWithin}, from the start on. Default: it has all the time. */
    public WorkerBuilder finishWithin(Duration time) {
        this.until = time;
        return this;
    }

    /**
     * Runs this code when the worker starts, before it claims anything: what the first job would otherwise wait for, such as
     * the first connection of a client library. Several run in their order. The worker waits for them; what one throws is
     * logged, and the worker starts all the same. Handlers that are classes can do the same in {@code JobHandler.warmUp}. What reads
     * payloads, the built-in {@code http} type and the claim itself are warmed up in any case.
     */
    public WorkerBuilder warmUp(Runnable beforeTheFirstClaim) {
        this.warmUps.add(beforeTheFirstClaim);
        return this;
    }

    /**
     * Checks everything and starts nothing.
     *
     * @throws IllegalArgumentException if {@link #start} would complain
     */
    public void check() {
        settings();
    }

    /** Checks everything, registers the worker and starts to run jobs. */
    public Worker start() {
        return starter.apply(settings());
    }

    WorkerSettings settings() {
        Problems faults = new Problems();
        faults.expect(!queues.isEmpty(), () -> "queues: expected at least one name, got none");
        queues.forEach(queue -> faults.collect(() -> Served.check(queue)));
        faults.collect(() -> Names.check("name", name));
        pool.faults("slots", SLOTS_MAX).forEach(fault -> faults.expect(false, () -> fault));
        faults.expect(
                lease.compareTo(LEASE_MIN) >= 0 && lease.compareTo(LEASE_MAX) <= 0,
                () -> "lease: expected %s to %s, got %s"
                        .formatted(Spans.text(LEASE_MIN), Spans.text(LEASE_MAX), lease));
        faults.expect(!drain.isNegative(), () -> "drain: expected zero or more, got %s".formatted(drain));
        faults.expect(
                pollEvery.compareTo(Duration.ofMillis(10)) >= 0,
                () -> "pollEvery: expected at least 10 milliseconds, got %s".formatted(pollEvery));
        faults.expect(
                retention == null || !retention.isNegative(),
                () -> "retention: expected a positive duration, or zero for ever, got %s".formatted(retention));
        for (String queue : retention == null ? List.<String>of() : queues) {
            faults.expect(
                    !Served.isPattern(queue) || queue.equals("*"),
                    () ->
                            "retention: expected names of queues, or * for all, got the pattern '%s'; ended jobs are kept by their queue"
                                    .formatted(queue));
        }
        faults.expect(
                lostMax >= 1 && lostMax <= LOST_MAX_MAX,
                () -> "lostMax: expected 1 to %d workers, got %d".formatted(LOST_MAX_MAX, lostMax));
        serve.faults(queues).forEach(fault -> faults.expect(false, () -> fault));
        faults.expect(
                until == null || !(until.isNegative() || until.isZero()),
                () -> "finishWithin: expected a positive duration, got %s".formatted(until));
        faults.throwIfAny("worker");
        List<String> distinct = queues.stream().distinct().toList();
        Retention kept = retention == null ? null : new Retention(retention.isZero() ? null : retention);
        return new WorkerSettings(
                name,
                new WorkerSettings.Serving(distinct, serve, kept),
                new WorkerSettings.Timing(lease, drain, pollEvery),
                new WorkerSettings.Limits(pool, limiter, room, until, lostMax),
                threads,
                List.copyOf(warmUps));
    }
}

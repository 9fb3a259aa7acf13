package dev.headgate.internal.worker;

import dev.headgate.event.Event;
import dev.headgate.internal.handler.BatchGroup;
import dev.headgate.internal.handler.Handler;
import dev.headgate.internal.handler.Handlers;
import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.json.JsonCodec;
import dev.headgate.internal.lease.Departure;
import dev.headgate.internal.lease.EndedLease;
import dev.headgate.internal.operate.HoldStore;
import dev.headgate.internal.text.Served;
import dev.headgate.internal.time.Chance;
import dev.headgate.internal.time.Micros;
import dev.headgate.internal.time.Nanos;
import dev.headgate.internal.time.Ticker;
import dev.headgate.job.JobSpec;
import dev.headgate.job.Outcome;
import dev.headgate.limiter.Denied;
import dev.headgate.limiter.Limiter;
import dev.headgate.limiter.LocalLimiter;
import dev.headgate.limiter.Permit;
import dev.headgate.spi.Backend.Subscription;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.Wake;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One worker: its loops and its slots, started together and stopped in order.
 *
 * <pre>{@code
 *   store ──turn──► ClaimLoop ──start──► Slots ──ended──► (ReportLoop, if it said something) ──► OutcomeQueue ──► ClaimLoop
 *   HeartbeatLoop: heartbeats, cancels        TimeoutLoop: time-outs, the end of the lease        MaintenanceLoop: reap, prune, revive
 *   ScheduleLoop: schedules
 * }</pre>
 */
public final class RunningWorker {
    private static final Logger log = LoggerFactory.getLogger(RunningWorker.class);

    /** What the workers of one process share. */
    public record Shared(
            JobStore store,
            Handlers handlers,
            JsonCodec codec,
            CompletionSignals completions,
            EventPublisher events,
            Ticker ticker,
            Chance chance,
            LoopRunner runner) {}

    private final Shared shared;
    private final WorkerSettings settings;
    private final List<String> queues;
    private final WorkerLease workerLease;
    private final OutcomeQueue outcomes = new OutcomeQueue(this::survived);
    private final JobHost host = new WorkerJobHost();
    private final Slots slots;
    private final ResourceTracker resources;
    private final SlotPool pool;
    private final TimeoutLoop timeouts;
    private final ReportLoop reports;
    private final MaintenanceLoop maintenance;
    private final ScheduleLoop schedules;
    private final HeartbeatLoop heartbeats;
    private final ClaimLoop claimLoop;
    private final Shutdown shutdown;

    private RunningWorker(Shared shared, WorkerSettings settings, WorkerLease workerLease) {
        this.shared = shared;
        this.settings = settings;
        this.queues = settings.serving().queues();
        this.workerLease = workerLease;
        this.slots = new Slots(
                shared.runner().handlerRunner(settings.threads()), shared.codec(), shared.chance(), this::ended);
        this.resources = new ResourceTracker(shared, settings, slots);
        this.timeouts = new TimeoutLoop(shared, settings, workerLease, slots);
        this.reports = new ReportLoop(shared, settings, this::deliver);
        this.maintenance = new MaintenanceLoop(shared, settings, resources);
        this.schedules = new ScheduleLoop(shared, settings);
        this.heartbeats = new HeartbeatLoop(shared, settings, workerLease, slots, new WorkerNews());
        this.pool = new SlotPool(shared, settings, workerLease, slots, resources::isTight, this::wasResized);
        JobStarter starter = new JobStarter(shared.handlers(), settings.name(), workerLease, outcomes, new JobRunner());
        this.claimLoop = new ClaimLoop(
                shared,
                settings,
                workerLease,
                new ClaimLoop.Parts(slots, pool, resources, outcomes, starter::start, heartbeats::lose));
        resources.onShut(heartbeats::tellSoon);
        this.shutdown = new Shutdown(shared, settings, slots, claimLoop, this::leave);
    }

    /** Registers the worker and starts it; throws if the store cannot be reached now. */
    public static RunningWorker start(Shared shared, WorkerSettings settings) {
        WarmUp warmUp = new WarmUp(shared, settings);
        warmUp.handlers();
        String id = shared.chance().id();
        long sent = shared.ticker().nanos();
        HeartbeatLoop.register(shared, settings, id, shared.handlers().types());
        WorkerLease workerLease =
                new WorkerLease(shared.ticker(), Nanos.of(settings.timing().lease()), id, sent);
        RunningWorker worker = new RunningWorker(shared, settings, workerLease);
        warmUp.patterns();
        warmUp.turn(id);
        worker.open();
        return worker;
    }

    private void open() {
        resources.open();
        resources.tell(workerLease.id(), pool.size());
        Subscription subscription = shared.store().backend().listen(this::woken);
        LocalLimiter limiter = settings.limits().limiter();
        LocalLimiter.Subscription bell = limiter == null ? () -> {} : limiter.listen(claimLoop.loop()::wake);
        shutdown.closeLater(() -> {
            subscription.close();
            bell.close();
        });
        String id = workerLease.id();
        shared.events().tell(() -> new Event.WorkerStarted(id, settings.name()));
        loops().forEach(Loop::start);
        log.info(
                "worker {} ({}): serves {} with {} to {} slots and handlers for {}",
                workerLease.id(),
                settings.name(),
                settings.serving().queues(),
                settings.limits().pool().min(),
                settings.limits().pool().max(),
                shared.handlers().types());
    }

    private List<Loop> loops() {
        Stream<Loop> all = Stream.of(
                timeouts.loop(),
                heartbeats.loop(),
                reports.loop(),
                maintenance.loop(),
                schedules.loop(),
                claimLoop.loop());
        return (settings.limits().pool().isFixed() ? all : Stream.concat(all, Stream.of(pool.loop()))).toList();
    }

    private void survived(JobRow lease) {
        maintenance.survived(lease);
    }

    private void wasResized() {
        claimLoop.hint();
        heartbeats.tellSoon();
    }

    public String id() {
        return workerLease.id();
    }

    public long lateStarts() {
        return claimLoop.lateStarts();
    }

    public int busy() {
        return slots.busy();
    }

    /** From now on starts only jobs that are expected to be done in this time. */
    public void finishWithin(Duration time) {
        resources.finishWithin(time);
        claimLoop.hint();
    }

    /** How many jobs the latest turn passed over, because they did not fit. */
    public int passedOver() {
        return resources.passed();
    }

    /** The most handlers it runs at once, as of now. */
    public int slots() {
        return pool.size();
    }

    public boolean awaitIdle(Duration timeout) throws InterruptedException {
        long until = shared.ticker().nanos() + Nanos.of(timeout);
        boolean isIdle;
        do {
            isIdle =
                    claimLoop.awaitIdle(Duration.ofNanos(until - shared.ticker().nanos()));
        } while (isIdle && !schedules.hasCaughtUp());
        return isIdle;
    }

    /** Begins to stop; {@code isNow} does not let handlers finish, also if a gentle stop is under way. */
    public void beginStop(boolean isNow) {
        shutdown.begin(isNow);
    }

    /** Stops and waits for the end, for the drain and five seconds at most. */
    public void stop(boolean isNow) {
        shutdown.begin(isNow);
        shutdown.await();
    }

    public boolean isStopped() {
        return shutdown.isOver();
    }

    private void woken(Wake wake) {
        switch (wake) {
            case Wake.Queue(String name) -> {
                if (Served.covers(queues, name)) {
                    claimLoop.hint();
                }
            }
            case Wake.Coming(String queue) -> {
                if (Served.covers(queues, queue)) {
                    claimLoop.expectJob();
                }
            }
            case Wake.Cancel cancel -> heartbeats.lookSoon();
            case Wake.Anything anything -> {
                claimLoop.hint();
                heartbeats.lookSoon();
                schedules.lookSoon();
            }
        }
    }

    private void ended(RunningJob run, Outcome outcome) {
        if (outcome instanceof Outcome.Late && !run.hasEntered()) {
            long granted = run.callTime().grant().nanos();
            claimLoop.lateStartControl().late(granted, shared.ticker().nanos());
        }
        run.handler().batchGroup().left(new BatchGroup.Ticket(run.row().id(), run.epoch()));
        UnsavedReports notes = run.notes();
        if (notes != null && notes.isWaiting()) {
            reports.leaves(run, outcome);
        } else {
            deliver(run, outcome);
        }
    }

    private void deliver(RunningJob run, Outcome outcome) {
        Duration measured = outcome instanceof Outcome.Late(var late)
                ? late
                : run.callTime().lag();
        int passes = outcome instanceof Outcome.Late ? run.callTime().grant().passes() : 0;
        Long lag = measured == null ? null : Long.valueOf(Micros.of(measured));
        outcomes.put(new EndedLease(run.row(), outcome, run.settled(), run.move(), lag, passes));
        claimLoop.loop().wake();
    }

    /** The last steps, once nothing runs any more: no heartbeat may follow the goodbye. */
    private void leave() throws InterruptedException {
        loops().forEach(Loop::finish);
        for (Loop loop : loops()) {
            loop.join(Duration.ofMillis(200));
        }
        slots.close();
        resources.leave();
        if (!workerLease.isLost()) {
            shared.store().deregister(workerLease.id());
        }
        log.info("worker {} ({}): stopped", workerLease.id(), settings.name());
        String id = workerLease.id();
        shared.events().tell(() -> new Event.WorkerStopped(id, settings.name()));
    }

    private final class JobRunner implements JobStarter.Runner {
        @Override
        public boolean isClaiming() {
            return claimLoop.isClaiming();
        }

        @Override
        public void run(JobRow row, Handler<?> handler, GrantTime grant) {
            long now = shared.ticker().nanos();
            Duration own = row.spec().tries().timeout();
            Duration timeout = own == null ? handler.options().timeout() : own;
            boolean isBatched = !handler.batchGroup().equals(BatchGroup.NONE); // a batch starts its timeout
            RunTimeLimit due = RunTimeLimit.atDeadline(row, now).orAfter(isBatched ? null : timeout, now);
            slots.start(new RunningJob(row, handler, host, due, grant)
                    .holding(resources.admit(row.id(), row.spec().type())));
            timeouts.expect(due);
        }
    }

    private final class WorkerJobHost implements JobHost {
        @Override
        public long nanos() {
            return shared.ticker().nanos();
        }

        @Override
        public @Nullable Permit enter(RunningJob run) {
            LocalLimiter limiter = settings.limits().limiter();
            Limiter.Answer place = limiter == null ? null : limiter.tryAcquire();
            if (place instanceof Denied) {
                // Another worker of this process took the place after the turn that claimed the job.
                throw new HandlerNotEntered(new Outcome.HandedBack());
            }
            return place instanceof Permit permit ? permit : null;
        }

        @Override
        public void entered(RunningJob run) {
            shared.events().tell(() -> EventText.started(run.row()));
            slots.entered();
            if (run.isBatched()) {
                timeouts.expect(run.due());
            }
            GrantTime grant = run.callTime().grant();
            if (grant.isTimed()
                    && claimLoop
                            .lateStartControl()
                            .inTime(grant.nanos(), run.callTime().isSoon())) {
                claimLoop.hint();
            }
            if (settings.limits().limiter() != null) {
                claimLoop.loop().wake(); // the place kept for this run may be claimed now, if one is left
            }
        }

        @Override
        public long leaseUntilNanos() {
            return workerLease.leaseUntilNanos();
        }

        @Override
        public void reported(RunningJob run) {
            reports.talks(run);
        }

        @Override
        public HoldStore.PushedBack pushBack(RunningJob run, Outcome.PushedBack pushed) {
            return shared.store().holds().pushBack(run.row(), pushed);
        }

        @Override
        public void rest(long nanos) {
            shared.runner().rest(nanos);
        }

        @Override
        public Departure depart(RunningJob run) {
            return shared.store().depart(run.row());
        }

        @Override
        public int jitter() {
            return Jitter.of(shared.chance());
        }

        @Override
        public int slotsMax() {
            return settings.limits().pool().max();
        }

        @Override
        public boolean areShut(List<JobSpec> jobs, Duration time) {
            return shared.store().areShut(jobs, time);
        }

        @Override
        public DependencyResults results() {
            return new DependencyResults(shared.store(), shared.codec());
        }
    }

    private final class WorkerNews implements HeartbeatLoop.News {
        @Override
        public void isReapDue() {
            maintenance.reapSoon();
        }

        @Override
        public void hasBeaten(String worker) {
            resources.tell(worker, pool.size());
        }

        @Override
        public void isFitAgain() {
            claimLoop.hint();
        }

        @Override
        public void survived(JobRow lease) {
            maintenance.survived(lease);
        }
    }
}

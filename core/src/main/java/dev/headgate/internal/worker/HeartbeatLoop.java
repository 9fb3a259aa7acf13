package dev.headgate.internal.worker;

import dev.headgate.event.Event;
import dev.headgate.internal.lease.Heartbeat;
import dev.headgate.internal.lease.WorkerLostException;
import dev.headgate.internal.time.Nanos;
import dev.headgate.internal.worker.RunningWorker.Shared;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.JobTable.LeaseRef;
import dev.headgate.spi.WorkerRow;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the worker alive in the store: a heartbeat every sixth of the lease, in a transaction and on a thread of its
 * own, and a new registration if the store has given the worker up for lost. The answer to a heartbeat names the jobs
 * to stop.
 *
 * <p>All requests of this loop use the connection that is kept for it ({@code Backend.writeApart} and {@code
 * readApart}). On the application's pool, handlers may hold every other connection for longer than the lease.
 */
final class HeartbeatLoop {
    private static final Logger log = LoggerFactory.getLogger(HeartbeatLoop.class);
    private static final long LOOK_NANOS = Duration.ofMillis(50).toNanos();

    private final Loop loop;
    private final Shared shared;
    private final WorkerSettings settings;
    private final WorkerLease workerLease;
    private final Slots slots;
    private final News news;
    private final StoreBackoff backoff;
    private final long beatNanos;
    private volatile boolean isLookAsked;
    private volatile boolean isJoinDue;
    private volatile boolean isTellAsked;
    private long nextBeatNanos;
    private long nextLookNanos;

    /** What other parts of the worker learn from this loop. */
    interface News {
        void isReapDue();

        /** The store has just extended the lease of the worker under this id. */
        void hasBeaten(String worker);

        /** Claims that were held up may go on. */
        void isFitAgain();

        /** The store has given this worker up for lost, but it is alive, and this was one of its leases. */
        void survived(JobRow lease);
    }

    HeartbeatLoop(Shared shared, WorkerSettings settings, WorkerLease workerLease, Slots slots, News news) {
        this.loop = shared.runner().loop("keeper", settings.name(), this::round);
        this.shared = shared;
        this.settings = settings;
        this.workerLease = workerLease;
        this.slots = slots;
        this.news = news;
        this.beatNanos = Nanos.of(settings.timing().lease()) / 6;
        this.nextBeatNanos = shared.ticker().nanos() + beatNanos;
        this.nextLookNanos = shared.ticker().nanos();
        this.backoff = new StoreBackoff(
                log, shared.ticker(), shared.chance(), settings.timing().lease().dividedBy(12));
    }

    /** A job that runs here may have been cancelled. */
    void lookSoon() {
        isLookAsked = true;
        loop.wake();
    }

    /** The worker has news that should not wait for the next heartbeat. */
    void tellSoon() {
        isTellAsked = true;
        loop.wake();
    }

    private long round() {
        String id = workerLease.id();
        try {
            act(id);
        } catch (WorkerLostException lost) {
            lose(id);
            return 0;
        } catch (RuntimeException away) {
            long now = shared.ticker().nanos();
            nextBeatNanos = now + backoff.fail("heartbeat of worker " + id, away);
            nextLookNanos = nextBeatNanos;
        }
        long next = isLookAsked && nextLookNanos - nextBeatNanos < 0 ? nextLookNanos : nextBeatNanos;
        return next - shared.ticker().nanos();
    }

    private void act(String id) {
        if (isTellAsked && !workerLease.isLost()) {
            isTellAsked = false;
            news.hasBeaten(id);
        }
        long now = shared.ticker().nanos();
        if (isJoinDue || nextBeatNanos - now <= 0) {
            isJoinDue = false;
            isLookAsked = false;
            if (workerLease.isLost()) {
                joinAnew();
            } else {
                beat(id);
            }
            backoff.succeed("heartbeat of worker " + workerLease.id());
            nextBeatNanos = now + beatNanos;
            nextLookNanos = now + LOOK_NANOS;
        } else if (isLookAsked && nextLookNanos - now <= 0) {
            isLookAsked = false;
            look(id);
            nextLookNanos = now + LOOK_NANOS;
        }
    }

    private void beat(String id) {
        Map<LeaseRef, RunningJob> held = held(id);
        long sent = shared.ticker().nanos();
        Heartbeat answer = shared.store().heartbeat(id, settings.timing().lease(), held.keySet());
        // Asked after the answer has come: it may have taken so long that claims stopped meanwhile.
        boolean wasFit = workerLease.mayClaim();
        workerLease.heard(id, sent);
        if (!wasFit) {
            news.isFitAgain();
        }
        stop(held, answer.toStop());
        if (answer.isReapDue()) {
            news.isReapDue();
        }
        news.hasBeaten(id);
    }

    /**
     * Only reads. Some stores learn of other processes by their commits and wake this loop at each of them; if it
     * wrote, two idle workers would wake each other for ever.
     */
    private void look(String id) {
        Map<LeaseRef, RunningJob> held = held(id);
        if (!held.isEmpty()) {
            stop(held, shared.store().toStop(id, held.keySet()));
        }
    }

    private Map<LeaseRef, RunningJob> held(String id) {
        Map<LeaseRef, RunningJob> held = new HashMap<>();
        for (RunningJob run : slots.running()) {
            if (run.worker().equals(id)) {
                held.put(run.lease(), run);
            }
        }
        return held;
    }

    /** Stops only the runs that were asked about: a run of the same job that has started since is not meant. */
    private void stop(Map<LeaseRef, RunningJob> held, List<Long> jobs) {
        if (!jobs.isEmpty()) {
            Set<Long> asked = Set.copyOf(jobs);
            held.values().stream().filter(run -> asked.contains(run.row().id())).forEach(this::cancel);
        }
    }

    private void cancel(RunningJob run) {
        if (!run.isCancelled()) {
            log.info("{}: asked to stop; its handler is interrupted", run);
            run.stop(StopReason.CANCELLED);
        }
    }

    /** Other workers have these jobs now. */
    void lose(String id) {
        if (workerLease.lose(id)) {
            log.warn(
                    "worker {}: given up for lost by the store; {} handlers are interrupted, what they did does not count,"
                            + " and the worker registers anew",
                    id,
                    slots.busy());
            held(id).values().forEach(run -> news.survived(run.row()));
            slots.stopAll(id, StopReason.LOST);
            shared.events().tell(() -> new Event.WorkerLost(id, settings.name()));
            isJoinDue = true;
            loop.wake();
        }
    }

    private void joinAnew() {
        String id = shared.chance().id();
        long sent = shared.ticker().nanos();
        // Revives no parked jobs: that would need connections that handlers may hold. A maintenance loop does it within
        // seconds.
        register(shared, settings, id, List.of());
        workerLease.join(id, sent);
        news.isFitAgain();
        log.info("worker {}: registered anew", id);
    }

    /** @param handlers revives jobs that were parked because these were missing */
    static void register(Shared shared, WorkerSettings settings, String id, Collection<String> handlers) {
        WorkerRow row = new WorkerRow(
                id,
                settings.name(),
                settings.serving().queues(),
                settings.limits().pool().min(),
                0,
                0,
                List.of(),
                "",
                settings.limits().lostMax());
        shared.store().register(row, settings.timing().lease(), handlers);
    }

    Loop loop() {
        return loop;
    }
}

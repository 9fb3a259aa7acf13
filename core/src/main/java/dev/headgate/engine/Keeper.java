package dev.headgate.engine;

import dev.headgate.engine.RunningWorker.Shared;
import dev.headgate.store.JobTable.LeaseRef;
import dev.headgate.store.WorkerRow;
import dev.headgate.time.Nanos;
import dev.headgate.transition.Heartbeat;
import dev.headgate.transition.WorkerLostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the worker alive in the store: a heartbeat every sixth of the lease, in a transaction and on a thread of its own,
 * and a new registration if the worker was given up for lost. A heartbeat's answer tells which jobs to stop.
 */
final class Keeper {
    private static final Logger log = LoggerFactory.getLogger(Keeper.class);

    private final Loop loop;
    private final Shared shared;
    private final WorkerSettings settings;
    private final Membership membership;
    private final Slots slots;
    private final News news;
    private final Backoff backoff;
    private final long beatNanos;

    /** What others want to hear from the keeper. */
    interface News {
        void isReapDue();

        /** Claims may go on that were held up. */
        void isFitAgain();
    }

    Keeper(Shared shared, WorkerSettings settings, Membership membership, Slots slots, News news) {
        this.loop = new Loop("keeper", settings.name(), this::round);
        this.shared = shared;
        this.settings = settings;
        this.membership = membership;
        this.slots = slots;
        this.news = news;
        this.beatNanos = Nanos.of(settings.lease()) / 6;
        this.backoff = new Backoff(
                log, shared.ticker(), shared.chance(), settings.lease().dividedBy(12));
    }

    private long round() {
        String id = membership.id();
        boolean wasFit = membership.mayClaim();
        try {
            if (membership.isLost()) {
                joinAnew();
            } else {
                beat(id);
            }
        } catch (WorkerLostException lost) {
            lose(id);
            return 0;
        } catch (RuntimeException away) {
            return backoff.fail("heartbeat of worker " + id, away);
        }
        backoff.succeed("heartbeat of worker " + membership.id());
        if (!wasFit) {
            news.isFitAgain();
        }
        return beatNanos;
    }

    private void beat(String id) {
        Map<Long, List<Run>> byJob = new HashMap<>();
        List<LeaseRef> held = new ArrayList<>();
        for (Run run : slots.running()) {
            if (run.worker().equals(id)) {
                byJob.computeIfAbsent(run.row().id(), job -> new ArrayList<>(1)).add(run);
                held.add(run.lease());
            }
        }
        long sent = shared.ticker().nanos();
        Heartbeat answer = shared.store().heartbeat(id, settings.lease(), held);
        membership.heard(id, sent);
        // The runs as they were when asked: one that has ended since, and started anew, is not meant.
        for (Long job : answer.toStop()) {
            byJob.getOrDefault(job, List.of()).forEach(this::cancel);
        }
        if (answer.isReapDue()) {
            news.isReapDue();
        }
    }

    private void cancel(Run run) {
        if (!run.isCancelled()) {
            log.info("{}: asked to stop; its handler is interrupted", run);
            run.stop(Stop.CANCELLED);
        }
    }

    /** Others have our jobs now. */
    void lose(String id) {
        if (membership.lose(id)) {
            log.warn(
                    "worker {}: given up for lost by the store; {} handlers are interrupted, what they did does not count,"
                            + " and the worker registers anew",
                    id,
                    slots.busy());
            slots.stopAll(id, Stop.LOST);
            loop.wake();
        }
    }

    private void joinAnew() {
        String id = shared.chance().id();
        long sent = shared.ticker().nanos();
        register(shared, settings, id);
        membership.join(id, sent);
        log.info("worker {}: registered anew", id);
    }

    static void register(Shared shared, WorkerSettings settings, String id) {
        WorkerRow row = new WorkerRow(id, settings.name(), settings.queues(), settings.slots(), 0, 0, List.of());
        shared.store().register(row, settings.lease(), shared.handlers().types());
    }

    Loop loop() {
        return loop;
    }
}

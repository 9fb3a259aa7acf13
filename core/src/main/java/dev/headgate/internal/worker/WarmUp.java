package dev.headgate.internal.worker;

import dev.headgate.internal.admission.ClaimPlan.Head;
import dev.headgate.internal.admission.JobFit;
import dev.headgate.internal.admission.QueueTurns;
import dev.headgate.internal.lane.WaitingQueues;
import dev.headgate.internal.lease.TurnRequest;
import dev.headgate.internal.text.Served;
import dev.headgate.internal.worker.RunningWorker.Shared;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a worker does before its first claim, so that the first job does not wait for it: in a fresh process classes are
 * loaded and statements prepared when they are first used, which takes longer than most margins allow. A failure here
 * does not keep the worker from starting.
 */
final class WarmUp {
    private static final Logger log = LoggerFactory.getLogger(WarmUp.class);

    /** Capacity for nothing, so that a turn reads all jobs that may start and leases none of them. */
    private static final JobFit NOTHING = new JobFit() {
        @Override
        public Trial trial() {
            return (Head head) -> false;
        }

        @Override
        public int sight() {
            return 0;
        }

        @Override
        public boolean hasPassed(long job) {
            return true; // other workers need not be told
        }

        @Override
        public boolean hasPassedLane(String lane) {
            return false;
        }
    };

    private final Shared shared;
    private final WorkerSettings settings;

    WarmUp(Shared shared, WorkerSettings settings) {
        this.shared = shared;
        this.settings = settings;
    }

    /** Warms up the JSON codec, the handlers, and what the program asked for. Before the worker has a lease to keep. */
    void handlers() {
        List<Runnable> asked = settings.warmUps();
        if (asked == null) {
            return;
        }
        shared.handlers().all().forEach((type, handler) -> {
            try {
                handler.warmUp(shared.codec());
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            } catch (Exception | LinkageError fault) {
                log.warn(
                        "worker {}: the warm-up for '{}' failed; it starts all the same", settings.name(), type, fault);
            }
        });
        for (Runnable each : asked) {
            try {
                each.run();
            } catch (RuntimeException | LinkageError fault) {
                log.warn("worker {}: a warm-up failed; it starts all the same", settings.name(), fault);
            }
        }
    }

    /** Tells of patterns that cover nothing yet: often that is right, and sometimes the pattern is mistyped. */
    void patterns() {
        for (String pattern : settings.serving().queues()) {
            if (!Served.isPattern(pattern)) {
                continue;
            }
            try {
                boolean isNone = shared.store()
                        .backend()
                        .read(tx ->
                                WaitingQueues.of(tx, List.of(pattern)).queues().isEmpty());
                if (isNone) {
                    log.info(
                            "worker {}: nothing waits now in a queue that {} covers; it serves those that come",
                            settings.name(),
                            pattern);
                }
            } catch (RuntimeException fault) {
                log.debug("worker {}: could not look for queues of {}", settings.name(), pattern, fault);
            }
        }
    }

    /** One turn that reads jobs as a claim does, and starts none. */
    void turn(String worker) {
        if (settings.warmUps() == null) {
            return;
        }
        QueueTurns serving =
                new QueueTurns(settings.serving().order(), settings.serving().queues());
        try {
            shared.store()
                    .turnaround(new TurnRequest(
                            worker, settings.serving().queues(), 1, List.of(), Duration.ZERO, serving, NOTHING, 0));
        } catch (RuntimeException fault) {
            log.debug("worker {}: could not look ahead; its first turn will find out why", settings.name(), fault);
        }
    }
}

package dev.headgate.internal.worker;

import dev.headgate.figure.FigureFilter;
import dev.headgate.internal.figure.FigureKeeper;
import dev.headgate.internal.gate.StrandedLines;
import dev.headgate.internal.operate.PruneEnded;
import dev.headgate.internal.operate.PruneGates;
import dev.headgate.internal.time.Nanos;
import dev.headgate.internal.worker.RunningWorker.Shared;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.JobRow;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cleans up for all workers: takes back jobs of dead workers, deletes old history and rows that say nothing, revives
 * parked jobs whose handler is here or that fit by now, and stores what was learnt of job types. Wakes lines that are
 * stranded, and logs that: see {@link StrandedLines}. Has a thread of its own, because a heartbeat must not wait for
 * any of this.
 */
final class MaintenanceLoop {
    private static final Logger log = LoggerFactory.getLogger(MaintenanceLoop.class);
    private static final Duration PRUNE_EVERY_MIN = Duration.ofSeconds(1);
    private static final Duration PRUNE_EVERY_MAX = Duration.ofMinutes(5);
    private static final Duration JOURNAL_EVERY = Duration.ofMinutes(10);
    private static final Duration GATES_EVERY = Duration.ofMinutes(10);
    private static final Duration RECORDS_EVERY = Duration.ofHours(6);
    private static final int GATE_PAGES_MAX = 50;
    private static final Duration REVIVE_EVERY = Duration.ofSeconds(30);
    private static final Duration LEARN_EVERY = Duration.ofSeconds(15);
    private static final Duration MEND_EVERY = Duration.ofSeconds(30);

    private final Loop loop;
    private final Shared shared;
    private final RetentionRequest retention;
    private final PruneEnded ended;
    private final StoreBackoff backoff;
    private final Chore prune;
    private final Chore journal;
    private final Chore gates;
    private final Chore records;
    private final Chore revive;
    private final Chore fit;
    private final Chore learn;
    private final Chore mend;
    private final Chore figures;
    private final FigureKeeper figureKeeper;
    private final StrandedLines stranded;
    private final PruneGates idleGates;
    private final ResourceTracker resources;
    private final OwnLosses ownLosses;
    private volatile boolean isReapDue;

    MaintenanceLoop(Shared shared, WorkerSettings settings, ResourceTracker resources) {
        this.resources = resources;
        this.loop = shared.runner().loop("janitor", settings.name(), this::round);
        this.shared = shared;
        this.retention = new RetentionRequest(shared.store(), settings);
        this.ended = new PruneEnded(shared.store().backend());
        this.backoff = new StoreBackoff(log, shared.ticker(), shared.chance(), Duration.ofSeconds(30));
        this.prune = new Chore(PRUNE_EVERY_MIN);
        this.journal = new Chore(JOURNAL_EVERY);
        this.gates = new Chore(GATES_EVERY);
        this.records = new Chore(RECORDS_EVERY);
        this.revive = new Chore(REVIVE_EVERY);
        this.fit = new Chore(REVIVE_EVERY);
        this.learn = new Chore(LEARN_EVERY);
        this.mend = new Chore(MEND_EVERY);
        this.figures = new Chore(FigureFilter.FINE);
        this.figureKeeper = new FigureKeeper(shared.store().backend());
        this.stranded = new StrandedLines(shared.store().backend());
        this.idleGates = new PruneGates(shared.store().backend(), PruneGates.QUIET);
        this.ownLosses = new OwnLosses(shared.store());
    }

    private static Duration pruneEvery(@Nullable Duration retention) {
        if (retention == null) {
            return PRUNE_EVERY_MAX;
        }
        Duration part = retention.dividedBy(10);
        if (part.compareTo(PRUNE_EVERY_MIN) < 0) {
            return PRUNE_EVERY_MIN;
        }
        return part.compareTo(PRUNE_EVERY_MAX) > 0 ? PRUNE_EVERY_MAX : part;
    }

    void reapSoon() {
        isReapDue = true;
        loop.wake();
    }

    /** The store gave the worker of this lease up for lost, but it is alive. */
    void survived(JobRow lease) {
        ownLosses.add(lease);
        loop.wake();
    }

    private long round() {
        try {
            ownLosses.tell(); // before it reaps: what a living worker held is not lost
            if (isReapDue) {
                isReapDue = false;
                reap();
            }
            retention.tell(); // before it prunes
            if (prune.isDue()) {
                log.debug("pruned {} ended jobs", ended.run());
                prune.every(pruneEvery(ended.shortest()));
            }
            if (journal.isDue()) {
                shared.store().pruneJournal();
            }
            if (gates.isDue()) {
                log.debug("pruned {} rows of gates that were as new", idleGates.some(GATE_PAGES_MAX));
                idleGates.trimShares();
            }
            if (records.isDue()) {
                log.debug(
                        "pruned {} old notes of policies, job types and workflows",
                        shared.store().pruneRecords());
            }
            if (revive.isDue() && shared.store().revive(shared.handlers().types()) > 0) {
                log.info("revived parked jobs whose handler is here");
            }
            if (fit.isDue()) {
                int jobs = shared.store().policyStore().reviveMisfits();
                if (jobs > 0) {
                    log.info("revived {} parked jobs that fit by now", jobs);
                }
            }
            if (learn.isDue()) {
                resources.save();
            }
            if (mend.isDue()) {
                mend();
            }
            if (figures.isDue()) {
                figureKeeper.run();
            }
            backoff.succeed("housekeeping");
        } catch (RuntimeException away) {
            return backoff.fail("housekeeping", away);
        }
        long next = Long.MAX_VALUE;
        for (Chore chore : List.of(prune, journal, gates, records, learn, revive, fit, mend, figures)) {
            next = Math.min(next, chore.leftNanos());
        }
        return next;
    }

    private void mend() {
        for (GateKey gate : stranded.mend()) {
            log.error(
                    "{}: jobs waited here although nothing held them back, and nothing would have woken them; woken now."
                            + " This is a bug of Headgate, please report it",
                    gate);
        }
    }

    private void reap() {
        int jobs = shared.store().reap();
        if (jobs > 0) {
            log.info("{} jobs of lost workers are back in their queues", jobs);
        }
    }

    /** A task that repeats; the first time comes after a random part of its interval, so that a fleet spreads out. */
    private final class Chore {
        private long everyNanos;
        private long nextNanos;

        private Chore(Duration every) {
            this.everyNanos = Nanos.of(every);
            this.nextNanos =
                    shared.ticker().nanos() + Math.floorMod(shared.chance().next(), everyNanos);
        }

        /** Counts from the last time, which is now. */
        private void every(Duration every) {
            nextNanos += Nanos.of(every) - everyNanos;
            everyNanos = Nanos.of(every);
        }

        private boolean isDue() {
            boolean isDue = shared.ticker().nanos() - nextNanos >= 0;
            if (isDue) {
                nextNanos = shared.ticker().nanos() + everyNanos;
            }
            return isDue;
        }

        private long leftNanos() {
            return Math.max(0, nextNanos - shared.ticker().nanos());
        }
    }

    Loop loop() {
        return loop;
    }
}

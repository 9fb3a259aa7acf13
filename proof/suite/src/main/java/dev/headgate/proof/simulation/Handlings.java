package dev.headgate.proof.simulation;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The handlers' own history: which was at work when, whatever the store says. Judges I7 and I38 and asks {@link Callers}.
 *
 * <p>I38, for a lease of length L that was last extended by a heartbeat sent at s. The worker interrupts its handlers at
 * s + 3/4 L unless it hears of the store before; if it looked shortly before that, its next look is L/12 later. Those that
 * no thread has reached by then are not entered. So a handler is entered until {@code s + 5/6 L + p} at the latest, where p
 * is how long its process stood still since s, and one that listens is at work until r later, where r is how long it takes
 * to stop. A successor starts at {@code s + L - j} at the earliest, where j is how far the store's clock jumped ahead since
 * s. The two are at work at once for {@code p + j + r - L/6} at most. A handler that ignores its interruption is bounded by
 * nothing but its own length.
 */
final class Handlings {
    /** What threads need from one to the other. */
    private static final long SWITCH_NANOS = 1_000_000;

    private final Options options;
    private final WorkerLeases leases;
    private final Judge judge;
    private final Tracks jobs;
    private final Timeline timeline;
    private final LongSupplier storeMicros;
    private final Map<Long, AtWork> byJob = new HashMap<>();
    private long overlaps;
    private long longestOverlap;
    private boolean mayOverlap = true;

    private static final long NEVER = Long.MIN_VALUE;

    /**
     * How a handler takes an interruption.
     *
     * @param reactionNanos how long it takes to stop
     */
    record Manner(boolean isListening, long reactionNanos) {}

    /** One handler that has not returned; {@code older} is another one of the same job. */
    private static final class AtWork {
        private final Host host;
        private final int life;
        private final long epoch;
        private final Manner manner;
        private @Nullable AtWork older;
        private long metNanos = NEVER;
        private boolean isDone;

        private AtWork(Host host, long epoch, Manner manner, @Nullable AtWork older) {
            this.host = host;
            this.life = host.life();
            this.epoch = epoch;
            this.manner = manner;
            this.older = older;
        }

        private void meets(long now) {
            metNanos = metNanos == NEVER && !isDone ? now : metNanos;
        }

        private boolean isGone() {
            return host.life() != life;
        }
    }

    Handlings(World.Parts parts, LongSupplier storeMicros) {
        this.storeMicros = storeMicros;
        this.options = parts.options();
        this.leases = parts.leases();
        this.judge = parts.judge();
        this.jobs = parts.tracks();
        this.timeline = parts.timeline();
    }

    /**
     * In this world nothing stands still and no handler is deaf, so no two handlers of a job are at work at once. One whose own
     * work is done may still wait for the answer of a slow store, which an interruption does not end.
     */
    void forbidOverlap() {
        mayOverlap = false;
    }

    /** It is on its way to its handler. */
    void taken(Host host, long job) {
        if (host.isStopping()) {
            judge.broken("I29", "job %d: starts on %s after that was asked to stop".formatted(job, host));
        }
    }

    /** It has reached its handler too late, or that does not run for another reason. */
    void notEntered(long job, long epoch) {
        jobs.callers().late(new StartRef(job, epoch), timeline.now());
    }

    void started(Host host, long job, long epoch, Manner manner) {
        judge.noted(Judge.START, job, epoch, timeline.now());
        jobs.callers().entered(new StartRef(job, epoch), timeline.now());
        AtWork older = living(byJob.get(job));
        for (AtWork each = older; each != null; each = each.older) {
            overlaps++;
            if (each.epoch < epoch) {
                each.meets(timeline.now());
            }
            if (!mayOverlap && !each.isDone) {
                judge.broken(
                        "I7",
                        "job %d: epoch %d starts on %s while epoch %d is still at work on %s"
                                .formatted(job, epoch, host, each.epoch, each.host));
            } else if (each.epoch < epoch && jobs.isHeld(job, each.epoch)) {
                judge.broken(
                        "I7",
                        "job %d: epoch %d starts on %s while the lease of epoch %d is valid"
                                .formatted(job, epoch, host, each.epoch));
            }
        }
        AtWork handler = new AtWork(host, epoch, manner, older);
        if (older != null && older.epoch > epoch) {
            handler.meets(timeline.now());
        }
        byJob.put(job, handler);
        judge(new StartRef(job, epoch), handler, "is entered", 0);
    }

    private static @Nullable AtWork living(@Nullable AtWork first) {
        AtWork each = first;
        while (each != null && each.isGone()) {
            each = each.older;
        }
        if (each != null) {
            each.older = living(each.older);
        }
        return each;
    }

    /** Its own work is done; what is left are calls of the store, whose answers it may wait for. */
    void worked(Host host, int life, long job, long epoch) {
        for (AtWork each = byJob.get(job); each != null; each = each.older) {
            if (each.epoch == epoch && each.host == host && each.life == life) {
                each.isDone = true;
                judgeEnd(new StartRef(job, epoch), each);
            }
        }
    }

    private void judgeEnd(StartRef ref, AtWork handler) {
        if (handler.metNanos != NEVER) {
            longestOverlap = Math.max(longestOverlap, timeline.now() - handler.metNanos);
        }
        if (handler.manner.isListening) {
            judge(ref, handler, "is at work", handler.manner.reactionNanos);
        }
    }

    /** @param more how long after the last moment at which its worker must have told it to stop */
    private void judge(StartRef ref, AtWork handler, String what, long more) {
        WorkerLeases.Beat beat = leases.lastBeat(jobs.callers().workerOf(ref));
        if (beat == null) {
            return;
        }
        long lease = options.leaseNanos();
        long sent = beat.sending().nanos();
        long stoodStill = handler.host.stoodStill() - beat.sending().stoodStill();
        long latest =
                sent + lease / 4 * 3 + lease / 12 + stoodStill + more + 2 * timeline.longestStall() + SWITCH_NANOS;
        if (timeline.now() > latest) {
            judge.broken(
                    "I38",
                    "%s on %s: %s %d ms after its lease of %d ms was last extended, %d ms too late"
                            .formatted(
                                    ref,
                                    handler.host,
                                    what,
                                    millis(timeline.now() - sent),
                                    millis(lease),
                                    millis(timeline.now() - latest)));
        }
        long leaseEnds = sent + lease - (jobs.callers().jumpedMicros() - beat.jumpedMicros()) * 1_000;
        if (handler.metNanos != NEVER && handler.metNanos < leaseEnds) {
            judge.broken(
                    "I38",
                    "%s on %s: its successor was at work %d ms before its lease could end"
                            .formatted(ref, handler.host, millis(leaseEnds - handler.metNanos)));
        }
    }

    private static long millis(long nanos) {
        return nanos / 1_000_000;
    }

    void ended(Host host, int life, long job, long epoch) {
        judge.noted(Judge.END, job, epoch, timeline.now());
        AtWork first = byJob.get(job);
        AtWork before = null;
        for (AtWork each = first; each != null; before = each, each = each.older) {
            if (each.epoch == epoch && each.host == host && each.life == life) {
                if (before != null) {
                    before.older = each.older;
                } else if (each.older != null) {
                    byJob.put(job, each.older);
                } else {
                    byJob.remove(job);
                }
                return;
            }
        }
    }

    /** Its handler is about to call what its gates stand for, and was told that it may. */
    void departs(long job, long epoch) {
        jobs.callers().departs(new StartRef(job, epoch), timeline.now());
    }

    /** Its handler was told that its call would come too late. */
    void tooLate(long job, long epoch) {
        jobs.callers().tooLate(new StartRef(job, epoch));
    }

    /** Its handler calls what its gates stand for. */
    void called(long job, long epoch) {
        judge.noted(Judge.CALL, job, epoch, timeline.now());
        jobs.callers()
                .called(new StartRef(job, epoch), jobs.isHeld(job, epoch), timeline.now(), storeMicros.getAsLong());
    }

    Callers callers() {
        return jobs.callers();
    }

    void settled(long job, long epoch, String gate, long units) {
        jobs.settled(job, epoch, gate, units);
    }

    long overlaps() {
        return overlaps;
    }

    /** For how long a handler was at work beside a successor, at most. */
    long longestOverlapNanos() {
        return longestOverlap;
    }
}

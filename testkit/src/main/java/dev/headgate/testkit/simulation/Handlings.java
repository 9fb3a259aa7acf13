package dev.headgate.testkit.simulation;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The handlers' own history: which was at work when, whatever the store says. Judges I7 and asks {@link Callers}. */
final class Handlings {
    private final Judge judge;
    private final Tracks jobs;
    private final Timeline timeline;
    private final LongSupplier storeMicros;
    private final Map<Long, AtWork> byJob = new HashMap<>();
    private long overlaps;
    private boolean mayOverlap = true;

    /** One handler that has not returned; {@code older} is another one of the same job. */
    private static final class AtWork {
        private final Host host;
        private final int life;
        private final long epoch;
        private @Nullable AtWork older;

        private AtWork(Host host, long epoch, @Nullable AtWork older) {
            this.host = host;
            this.life = host.life();
            this.epoch = epoch;
            this.older = older;
        }

        private boolean isGone() {
            return host.life() != life;
        }
    }

    Handlings(Judge judge, Tracks jobs, Timeline timeline, LongSupplier storeMicros) {
        this.storeMicros = storeMicros;
        this.judge = judge;
        this.jobs = jobs;
        this.timeline = timeline;
    }

    /** In this world nothing stands still and no handler is deaf, so no two handlers of a job meet. */
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
        jobs.callers().late(new Who(job, epoch), timeline.now());
    }

    void started(Host host, long job, long epoch) {
        judge.noted(Judge.START, job, epoch, timeline.now());
        jobs.callers().entered(new Who(job, epoch), timeline.now());
        AtWork older = living(byJob.get(job));
        for (AtWork each = older; each != null; each = each.older) {
            overlaps++;
            if (!mayOverlap) {
                judge.broken(
                        "I7",
                        "job %d: epoch %d starts on %s while epoch %d is still at work on %s"
                                .formatted(job, epoch, host, each.epoch, each.host));
            } else if (jobs.isHeld(job, each.epoch)) {
                judge.broken(
                        "I7",
                        "job %d: epoch %d starts on %s while the lease of epoch %d is valid"
                                .formatted(job, epoch, host, each.epoch));
            }
        }
        byJob.put(job, new AtWork(host, epoch, older));
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

    /** Its handler calls what its gates stand for. */
    void called(long job, long epoch) {
        judge.noted(Judge.CALL, job, epoch, timeline.now());
        jobs.callers().called(new Who(job, epoch), jobs.isHeld(job, epoch), timeline.now(), storeMicros.getAsLong());
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
}

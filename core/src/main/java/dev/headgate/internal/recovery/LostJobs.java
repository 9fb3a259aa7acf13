package dev.headgate.internal.recovery;

import dev.headgate.internal.dependency.Dependents;
import dev.headgate.internal.recovery.Reap.Parting;
import dev.headgate.internal.time.Micros;
import dev.headgate.internal.workflow.StepOutcome;
import dev.headgate.job.Attempt;
import dev.headgate.job.JobState;
import dev.headgate.spi.HeadOfLane;
import dev.headgate.spi.HistoryTable.NewAttempt;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.JobTable.Ending;
import dev.headgate.spi.JobTable.GiveBack;
import dev.headgate.spi.JobTable.LeaseRef;
import dev.headgate.spi.ReleasedRow;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.Wake;
import dev.headgate.spi.WorkerRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides for each job of a worker that is gone whether it goes back to its lane, when, and what is noted of it.
 *
 * <p>A job may be what took its worker down. If it ran alone, nothing else can be the cause: it fails when it has lost as many
 * workers as the last of them allows. If jobs ran side by side, any of them may be the cause: they fail only after twice as
 * many. Until then they come back one after the other, so that the cause is found alone.
 */
final class LostJobs {
    /**
     * Jobs that lost this number of workers come back one after the other. One of them may be what takes workers down, and the
     * jobs next in line, which would always start beside it, would fail with it.
     */
    private static final int SUSPECT = 2;

    private static final long APART_MICROS = Micros.of(Duration.ofSeconds(5));
    private static final int APART_MAX = 12;
    private static final int TOLD_MAX = 6;

    private static final String CANCELLED = "cancelled; its worker was gone before it could stop";

    private final StoreTransaction tx;
    private final WorkerRow worker;
    private final Parting how;
    private final long now;
    private final List<GiveBack> backs = new ArrayList<>();
    private final List<Ending> endings = new ArrayList<>();
    private final Map<Long, JobRow> byId = new HashMap<>();
    private final Set<Long> later = new HashSet<>();
    private Map<Long, List<Attempt>> past = Map.of();
    private int suspects;

    LostJobs(StoreTransaction tx, WorkerRow worker, Parting how, long now) {
        this.tx = tx;
        this.worker = worker;
        this.how = how;
        this.now = now;
    }

    /** @param held all jobs that the worker held, by id */
    List<ReleasedRow> run(List<JobRow> held, Set<Wake> wakes, List<StepOutcome> steps) {
        Set<Long> stopped = askedToStop(held);
        if (how != Parting.LEFT) {
            past = WorkerTrouble.past(
                    tx,
                    held.stream()
                            .filter(job -> job.lease().epoch() > 1)
                            .map(JobRow::id)
                            .toList());
        }
        for (JobRow job : held) {
            byId.put(job.id(), job);
            if (stopped.contains(job.id())) {
                end(job, JobState.CANCELLED, CANCELLED);
            } else {
                switch (how) {
                    case LOST -> lost(job);
                    case SURVIVED -> survived(job);
                    case LEFT -> back(job, 0, true, job.notes().detail());
                }
            }
        }
        List<ReleasedRow> released = new ArrayList<>(tx.jobs().giveBack(worker.id(), backs, now));
        List<HeadOfLane> doorbells = released.stream()
                .filter(row -> !row.lane().isPlain() && !later.contains(row.job()))
                .map(ReleasedRow::asHead)
                .toList();
        tx.lanes().ring(doorbells);
        List<Long> gone = tx.jobs().end(worker.id(), endings, now).get();
        gone.forEach(job -> released.add(ReleasedRow.of(job(job))));
        if (!gone.isEmpty()) {
            new Dependents(tx, wakes, now).ended(gone);
        }
        boolean isGoodbye = how != Parting.LOST;
        released.forEach(
                row -> StepOutcome.lost(job(row.job()), endings, isGoodbye).ifPresent(steps::add));
        if (how != Parting.LEFT) {
            note(released);
        }
        return released;
    }

    /** Read under the locks of the rows, so that no cancel is missed. */
    private Set<Long> askedToStop(List<JobRow> held) {
        if (held.isEmpty()) {
            return Set.of();
        }
        List<LeaseRef> leases = held.stream().map(LostJobs::ref).toList();
        tx.jobs().held(worker.id(), leases);
        return new HashSet<>(tx.jobs().toStop(worker.id(), leases));
    }

    private void lost(JobRow job) {
        int lost = job.lease().lost() + 1;
        String ending = endingOf(job, lost);
        if (ending != null) {
            end(job, JobState.FAILED, ending);
            return;
        }
        boolean isSuspect = lost >= Math.max(1, Math.min(SUSPECT, worker.lostMax() - 1));
        long apart = isSuspect ? Math.min(suspects++, APART_MAX) * APART_MICROS : 0;
        long slower = WorkerTrouble.pauseMicros(
                WorkerTrouble.inARow(pastOf(job), job.lease().lost()).size() + 1);
        back(job, Math.max(apart, slower), false, job.notes().detail());
    }

    /** Why this job does not go back to its lane; absent if it does. */
    private @Nullable String endingOf(JobRow job, int lost) {
        boolean isAlone = worker.holding().size() == 1;
        if (lost >= (isAlone ? worker.lostMax() : 2 * worker.lostMax())) {
            return tooManyLost(job, lost, isAlone);
        }
        return job.lease().attempt() >= job.spec().tries().attemptsMax()
                ? "its worker was lost on attempt %d of %d"
                        .formatted(job.lease().attempt(), job.spec().tries().attemptsMax())
                : null;
    }

    private String tooManyLost(JobRow job, int lost, boolean isAlone) {
        List<String> told = new ArrayList<>();
        for (Attempt attempt : pastOf(job)) {
            if (attempt.outcome().equals(WorkerTrouble.LOST)) {
                told.add(told(
                        attempt.error(), attempt.worker(), attempt.endedAt().toString()));
            }
        }
        told.add(told(lostText(), worker.id(), Micros.instant(now).toString()));
        List<String> latest = told.subList(Math.max(0, told.size() - Math.min(lost, TOLD_MAX)), told.size());
        return "lost its worker %d times, %d is the most%s: %s. It may be what takes them down: see what it does to its process (memory, exit, native code); then retry it, or let its workers allow more (lostMax)"
                .formatted(
                        lost,
                        worker.lostMax(),
                        isAlone ? "" : " (twice as many for jobs that ran beside others)",
                        String.join("; ", latest));
    }

    private static String told(String what, String id, String at) {
        return "%s (%s, %s)".formatted(what, at, id);
    }

    /** What is noted of each job that was lost with this worker. */
    private String lostText() {
        int others = worker.holding().size() - 1;
        return "worker %s was lost and ran this job %s"
                .formatted(
                        worker.name(),
                        others == 0 ? "alone" : "beside " + others + (others == 1 ? " other" : " others"));
    }

    private void survived(JobRow job) {
        WorkerTrouble.Consequence consequence =
                WorkerTrouble.judge(pastOf(job), job.lease().lost(), WorkerTrouble.SURVIVED);
        if (consequence.failure() != null) {
            end(job, JobState.FAILED, consequence.failure());
        } else {
            back(job, consequence.pauseMicros(), true, consequence.detail());
        }
    }

    private void back(JobRow job, long pauseMicros, boolean isAttemptBack, @Nullable String detail) {
        if (pauseMicros > 0) {
            later.add(job.id());
        }
        JobState state = pauseMicros > 0 ? JobState.SCHEDULED : JobState.QUEUED;
        boolean isLost = how == Parting.LOST;
        backs.add(new GiveBack(ref(job), state, now + pauseMicros, isAttemptBack, isLost, null, detail));
    }

    private void end(JobRow job, JobState state, String why) {
        endings.add(new Ending(ref(job), state, null, why, how == Parting.LOST));
    }

    private void note(List<ReleasedRow> released) {
        boolean isLost = how == Parting.LOST;
        List<NewAttempt> attempts = new ArrayList<>();
        for (ReleasedRow row : released) {
            JobRow job = job(row.job());
            attempts.add(new NewAttempt(
                    row.job(),
                    job.lease().attempt(),
                    job.lease().epoch(),
                    worker.id(),
                    row.startedAt(),
                    now,
                    isLost ? WorkerTrouble.LOST : WorkerTrouble.RETURNED,
                    isLost ? lostText() : WorkerTrouble.SURVIVED));
        }
        tx.history().addAttempts(attempts);
    }

    private List<Attempt> pastOf(JobRow job) {
        return past.getOrDefault(job.id(), List.of());
    }

    private JobRow job(long id) {
        return Objects.requireNonNull(byId.get(id));
    }

    private static LeaseRef ref(JobRow job) {
        return new LeaseRef(job.id(), job.lease().epoch());
    }
}

package dev.headgate.transition;

import dev.headgate.admission.GateKey;
import dev.headgate.admission.Micros;
import dev.headgate.job.JobState;
import dev.headgate.store.HeadOfLane;
import dev.headgate.store.HistoryTable.NewAttempt;
import dev.headgate.store.JobRow;
import dev.headgate.store.JobTable.Ending;
import dev.headgate.store.JobTable.GiveBack;
import dev.headgate.store.JobTable.LeaseRef;
import dev.headgate.store.ReleasedRow;
import dev.headgate.store.StoreTransaction;
import dev.headgate.store.Wake;
import dev.headgate.store.WorkerRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Takes the jobs of a worker that is gone back into their lanes and frees their places, in one transaction.
 *
 * <p>Gates are locked before the worker's row, as in a turnaround, so the two can never wait for each other. Between the
 * first look and the lock the worker may have come and gone: the locked row is what counts.
 */
final class Reap {
    /** A job that took its worker down this often is not given to another one. */
    static final int LOST_MAX = 3;

    /**
     * Jobs that lost their worker so often come back one after the other. One of them may be what takes workers down, and
     * those that always start beside it, being next in line, would otherwise share its fate to the end.
     */
    private static final int SUSPECT = 2;

    private static final long APART_MICROS = Micros.of(Duration.ofSeconds(5));
    private static final int APART_MAX = 12;

    private static final String CANCELLED = "cancelled; its worker was gone before it could stop";

    private Reap() {}

    /** What a reaping did. */
    record Reaped(int jobs, Set<Wake> wakes) {}

    /** Reaps one worker; {@code now} absent means its lease counts as ended (it said goodbye). */
    static Reaped run(StoreTransaction tx, WorkerRow seen, boolean isGoodbye) {
        Ledgers ledgers = new Ledgers(tx);
        List<JobRow> held = new ArrayList<>(tx.jobs().findAll(seen.holding()));
        held.sort(Comparator.comparingLong(JobRow::id));
        Set<String> queues = new TreeSet<>();
        Set<GateKey> gates = new HashSet<>();
        for (JobRow job : held) {
            queues.add(job.spec().lane().queue());
            job.spec().lane().gates().forEach(gate -> gates.add(GateKey.gate(gate)));
        }
        long early = ledgers.lockQueues(queues);
        ledgers.lockGates(gates, early);
        long now = tx.now();
        WorkerRow worker = tx.workers().lock(seen.id(), isGoodbye ? null : Long.valueOf(now));
        if (worker == null || !seen.holding().containsAll(worker.holding())) {
            return new Reaped(0, Set.of());
        }
        Set<Wake> wakes = new HashSet<>();
        List<StepEnd> steps = new ArrayList<>();
        List<ReleasedRow> released = takeBack(tx, worker, held, wakes, now, isGoodbye, steps);
        ledgers.sharing().meet(released.stream().map(ReleasedRow::lane).toList());
        released.forEach(row -> ledgers.release(row, Return.LOST, now));
        Lines.refresh(ledgers);
        ledgers.save(now);
        tx.workers().delete(worker.id());
        Advance.run(tx, steps, now, wakes);
        released.forEach(row -> wakes.add(new Wake.Queue(row.lane().queue())));
        wakes.add(new Wake.Anything());
        return new Reaped(released.size(), wakes);
    }

    private static List<ReleasedRow> takeBack(
            StoreTransaction tx,
            WorkerRow worker,
            List<JobRow> held,
            Set<Wake> wakes,
            long now,
            boolean isGoodbye,
            List<StepEnd> steps) {
        List<GiveBack> backs = new ArrayList<>();
        List<Ending> endings = new ArrayList<>();
        Map<Long, JobRow> byId = new HashMap<>();
        Set<Long> stopped = askedToStop(tx, worker, held);
        Set<Long> later = new HashSet<>();
        int suspects = 0;
        for (JobRow job : held) {
            byId.put(job.id(), job);
            LeaseRef ref = new LeaseRef(job.id(), job.epoch());
            boolean isCancelled = stopped.contains(job.id());
            String ending = isCancelled ? CANCELLED : endingOf(job, isGoodbye);
            if (ending == null) {
                boolean isSuspect = !isGoodbye && job.lost() + 1 >= SUSPECT;
                long at = now + (isSuspect ? Math.min(suspects++, APART_MAX) * APART_MICROS : 0);
                if (at > now) {
                    later.add(job.id());
                }
                JobState state = at > now ? JobState.SCHEDULED : JobState.QUEUED;
                backs.add(new GiveBack(ref, state, at, isGoodbye, !isGoodbye, null, job.detail()));
            } else {
                JobState state = isCancelled ? JobState.CANCELLED : JobState.FAILED;
                endings.add(new Ending(ref, state, null, ending, !isGoodbye));
            }
        }
        List<ReleasedRow> released = new ArrayList<>(tx.jobs().giveBack(worker.id(), backs, now));
        List<HeadOfLane> doorbells = released.stream()
                .filter(row -> !row.lane().isPlain() && !later.contains(row.job()))
                .map(ReleasedRow::asHead)
                .toList();
        tx.lanes().ring(doorbells);
        List<Long> gone = tx.jobs().end(worker.id(), endings, now);
        gone.forEach(job -> released.add(ReleasedRow.of(Objects.requireNonNull(byId.get(job)))));
        if (!gone.isEmpty()) {
            new Dependents(tx, wakes, now).ended(gone);
        }
        released.forEach(row -> StepEnd.lost(Objects.requireNonNull(byId.get(row.job())), endings, isGoodbye)
                .ifPresent(steps::add));
        if (!isGoodbye) {
            noteLostAttempts(tx, worker, byId, released, now);
        }
        return released;
    }

    /** Asked under the locks of the rows, so that no cancel falls between the look and the return. */
    private static Set<Long> askedToStop(StoreTransaction tx, WorkerRow worker, List<JobRow> held) {
        if (held.isEmpty()) {
            return Set.of();
        }
        List<LeaseRef> leases =
                held.stream().map(job -> new LeaseRef(job.id(), job.epoch())).toList();
        tx.jobs().held(worker.id(), leases);
        return new HashSet<>(tx.jobs().toStop(worker.id(), leases));
    }

    /** Why this job does not go back to its lane, if so. */
    private static @Nullable String endingOf(JobRow job, boolean isGoodbye) {
        if (isGoodbye) {
            return null;
        }
        if (job.lost() + 1 >= LOST_MAX) {
            return "lost its worker %d times; it may be what takes them down".formatted(job.lost() + 1);
        }
        return job.attempt() >= job.spec().attemptsMax()
                ? "its worker was lost on attempt %d of %d"
                        .formatted(job.attempt(), job.spec().attemptsMax())
                : null;
    }

    private static void noteLostAttempts(
            StoreTransaction tx, WorkerRow worker, Map<Long, JobRow> byId, List<ReleasedRow> released, long now) {
        List<NewAttempt> attempts = new ArrayList<>();
        for (ReleasedRow row : released) {
            JobRow job = Objects.requireNonNull(byId.get(row.job()));
            attempts.add(new NewAttempt(
                    row.job(),
                    row.attempt(),
                    job.epoch(),
                    worker.id(),
                    row.startedAt(),
                    now,
                    "lost",
                    "worker %s was lost".formatted(worker.name())));
        }
        tx.history().addAttempts(attempts);
    }
}

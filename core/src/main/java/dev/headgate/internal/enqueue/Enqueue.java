package dev.headgate.internal.enqueue;

import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.dependency.BacklogCaps;
import dev.headgate.internal.dependency.DependencyTies;
import dev.headgate.internal.lane.Arrivals;
import dev.headgate.internal.time.Micros;
import dev.headgate.job.JobSpec;
import dev.headgate.job.JobState;
import dev.headgate.spi.Backend;
import dev.headgate.spi.BacklogTable.Caps;
import dev.headgate.spi.HeadOfLane;
import dev.headgate.spi.JobTable.Inserted;
import dev.headgate.spi.JobTable.NewRow;
import dev.headgate.spi.NewJob;
import dev.headgate.spi.NewJob.Due;
import dev.headgate.spi.Pending;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.Wake;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Appends jobs and rings one doorbell per lane. */
public final class Enqueue {
    private Enqueue() {}

    private record Appended(Pending<List<Inserted>> jobs, boolean isAnnounced) {}

    /**
     * In a transaction of its own; wakes the workers that may start them.
     *
     * @param copy as in {@link #run}
     */
    static List<Inserted> andTell(Backend backend, @Nullable PolicyBook copy, List<NewJob> jobs, BesideJobs beside) {
        Set<String> queues = new HashSet<>();
        jobs.forEach(job -> queues.add(job.spec().lane().queue()));
        backend.foretell(queues);
        Set<Wake> wakes = new HashSet<>();
        queues.forEach(queue -> wakes.add(new Wake.Queue(queue)));
        Appended appended = backend.write(tx -> {
            Pending<List<Inserted>> inserted = run(tx, copy, jobs, wakes, true);
            beside.write(tx, inserted);
            return new Appended(inserted, tx.announce(wakes));
        });
        if (appended.isAnnounced()) {
            backend.publishHere(wakes);
        } else {
            backend.publish(wakes);
        }
        return appended.jobs().get();
    }

    /**
     * Appends these jobs.
     *
     * @param copy policies that may be out of date, for a store to which each question is a trip: a plain append then compares their
     *     version on the way, and throws {@link dev.headgate.spi.StalePoliciesException} if another one is stored. Absent: not to be used
     * @param wakes gets the queues of other jobs that may start because of this
     * @param mayHold whether this transaction is short enough to lock jobs that the new ones wait for
     */
    public static Pending<List<Inserted>> run(
            StoreTransaction tx, @Nullable PolicyBook copy, List<NewJob> jobs, Set<Wake> wakes, boolean mayHold) {
        if (copy != null && tx.isTimeFar() && !hasTimes(copy, jobs) && passes(jobs, copy)) {
            return untimed(tx, copy, jobs);
        }
        PolicyBook stored = tx.policies(); // the time comes along
        long now = tx.now();
        PolicyBook inForce = stored.at(now);
        refuse(jobs, inForce);
        DependencyTies needs = new DependencyTies(tx, jobs, mayHold);
        needs.check();
        List<HeadOfLane> dropped = BacklogCaps.makeRoom(tx, inForce, jobs, wakes, now);
        if (inForce.hasCaps()) {
            needs.lookAgain();
        }
        List<NewRow> rows = new ArrayList<>(jobs.size());
        for (NewJob job : jobs) {
            long runAt = runAt(job.due(), now);
            JobState due = runAt > now ? JobState.SCHEDULED : JobState.QUEUED;
            JobState state = job.needs().isEmpty() ? due : JobState.AWAITING;
            var dedupFor = job.spec().dedup().lasts();
            Long dedupUntil = dedupFor == null ? null : Long.valueOf(now + Micros.of(dedupFor));
            Caps caps = BacklogCaps.capsOf(job.spec().lane(), inForce);
            rows.add(new NewRow(job.spec(), state, Math.max(runAt, now), now, dedupUntil, caps));
        }
        Pending<List<Inserted>> inserted = tx.jobs().insert(rows);
        needs.tie(inserted, wakes, now);
        ringDoorbells(tx, dropped, rows, inserted, needs);
        return inserted;
    }

    private static void refuse(List<NewJob> jobs, PolicyBook book) {
        for (NewJob job : jobs) {
            RequiredGates.refuse(job.spec(), book);
            ImpossibleJobs.refuse(job.spec(), book);
        }
    }

    /** What a copy refuses is refused only if the stored policies do so too. */
    private static boolean passes(List<NewJob> jobs, PolicyBook copy) {
        try {
            refuse(jobs, copy);
            return true;
        } catch (IllegalArgumentException refused) {
            return false;
        }
    }

    /** Whether anything about these jobs depends on the time. */
    private static boolean hasTimes(PolicyBook book, List<NewJob> jobs) {
        return book.hasOverrides()
                || book.hasCaps()
                || !jobs.stream()
                        .allMatch(job -> job.due().equals(Due.NOW)
                                && job.needs().isEmpty()
                                && job.spec().dedup().key() == null);
    }

    private static Pending<List<Inserted>> untimed(StoreTransaction tx, PolicyBook book, List<NewJob> jobs) {
        List<NewRow> rows =
                jobs.stream().map(job -> NewRow.whenWritten(job.spec())).toList();
        Pending<List<Inserted>> inserted = tx.jobs().insertUnder(book.version(), rows);
        ringDoorbells(tx, List.of(), rows, inserted, new DependencyTies(tx, jobs, false));
        return inserted;
    }

    /**
     * Appends the next steps of workflow runs. Refuses none, because there is no caller to tell: a step that can never start is
     * parked when it is claimed. Steps count for no backlog.
     */
    public static void steps(StoreTransaction tx, List<NewJob> jobs, long now) {
        if (jobs.isEmpty()) {
            return;
        }
        List<NewRow> rows = new ArrayList<>(jobs.size());
        for (NewJob job : jobs) {
            long runAt = runAt(job.due(), now);
            JobState state = runAt > now ? JobState.SCHEDULED : JobState.QUEUED;
            rows.add(new NewRow(job.spec(), state, Math.max(runAt, now), now, null, Caps.NONE));
        }
        Pending<List<Inserted>> inserted = tx.jobs().insert(rows);
        ringDoorbells(tx, List.of(), rows, inserted, new DependencyTies(tx, jobs, false));
    }

    private static void ringDoorbells(
            StoreTransaction tx,
            List<HeadOfLane> dropped,
            List<NewRow> rows,
            Pending<List<Inserted>> inserted,
            DependencyTies needs) {
        List<HeadOfLane> arrivals = new ArrayList<>(dropped);
        for (int i = 0; i < rows.size(); i++) {
            JobSpec spec = rows.get(i).spec();
            if (spec.lane().isPlain() || rows.get(i).state() != JobState.QUEUED) {
                continue;
            }
            Inserted row = inserted.get().get(i);
            if (row.isNew() && !needs.isDiscarded(row.id())) {
                long rank = spec.rank(row.id());
                arrivals.add(HeadOfLane.of(spec.lane(), rank, spec.cost()));
            }
        }
        if (!arrivals.isEmpty()) {
            tx.lanes().ring(Arrivals.oldestPerLane(arrivals));
        }
    }

    private static long runAt(Due due, long now) {
        return switch (due) {
            case Due.After(var delay) -> Math.addExact(now, Micros.of(delay));
            case Due.At(var instant) -> Micros.of(instant);
        };
    }
}

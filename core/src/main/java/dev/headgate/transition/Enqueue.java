package dev.headgate.transition;

import dev.headgate.admission.Micros;
import dev.headgate.admission.PolicyBook;
import dev.headgate.job.JobSpec;
import dev.headgate.job.JobState;
import dev.headgate.job.NewJob;
import dev.headgate.job.NewJob.Due;
import dev.headgate.job.Rank;
import dev.headgate.store.BacklogTable.Caps;
import dev.headgate.store.HeadOfLane;
import dev.headgate.store.JobTable.Inserted;
import dev.headgate.store.JobTable.NewRow;
import dev.headgate.store.StoreTransaction;
import java.util.ArrayList;
import java.util.List;

/** Appends jobs and rings one doorbell per lane. Reads policies only to refuse what could never start. */
final class Enqueue {
    private Enqueue() {}

    static List<Inserted> run(StoreTransaction tx, PolicyBook book, List<NewJob> jobs) {
        long now = tx.now();
        PolicyBook inForce = book.at(now);
        jobs.forEach(job -> Misfits.refuse(job.spec(), inForce));
        List<HeadOfLane> dropped = Backlog.makeRoom(tx, inForce, jobs, now);
        List<NewRow> rows = new ArrayList<>(jobs.size());
        for (NewJob job : jobs) {
            long runAt = runAt(job.due(), now);
            JobState state = runAt > now ? JobState.SCHEDULED : JobState.QUEUED;
            var dedupFor = job.spec().dedupFor();
            Long dedupUntil = dedupFor == null ? null : Long.valueOf(now + Micros.of(dedupFor));
            Caps caps = Backlog.capsOf(job.spec().lane(), inForce);
            rows.add(new NewRow(job.spec(), state, Math.max(runAt, now), now, dedupUntil, caps));
        }
        List<Inserted> inserted = tx.jobs().insert(rows);
        ringDoorbells(tx, dropped, rows, inserted);
        return inserted;
    }

    private static void ringDoorbells(
            StoreTransaction tx, List<HeadOfLane> dropped, List<NewRow> rows, List<Inserted> inserted) {
        List<HeadOfLane> arrivals = new ArrayList<>(dropped);
        for (int i = 0; i < rows.size(); i++) {
            JobSpec spec = rows.get(i).spec();
            boolean isWaiting = inserted.get(i).isNew() && rows.get(i).state() == JobState.QUEUED;
            if (isWaiting && !spec.lane().isPlain()) {
                long rank =
                        Rank.of(spec.priority(), spec.isFront(), inserted.get(i).id());
                arrivals.add(HeadOfLane.of(spec.lane(), rank, spec.cost()));
            }
        }
        if (!arrivals.isEmpty()) {
            tx.lanes().ring(Filing.oldestPerLane(arrivals));
        }
    }

    private static long runAt(Due due, long now) {
        return switch (due) {
            case Due.After(var delay) -> Math.addExact(now, Micros.of(delay));
            case Due.At(var instant) -> Micros.of(instant);
        };
    }
}

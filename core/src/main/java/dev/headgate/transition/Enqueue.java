package dev.headgate.transition;

import dev.headgate.admission.Decision;
import dev.headgate.admission.GateKey;
import dev.headgate.admission.GateLedger;
import dev.headgate.admission.GateLedger.Waiter;
import dev.headgate.admission.GatePolicy;
import dev.headgate.admission.GateState;
import dev.headgate.admission.Micros;
import dev.headgate.admission.PolicyBook;
import dev.headgate.job.JobSpec;
import dev.headgate.job.JobState;
import dev.headgate.job.NewJob;
import dev.headgate.job.NewJob.Due;
import dev.headgate.job.Rank;
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
        jobs.forEach(job -> refuseMisfit(job.spec(), book));
        long now = tx.now();
        List<NewRow> rows = new ArrayList<>(jobs.size());
        for (NewJob job : jobs) {
            long runAt = runAt(job.due(), now);
            JobState state = runAt > now ? JobState.SCHEDULED : JobState.QUEUED;
            var dedupFor = job.spec().dedupFor();
            Long dedupUntil = dedupFor == null ? null : Long.valueOf(now + Micros.of(dedupFor));
            rows.add(new NewRow(job.spec(), state, Math.max(runAt, now), now, dedupUntil));
        }
        List<Inserted> inserted = tx.jobs().insert(rows);
        ringDoorbells(tx, rows, inserted);
        return inserted;
    }

    private static void ringDoorbells(StoreTransaction tx, List<NewRow> rows, List<Inserted> inserted) {
        List<HeadOfLane> arrivals = new ArrayList<>();
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

    /** Asks each gate as if it were idle: what is refused then can never start. */
    static void refuseMisfit(JobSpec spec, PolicyBook book) {
        refuseMisfit(spec, GateKey.queue(spec.lane().queue()), book);
        spec.lane().gates().forEach(gate -> refuseMisfit(spec, GateKey.gate(gate), book));
    }

    private static void refuseMisfit(JobSpec spec, GateKey key, PolicyBook book) {
        GatePolicy policy = book.policyFor(key);
        if (policy.isOpen()) {
            return;
        }
        GateLedger idle = new GateLedger(key, policy, GateState.NEW);
        if (idle.checkLimits(new Waiter("", 0, spec.cost()), 0) instanceof Decision.NeverFits never) {
            throw new IllegalArgumentException(
                    "job of type '%s': can never pass %s, it %s; lower its cost or raise the limit (%s)"
                            .formatted(spec.type(), key, never.reason(), never.rule()));
        }
    }
}

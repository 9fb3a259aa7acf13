package dev.headgate.internal.query;

import dev.headgate.internal.admission.GateState;
import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.simulate.StoreSnapshot;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobSpec;
import dev.headgate.job.JobState;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.GateRow;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.StoreTransaction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Reads all that a simulation needs to go on from here. */
public final class ReadSnapshot {
    private ReadSnapshot() {}

    public static StoreSnapshot run(StoreTransaction tx, int jobsMax) {
        long now = tx.now();
        PolicyBook book = tx.policies();
        Map<GateKey, GateState> gates = new HashMap<>();
        for (GateRow row : tx.gates().list(null, Integer.MAX_VALUE)) {
            gates.put(row.key(), row.ledger(book, now).state());
        }
        return new StoreSnapshot(now, book, Map.copyOf(gates), jobs(tx, jobsMax));
    }

    private static List<StoreSnapshot.Item> jobs(StoreTransaction tx, int jobsMax) {
        List<StoreSnapshot.Item> jobs = new ArrayList<>();
        List<JobRow> scheduled = new ArrayList<>();
        long last = 0;
        JobFilter page = JobFilter.all().limit(JobFilter.LIMIT_MAX);
        List<Long> ids;
        do {
            ids = tx.jobs().ids().list(page);
            if (ids.isEmpty()) {
                break;
            }
            for (JobRow row : tx.jobs().findAll(ids)) {
                JobSpec spec = row.spec();
                last = Math.max(
                        last, Math.max(row.id(), spec.order().number(row.place().rank())));
                if (row.state() == JobState.SCHEDULED && row.takesNewPlace()) {
                    scheduled.add(row);
                } else if (row.state() != JobState.PARKED && row.state() != JobState.AWAITING) {
                    jobs.add(item(row, row.place().rank()));
                }
            }
            if (jobs.size() + scheduled.size() > jobsMax) {
                throw new IllegalArgumentException(
                        "backlog: expected at most %d jobs, found more; a simulation of so many would take too long"
                                .formatted(jobsMax));
            }
            page = page.before(new JobId(ids.getLast()));
        } while (ids.size() == JobFilter.LIMIT_MAX);
        scheduled.sort(
                Comparator.comparingLong((JobRow job) -> job.place().runAt()).thenComparingLong(JobRow::id));
        for (JobRow row : scheduled) {
            last++;
            jobs.add(item(row, row.spec().rank(last))); // as it will draw its number when it is due
        }
        return List.copyOf(jobs);
    }

    private static StoreSnapshot.Item item(JobRow row, long rank) {
        boolean isRunning = row.state() == JobState.RUNNING;
        return new StoreSnapshot.Item(
                row.id(),
                row.spec().type(),
                row.spec().lane(),
                rank,
                row.spec().cost(),
                isRunning,
                isRunning
                        ? Objects.requireNonNullElse(
                                row.lease().startedAt(), row.place().runAt())
                        : row.place().runAt());
    }
}

package dev.headgate.internal.query;

import dev.headgate.explain.Reason.AwaitsJobs;
import dev.headgate.internal.time.Micros;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.job.JobStatus.Leases;
import dev.headgate.job.JobStatus.Report;
import dev.headgate.job.JobStatus.Times;
import dev.headgate.spi.HistoryRow;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.StoreTransaction;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes a {@link JobStatus} of a live job or of one in history. */
public final class JobStatuses {
    private JobStatuses() {}

    public static @Nullable JobStatus find(StoreTransaction tx, long id) {
        JobRow live = tx.jobs().find(id);
        if (live != null) {
            return live(tx, List.of(live)).getFirst();
        }
        HistoryRow ended = tx.history().find(id);
        return ended == null ? null : status(ended);
    }

    /** The detail of a job that waits for others names them. */
    static List<JobStatus> live(StoreTransaction tx, List<JobRow> rows) {
        List<Long> awaiting = rows.stream()
                .filter(row -> row.state() == JobState.AWAITING)
                .map(JobRow::id)
                .toList();
        Map<Long, AwaitsJobs> waits = awaiting.isEmpty() ? Map.of() : AwaitedJobs.of(tx, awaiting);
        return rows.stream()
                .map(row -> {
                    AwaitsJobs others = waits.get(row.id());
                    return others == null ? status(row) : status(row, others.text());
                })
                .toList();
    }

    public static JobStatus status(JobRow row) {
        return status(row, row.notes().detail());
    }

    private static JobStatus status(JobRow row, @Nullable String detail) {
        JobRow.Lease lease = row.lease();
        return new JobStatus(
                new JobId(row.id()),
                row.spec(),
                row.state(),
                new Times(
                        Micros.instant(row.place().enqueuedAt()),
                        Micros.instant(row.place().runAt()),
                        instant(lease.startedAt()),
                        null),
                new Leases(lease.attempt(), lease.lost(), lease.epoch(), lease.worker()),
                new Report(detail, row.notes().progress(), null));
    }

    public static JobStatus status(HistoryRow row) {
        HistoryRow.Times times = row.times();
        HistoryRow.Leases leases = row.leases();
        return new JobStatus(
                new JobId(row.id()),
                row.spec(),
                row.state(),
                new Times(
                        Micros.instant(times.enqueuedAt()),
                        Micros.instant(times.runAt()),
                        instant(times.startedAt()),
                        Micros.instant(times.finishedAt())),
                new Leases(leases.attempt(), leases.lost(), leases.epoch(), leases.worker()),
                new Report(row.end().detail(), null, row.end().result()));
    }

    private static @Nullable Instant instant(@Nullable Long micros) {
        return micros == null ? null : Micros.instant(micros);
    }
}

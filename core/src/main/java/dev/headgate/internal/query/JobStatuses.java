package dev.headgate.internal.query;

import dev.headgate.explain.Reason.AwaitsJobs;
import dev.headgate.internal.time.Micros;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.spi.HistoryRow;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.StoreTransaction;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rows of live jobs and of history as one kind of answer. */
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

    /** One that waits for others tells for which. */
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
        return new JobStatus(
                new JobId(row.id()),
                row.spec(),
                row.state(),
                Micros.instant(row.place().enqueuedAt()),
                Micros.instant(row.place().runAt()),
                instant(row.lease().startedAt()),
                null,
                row.lease().attempt(),
                row.lease().lost(),
                row.lease().epoch(),
                row.lease().worker(),
                detail,
                row.notes().progress(),
                null);
    }

    public static JobStatus status(HistoryRow row) {
        return new JobStatus(
                new JobId(row.id()),
                row.spec(),
                row.state(),
                Micros.instant(row.times().enqueuedAt()),
                Micros.instant(row.times().runAt()),
                instant(row.times().startedAt()),
                Micros.instant(row.times().finishedAt()),
                row.leases().attempt(),
                row.leases().lost(),
                row.leases().epoch(),
                row.leases().worker(),
                row.end().detail(),
                null,
                row.end().result());
    }

    private static @Nullable Instant instant(@Nullable Long micros) {
        return micros == null ? null : Micros.instant(micros);
    }
}

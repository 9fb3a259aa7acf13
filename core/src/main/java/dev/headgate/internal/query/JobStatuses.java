package dev.headgate.internal.query;

import dev.headgate.explain.Reason.AwaitsJobs;
import dev.headgate.internal.time.Micros;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.job.JobStatus.Leases;
import dev.headgate.job.JobStatus.Report;
import dev.headgate.job.JobStatus.Times;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.HistoryRow;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.LaneRow;
import dev.headgate.spi.StoreTransaction;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

    /** The detail of a job that waits for others names them; one that waits because of a gate says at which. */
    static List<JobStatus> live(StoreTransaction tx, List<JobRow> rows) {
        List<Long> awaiting = rows.stream()
                .filter(row -> row.state() == JobState.AWAITING)
                .map(JobRow::id)
                .toList();
        Map<Long, AwaitsJobs> waits = awaiting.isEmpty() ? Map.of() : AwaitedJobs.of(tx, awaiting);
        Map<String, String> lines = lines(tx, rows);
        return rows.stream()
                .map(row -> {
                    AwaitsJobs others = waits.get(row.id());
                    String detail = others == null ? row.notes().detail() : others.text();
                    return status(
                            row,
                            detail,
                            row.state() == JobState.QUEUED
                                    ? lines.get(row.spec().lane().id())
                                    : null);
                })
                .toList();
    }

    /** Of those lanes that stand in line at a gate: at which. */
    private static Map<String, String> lines(StoreTransaction tx, List<JobRow> rows) {
        Set<String> lanes = new HashSet<>();
        for (JobRow row : rows) {
            if (row.state() == JobState.QUEUED && !row.spec().lane().isPlain()) {
                lanes.add(row.spec().lane().id());
            }
        }
        Map<String, String> lines = new HashMap<>();
        for (LaneRow lane : lanes.isEmpty() ? List.<LaneRow>of() : tx.lanes().findAll(lanes)) {
            GateKey gate = lane.waitingAt();
            if (gate != null) {
                lines.put(lane.id(), gate.name());
            }
        }
        return lines;
    }

    public static JobStatus status(JobRow row) {
        return status(row, row.notes().detail(), null);
    }

    private static JobStatus status(JobRow row, @Nullable String detail, @Nullable String waitingAt) {
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
                new Report(detail, row.notes().progress(), null),
                waitingAt);
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
                new Report(row.end().detail(), null, row.end().result()),
                null);
    }

    private static @Nullable Instant instant(@Nullable Long micros) {
        return micros == null ? null : Micros.instant(micros);
    }
}

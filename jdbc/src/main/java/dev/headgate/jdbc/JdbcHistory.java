package dev.headgate.jdbc;

import dev.headgate.internal.time.Micros;
import dev.headgate.job.Attempt;
import dev.headgate.job.JobState;
import dev.headgate.job.LogLine;
import dev.headgate.spi.EndPosition;
import dev.headgate.spi.EndedRange;
import dev.headgate.spi.HistoryRow;
import dev.headgate.spi.HistoryTable;
import dev.headgate.spi.JobIds;
import dev.headgate.spi.JobTable.LeaseRef;
import dev.headgate.status.QueueCount;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Ended jobs, failed attempts and log lines in SQL. */
final class JdbcHistory implements HistoryTable {
    private final Session sql;

    JdbcHistory(Session sql) {
        this.sql = sql;
    }

    @Override
    public void addAttempts(List<NewAttempt> attempts) {
        Batch batch = sql.batch("insert_attempts");
        attempts.forEach(attempt -> batch.row()
                .set("job", attempt.job())
                .set("number", attempt.number())
                .set("epoch", attempt.epoch())
                .set("worker", attempt.worker())
                .set("started_at", attempt.startedAt())
                .set("ended_at", attempt.endedAt())
                .set("outcome", attempt.outcome())
                .set("error", attempt.error()));
        batch.run();
    }

    @Override
    public List<Attempt> attempts(long job) {
        return sql.call("find_attempts").set("job", job).list(JdbcHistory::attempt);
    }

    private static Attempt attempt(Row row) throws SQLException {
        return new Attempt(
                row.integer(),
                row.number(),
                row.text(),
                Micros.instant(row.number()),
                Micros.instant(row.number()),
                row.text(),
                row.text());
    }

    private record Tried(long job, Attempt attempt) {}

    @Override
    public Map<Long, List<Attempt>> attempts(Collection<Long> jobs) {
        Map<Long, List<Attempt>> byJob = new HashMap<>();
        if (!jobs.isEmpty()) {
            sql.call("attempts_of_jobs")
                    .setNumbers("jobs", jobs)
                    .list(row -> new Tried(row.number(), attempt(row)))
                    .forEach(tried -> byJob.computeIfAbsent(tried.job(), job -> new ArrayList<>())
                            .add(tried.attempt()));
        }
        return byJob;
    }

    @Override
    public List<Long> amendLost(String worker, List<LeaseRef> leases, String outcome, String error) {
        Batch batch = sql.batch("amend_lost_attempts")
                .set("worker", worker)
                .set("outcome", outcome)
                .set("error", error);
        leases.forEach(lease -> batch.row().set("job", lease.job()).set("epoch", lease.epoch()));
        return batch.list(Row::number);
    }

    @Override
    public List<LogLine> log(long job) {
        return sql.call("find_log")
                .set("job", job)
                .list(row -> new LogLine(Micros.instant(row.number()), row.number(), row.text()));
    }

    @Override
    public @Nullable HistoryRow find(long job) {
        return sql.call("find_ended").setNumbers("ids", List.of(job)).first(Columns::ended);
    }

    @Override
    public JobIds ids() {
        return new EndedIds(sql);
    }

    @Override
    public List<EndedStart> starts(long before, int limit) {
        return sql.call("ended_starts")
                .set("before", before)
                .set("limit", limit)
                .list(row -> new EndedStart(row.number(), Columns.lane(row), row.numberOrNull()));
    }

    @Override
    public List<HistoryRow> findAll(Collection<Long> ids) {
        return ids.isEmpty()
                ? List.of()
                : sql.call("find_ended").setNumbers("ids", ids).list(Columns::ended);
    }

    @Override
    public List<Revived> revive(Collection<Long> jobs, long now) {
        return sql
                .call("revive_jobs")
                .setNumbers("ids", jobs)
                .set("now", now)
                .list(row -> new Revived(row.number(), Columns.head(row)))
                .stream()
                .sorted(Comparator.comparingLong(Revived::job))
                .toList();
    }

    @Override
    public List<Long> hold(Collection<Long> jobs) {
        return jobs.isEmpty()
                ? List.of()
                : sql.call("hold_ended").setNumbers("ids", jobs).list(Row::number);
    }

    @Override
    public List<EndPosition> lockEnded(EndedRange range, EndPosition after, int limit) {
        return Columns.within(sql.call("lock_ended"), range, after)
                .set("limit", limit)
                .list(row -> new EndPosition(row.number(), row.number()));
    }

    @Override
    public List<EndedJob> endedAfter(EndPosition after, long until, int limit) {
        return sql.call("ended_after")
                .set("at", after.at())
                .set("id", after.id())
                .set("until", until)
                .set("limit", limit)
                .list(row -> new EndedJob(
                        new EndPosition(row.number(), row.number()),
                        row.text(),
                        row.text(),
                        JobState.valueOf(row.text())));
    }

    @Override
    public int delete(Collection<Long> jobs) {
        return sql.call("delete_ended")
                .setNumbers("ids", jobs)
                .list(Row::number)
                .size();
    }

    @Override
    public List<QueueCount> counts(int max) {
        return new Census(sql, max).ended();
    }
}

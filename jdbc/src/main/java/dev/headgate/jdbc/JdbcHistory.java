package dev.headgate.jdbc;

import dev.headgate.admission.Micros;
import dev.headgate.job.Attempt;
import dev.headgate.job.LogLine;
import dev.headgate.store.EndedRow;
import dev.headgate.store.HeadOfLane;
import dev.headgate.store.HistoryTable;
import dev.headgate.store.JobIds;
import dev.headgate.store.JobTable.LeaseRef;
import dev.headgate.store.QueueCount;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
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
    public @Nullable EndedRow find(long job) {
        return sql.call("find_ended").setNumbers("ids", List.of(job)).first(Columns::ended);
    }

    @Override
    public JobIds ids() {
        return new EndedIds(sql);
    }

    @Override
    public List<EndedRow> findAll(Collection<Long> ids) {
        return ids.isEmpty()
                ? List.of()
                : sql.call("find_ended").setNumbers("ids", ids).list(Columns::ended);
    }

    @Override
    public @Nullable HeadOfLane revive(long job, long now) {
        return sql.call("revive_job").set("id", job).set("now", now).first(Columns::head);
    }

    @Override
    public boolean delete(long job) {
        return sql.call("delete_ended").set("id", job).first(Row::number) != null;
    }

    @Override
    public List<QueueCount> counts(int max) {
        return new Census(sql, max).ended();
    }

    @Override
    public int prune(long endedBefore, int limit) {
        return sql.call("prune_history")
                .set("before", endedBefore)
                .set("limit", limit)
                .list(Row::number)
                .size();
    }
}

package dev.headgate.jdbc;

import dev.headgate.internal.json.PairsText;
import dev.headgate.internal.time.Micros;
import dev.headgate.job.JobSpec;
import dev.headgate.schedule.Missed;
import dev.headgate.schedule.Overlap;
import dev.headgate.schedule.ScheduleTerms;
import dev.headgate.spi.ScheduleRow;
import dev.headgate.spi.ScheduleRow.Progress;
import dev.headgate.spi.ScheduleTable;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Schedules in SQL. */
final class JdbcSchedules implements ScheduleTable {
    private final Session sql;

    JdbcSchedules(Session sql) {
        this.sql = sql;
    }

    @Override
    public List<ScheduleRow> list() {
        return sql.call("list_schedules").list(JdbcSchedules::row);
    }

    @Override
    public @Nullable ScheduleRow find(String name) {
        return sql.call("find_schedule").set("name", name).first(JdbcSchedules::row);
    }

    @Override
    public @Nullable ScheduleRow lock(String name) {
        return sql.call("lock_schedule").set("name", name).first(JdbcSchedules::row);
    }

    @Override
    public List<ScheduleRow> lockDue(long now, int limit) {
        return sql.call("lock_due_schedules")
                .set("now", now)
                .set("limit", limit)
                .list(JdbcSchedules::row);
    }

    @Override
    public @Nullable Long nextAt() {
        return sql.call("next_schedule").number();
    }

    @Override
    public boolean insert(ScheduleRow row) {
        return whole("insert_schedule", row).set("created_at", row.createdAt()).update() == 1;
    }

    @Override
    public void save(ScheduleRow row) {
        whole("save_schedule", row).update();
    }

    private Call whole(String statement, ScheduleRow row) {
        ScheduleTerms terms = row.terms();
        JobSpec job = terms.job();
        Progress progress = row.progress();
        return sql.call(statement)
                .set("name", row.name())
                .set("timing", terms.timing())
                .set("missed", terms.missed().name())
                .set("overlap", terms.overlap().name())
                .set("queue", job.lane().queue())
                .set("gates", Columns.joined(job.lane().gates()))
                .set("type", job.type())
                .set("payload", job.payload())
                .set("cost", job.cost().text())
                .set("priority", job.order().priority())
                .set("front", Columns.front(job))
                .set("dedup_key", job.dedup().key())
                .set("dedup_for", Columns.micros(job.dedup().lasts()))
                .set("timeout", Columns.micros(job.tries().timeout()))
                .set("attempts_max", job.tries().attemptsMax())
                .set("retry", job.tries().retry())
                .set("labels", PairsText.of(job.attributes().labels()))
                .set("headers", PairsText.of(job.attributes().headers()))
                .set("delay", Micros.of(terms.delay()))
                .set("paused", progress.isPaused() ? 1 : 0)
                .set("settled_at", progress.settledAt())
                .set("next_at", progress.nextAt())
                .set("last_at", progress.lastAt())
                .set("note", progress.note());
    }

    @Override
    public void move(List<ScheduleRow> rows) {
        Batch batch = sql.batch("move_schedules");
        for (ScheduleRow row : rows) {
            Progress progress = row.progress();
            batch.row()
                    .set("name", row.name())
                    .set("paused", progress.isPaused() ? 1 : 0)
                    .set("settled_at", progress.settledAt())
                    .set("next_at", progress.nextAt())
                    .set("last_at", progress.lastAt())
                    .set("note", progress.note());
        }
        batch.run();
    }

    @Override
    public boolean remove(String name) {
        boolean isThere = sql.call("remove_schedule").set("name", name).update() == 1;
        sql.call("remove_schedule_runs").set("name", name).update();
        return isThere;
    }

    @Override
    public void addRuns(List<RunRow> runs) {
        Batch batch = sql.batch("insert_schedule_runs");
        runs.forEach(run -> batch.row()
                .set("schedule", run.schedule())
                .set("at", run.at())
                .set("job", run.job())
                .set("fired_at", run.firedAt()));
        batch.run();
    }

    @Override
    public List<RunRow> liveRuns(Collection<String> names) {
        return sql.call("live_schedule_runs").setTexts("names", names).list(JdbcSchedules::run);
    }

    @Override
    public List<RunRow> runs(String name, int limit) {
        return sql.call("schedule_runs").set("name", name).set("limit", limit).list(JdbcSchedules::run);
    }

    @Override
    public @Nullable RunRow runOf(long job) {
        return sql.call("schedule_run_of_job").set("job", job).first(JdbcSchedules::run);
    }

    @Override
    public void trimRuns(Collection<String> names, int keep) {
        sql.call("trim_schedule_runs")
                .setTexts("names", names)
                .set("keep", keep)
                .update();
    }

    /** schedule, at, job, fired_at. */
    private static RunRow run(Row row) throws SQLException {
        return new RunRow(row.text(), row.number(), row.number(), row.number());
    }

    /** name, timing, missed, overlap, the job, delay, created_at, paused, settled_at, next_at, last_at, note. */
    private static ScheduleRow row(Row row) throws SQLException {
        String name = row.text();
        String timing = row.text();
        Missed missed = Missed.valueOf(row.text());
        Overlap overlap = Overlap.valueOf(row.text());
        JobSpec job = Columns.spec(row);
        ScheduleTerms terms = new ScheduleTerms(timing, missed, overlap, job, Micros.duration(row.number()));
        return new ScheduleRow(
                name,
                terms,
                row.number(),
                new Progress(row.flag(), row.number(), row.numberOrNull(), row.numberOrNull(), row.textOrNull()));
    }
}

package dev.headgate.jdbc;

import dev.headgate.job.JobState;
import dev.headgate.job.Unmet;
import dev.headgate.spi.EdgeRow;
import dev.headgate.spi.EdgeRow.End;
import dev.headgate.spi.EdgeTable;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Edges between jobs in SQL. */
final class JdbcEdges implements EdgeTable {
    private final Session sql;

    JdbcEdges(Session sql) {
        this.sql = sql;
    }

    @Override
    public void insert(List<EdgeRow> edges) {
        Batch batch = sql.batch("insert_edges");
        edges.forEach(edge -> batch.row()
                .set("job", edge.job())
                .set("dependency", edge.dependency())
                .set("unmet", edge.unmet().name())
                .set("child", edge.isChild() ? 1 : 0)
                .set("place", edge.place()));
        batch.run();
    }

    @Override
    public List<EdgeRow> of(Collection<Long> jobs) {
        return sql.call("edges_of_jobs").setNumbers("jobs", jobs).list(JdbcEdges::edge);
    }

    @Override
    public List<EdgeRow> fatal(Collection<Long> dependencies, int limit) {
        return sql.call("fatal_edges")
                .setNumbers("dependencies", dependencies)
                .set("limit", limit)
                .list(JdbcEdges::edge);
    }

    @Override
    public List<OpenEdge> open(Collection<Long> jobs, int perJob) {
        return sql.call("open_edges")
                .setNumbers("jobs", jobs)
                .set("per_job", perJob)
                .list(row -> new OpenEdge(row.number(), row.number(), state(row.textOrNull()), row.integer()));
    }

    private static @Nullable JobState state(@Nullable String text) {
        return text == null ? null : JobState.valueOf(text);
    }

    @Override
    public List<Long> lockLive(Collection<Long> dependencies) {
        return ids("lock_dependencies", dependencies);
    }

    @Override
    public List<Long> live(Collection<Long> dependencies) {
        return ids("live_jobs", dependencies);
    }

    @Override
    public List<EdgeRow> settle(Collection<Long> dependencies, int limit) {
        return sql.call("settle_edges")
                .setNumbers("dependencies", dependencies)
                .set("limit", limit)
                .list(JdbcEdges::edge);
    }

    @Override
    public List<Long> lockAwaiting(Collection<Long> jobs) {
        return ids("lock_awaiting_jobs", jobs);
    }

    private List<Long> ids(String statement, Collection<Long> jobs) {
        return jobs.isEmpty()
                ? List.of()
                : sql.call(statement).setNumbers("ids", jobs).list(Row::number);
    }

    @Override
    public List<Freed> free(Collection<Long> jobs, long now, boolean isNew) {
        return sql.call("free_jobs")
                .setNumbers("ids", jobs)
                .set("now", now)
                .set("is_new", isNew ? 1 : 0)
                .list(row -> new Freed(row.number(), JobState.valueOf(row.text()), Columns.head(row)));
    }

    @Override
    public void fell(List<Felled> felled, long now) {
        Batch batch = sql.batch("fell_jobs").set("now", now);
        felled.forEach(each -> batch.row()
                .set("job", each.job())
                .set("dependency", each.dependency())
                .set("state", each.state().name())
                .set("detail", each.detail()));
        batch.run();
    }

    @Override
    public void reopen(List<EdgeRow> edges) {
        Batch batch = sql.batch("reopen_edges");
        edges.forEach(edge -> batch.row().set("job", edge.job()).set("dependency", edge.dependency()));
        batch.run();
    }

    @Override
    public void markFatal(EdgeRow edge, String detail) {
        sql.call("mark_fatal_edge")
                .set("job", edge.job())
                .set("dependency", edge.dependency())
                .set("detail", detail)
                .update();
    }

    @Override
    public void forgive(Collection<Long> jobs) {
        sql.call("forgive_edges").setNumbers("jobs", jobs).update();
    }

    @Override
    public List<Long> await(Collection<Long> jobs) {
        return ids("await_jobs", jobs);
    }

    @Override
    public List<Long> stillNeeded(Collection<Long> dependencies, long endedSince) {
        return sql.call("jobs_still_needed")
                .setNumbers("ids", dependencies)
                .set("since", endedSince)
                .list(Row::number);
    }

    @Override
    public void addLooks(Collection<Long> jobs) {
        sql.call("insert_looks").setNumbers("jobs", jobs).update();
    }

    @Override
    public List<Long> takeLooks(int limit) {
        return sql.call("take_looks").set("limit", limit).list(Row::number).stream()
                .sorted()
                .toList();
    }

    /** job, dependency, unmet, child, place, outcome, fatal. */
    private static EdgeRow edge(Row row) throws SQLException {
        long job = row.number();
        long dependency = row.number();
        Unmet unmet = Unmet.valueOf(row.text());
        boolean isChild = row.flag();
        int place = row.integer();
        String end = row.textOrNull();
        return new EdgeRow(job, dependency, unmet, isChild, place, end == null ? null : End.valueOf(end), row.flag());
    }
}

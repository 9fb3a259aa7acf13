package dev.headgate.jdbc;

import dev.headgate.spi.FigureRow;
import dev.headgate.spi.FigureRow.Grain;
import dev.headgate.spi.FigureTable;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/** Figures over time in SQL. */
final class JdbcFigures implements FigureTable {
    private final Session sql;

    JdbcFigures(Session sql) {
        this.sql = sql;
    }

    @Override
    public void add(List<FigureRow> parts) {
        write("insert_figures", parts);
    }

    @Override
    public void put(List<FigureRow> rows) {
        write("save_figures", rows);
    }

    private void write(String statement, List<FigureRow> rows) {
        Batch batch = sql.batch(statement);
        rows.forEach(row -> key(batch, row).set("data", row.data()));
        batch.run();
    }

    private static Batch key(Batch batch, FigureRow row) {
        return batch.row().set("grain", row.grain().text()).set("at", row.at()).set("source", row.source());
    }

    @Override
    public List<FigureRow> find(Grain grain, Range range, int limit) {
        return sql.call("find_figures")
                .set("grain", grain.text())
                .set("from", range.from())
                .set("source", range.source())
                .set("to", range.to())
                .set("limit", limit)
                .list(JdbcFigures::row);
    }

    @Override
    public List<FigureRow> findAll(Grain grain, Collection<Long> at) {
        return at.isEmpty()
                ? List.of()
                : sql.call("figures_at")
                        .set("grain", grain.text())
                        .setNumbers("at", at)
                        .list(JdbcFigures::row);
    }

    @Override
    public void delete(List<FigureRow> parts) {
        Batch batch = sql.batch("delete_figures");
        parts.forEach(row -> key(batch, row));
        batch.run();
    }

    @Override
    public int prune(Grain grain, long before) {
        return sql.call("prune_figures")
                .set("grain", grain.text())
                .set("before", before)
                .update();
    }

    @Override
    public String mark() {
        List<FigureRow> found = find(Grain.MARK, Range.of(0, 1), 1);
        return found.isEmpty() ? NOTHING_COUNTED : found.getFirst().data();
    }

    @Override
    public String lockMark() {
        String mark = sql.call("lock_figure_mark").first(Row::text);
        if (mark != null) {
            return mark;
        }
        add(List.of(new FigureRow(Grain.MARK, 0, "", NOTHING_COUNTED)));
        return Objects.requireNonNull(sql.call("lock_figure_mark").first(Row::text), "written just now");
    }

    @Override
    public LastJob lastJob() {
        return Objects.requireNonNull(
                sql.call("last_job").first(row -> new LastJob(row.number(), row.flag())), "always one row");
    }

    @Override
    public List<NewJobs> countNew(long after, long upTo) {
        return sql.call("count_new_jobs").set("after", after).set("up_to", upTo).list(JdbcFigures::newJobs);
    }

    @Override
    public List<NewJobs> countNewByTime(long after, long upTo, long span) {
        return sql.call("count_new_jobs_by_time")
                .set("after", after)
                .set("up_to", upTo)
                .set("span", span)
                .list(JdbcFigures::newJobs);
    }

    /** queue, gates, type, at, jobs. */
    private static NewJobs newJobs(Row row) throws SQLException {
        return new NewJobs(row.text(), Columns.split(row.text()), row.text(), row.number(), row.number());
    }

    /** grain, at, source, data. */
    private static FigureRow row(Row row) throws SQLException {
        return new FigureRow(Grain.parse(row.text()), row.number(), row.text(), row.text());
    }
}

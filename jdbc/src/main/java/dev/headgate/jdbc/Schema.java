package dev.headgate.jdbc;

import dev.headgate.store.MigrationPlan;
import dev.headgate.store.MigrationPlan.Progress;
import dev.headgate.store.MigrationPlan.Step;
import dev.headgate.store.StoreRefusedException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates and migrates the tables. Migrations are numbered files, applied once each and never edited. */
public final class Schema {
    private static final Logger LOG = LoggerFactory.getLogger(Schema.class);

    /** Each migration, in order; its place is its version. */
    private static final List<String> MIGRATIONS = List.of(
            "0001_engine",
            "0002_schedules",
            "0003_plans",
            "0004_listings",
            "0005_running_shares",
            "0006_margins",
            "0007_lost_workers",
            "0008_pruning");

    private final SqlFiles files;
    private final String store;

    /** @param store which one, for people, without secrets */
    public Schema(SqlFiles files, String store) {
        this.files = files;
        this.store = store;
    }

    public static int version() {
        return MIGRATIONS.size();
    }

    /** The version found; 0 if there are no tables yet. */
    public int found(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (number(statement, files.read("session/count_meta_tables.sql")) == 0) {
                return 0;
            }
            return number(statement, files.read("session/schema_version.sql"));
        }
    }

    /** What there is to do. */
    public MigrationPlan plan(Connection connection) throws SQLException {
        return plan(found(connection));
    }

    /**
     * What there is to do for tables of this version.
     *
     * @throws StoreRefusedException if they are newer than this program
     */
    public MigrationPlan plan(int found) {
        if (found > version()) {
            throw new StoreRefusedException(
                    "schema: expected version %d or older, found %d: this store was used by a newer Headgate; update this one"
                            .formatted(version(), found));
        }
        StepReader reader = new StepReader();
        List<Step> steps = new ArrayList<>();
        for (int next = found; next < version(); next++) {
            String name = MIGRATIONS.get(next);
            steps.addAll(reader.read(next + 1, name, files.read("migration/" + name + ".sql")));
        }
        return new MigrationPlan(store, found, version(), steps);
    }

    /**
     * Brings an older schema up to date. The caller's transaction keeps other migrations out.
     *
     * @return what was done
     */
    public MigrationPlan migrate(Connection connection, Consumer<Progress> listener) throws SQLException {
        MigrationPlan plan = plan(connection);
        List<Step> steps = plan.steps();
        try (Statement statement = connection.createStatement()) {
            for (int number = 1; number <= steps.size(); number++) {
                Step step = steps.get(number - 1);
                log(plan, number, step);
                listener.accept(new Progress(plan, number));
                statement.execute(step.sql());
                boolean isLast = number == steps.size() || steps.get(number).version() != step.version();
                if (isLast) {
                    statement.execute("update headgate_meta set value = %d where key = 'schema_version'"
                            .formatted(step.version()));
                }
            }
        }
        return plan;
    }

    /** New tables are made in a moment, and their statements tell a reader of the log nothing. */
    private static void log(MigrationPlan plan, int number, Step step) {
        if (plan.from() > 0) {
            LOG.info(
                    "{}: schema {} to {}, statement {} of {} ({}, {}): {}",
                    plan.store(),
                    plan.from(),
                    plan.to(),
                    number,
                    plan.steps().size(),
                    step.migration(),
                    step.effect(),
                    step.sql());
        }
    }

    private static int number(Statement statement, String sql) throws SQLException {
        try (ResultSet results = statement.executeQuery(sql)) {
            return results.next() ? results.getInt(1) : 0;
        }
    }
}

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

    /** How many workers a refusal names. */
    private static final int NAMES_MAX = 20;

    private final SqlFiles files;
    private final KnownMigrations migrations;
    private final String store;

    /** @param store which one, for people, without secrets */
    public Schema(SqlFiles files, String store) {
        this.files = files;
        this.migrations = files.migrations();
        this.store = store;
    }

    /** The version of the tables that this program makes. */
    public static int version() {
        return KnownMigrations.PRESENT.version();
    }

    /** Whether programs that know the tables as they were before may not use them afterwards. */
    public boolean isShuttingOut(MigrationPlan plan) {
        return plan.from() > 0 && plan.from() < migrations.oldest();
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
        int found = found(connection);
        if (found > migrations.version()) {
            try (Statement statement = connection.createStatement()) {
                int oldest = number(statement, files.read("session/oldest_version.sql"));
                if (oldest <= migrations.version()) {
                    return new MigrationPlan(store, found, found, List.of());
                }
            }
        }
        return plan(found);
    }

    /**
     * What there is to do for tables of this version.
     *
     * @throws StoreRefusedException if they are newer than this program, or from before the first release
     */
    public MigrationPlan plan(int found) {
        if (found > migrations.version()) {
            throw new StoreRefusedException(
                    "schema: expected version %d or older, found %d: this store was used by a newer Headgate; update this one"
                            .formatted(migrations.version(), found));
        }
        if (found > 0 && found < KnownMigrations.FIRST) {
            throw new StoreRefusedException(
                    "%s: expected tables of version %d or newer, found version %d, which is from before the first release; export with the Headgate that made it what you need ('headgate policy export', 'headgate jobs --json --payloads', 'headgate schedule list --json', 'headgate workflow export'), then open a new store; nothing was changed"
                            .formatted(store, KnownMigrations.FIRST, found));
        }
        StepReader reader = new StepReader();
        List<Step> steps = new ArrayList<>();
        for (String name : migrations.after(found)) {
            steps.addAll(reader.read(migrations.versionAfter(name), name, files.read("migration/" + name + ".sql")));
        }
        return new MigrationPlan(store, found, migrations.version(), steps);
    }

    /**
     * Refuses tables that cannot be read as they are: a program that only looks changes none.
     *
     * @throws StoreRefusedException if there are none, or they are of another version
     */
    public void requireReadable(Connection connection) throws SQLException {
        MigrationPlan plan = plan(connection);
        if (plan.from() == 0) {
            throw new StoreRefusedException(
                    "%s: expected a store of Headgate, found a database without its tables; check the name, or create them with 'headgate migrate'; nothing was changed"
                            .formatted(store));
        }
        if (!plan.isUpToDate()) {
            throw new StoreRefusedException(
                    "%s: expected tables of version %d, found version %d; bring them up to date with 'headgate migrate'; nothing was changed"
                            .formatted(store, plan.to(), plan.from()));
        }
    }

    /** Whether there are tables that are not Headgate's. */
    public boolean hasOtherTables(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return number(statement, files.read("session/count_other_tables.sql")) > 0;
        }
    }

    /**
     * Brings an older schema up to date. The caller's transaction keeps other migrations out.
     *
     * @param isForced whether workers that run are cut off, if they do not know what changes
     * @return what was done
     * @throws StoreRefusedException if such workers run, and are not to be cut off
     */
    public MigrationPlan migrate(Connection connection, boolean isForced, Consumer<Progress> listener)
            throws SQLException {
        MigrationPlan plan = plan(connection);
        List<Step> steps = plan.steps();
        if (!isForced && isShuttingOut(plan)) {
            refuseWorkers(connection, plan);
        }
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
            if (!steps.isEmpty()) {
                noteOldest(statement);
            }
        }
        return plan;
    }

    /** A store that does not say takes programs of its own version only. */
    private void noteOldest(Statement statement) throws SQLException {
        statement.execute("delete from headgate_meta where key = 'oldest_version'");
        if (migrations.oldest() < migrations.version()) {
            statement.execute("insert into headgate_meta (key, value) values ('oldest_version', %d)"
                    .formatted(migrations.oldest()));
        }
    }

    /** Every worker with a lease is of an older version, or the tables were up to date. */
    private void refuseWorkers(Connection connection, MigrationPlan plan) throws SQLException {
        List<String> names = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet workers = statement.executeQuery(files.read("session/live_workers.sql"))) {
            while (workers.next()) {
                names.add(workers.getString(1));
            }
        }
        if (!names.isEmpty()) {
            String some = String.join(", ", names.subList(0, Math.min(names.size(), NAMES_MAX)));
            throw new StoreRefusedException(
                    "%s: expected no worker of an older version while the tables change from version %d to %d, found %d: %s%s; stop them, then start again, or run 'headgate migrate --force', which cuts them off: what they run then runs again"
                            .formatted(
                                    store,
                                    plan.from(),
                                    plan.to(),
                                    names.size(),
                                    some,
                                    names.size() > NAMES_MAX ? ", …" : ""));
        }
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

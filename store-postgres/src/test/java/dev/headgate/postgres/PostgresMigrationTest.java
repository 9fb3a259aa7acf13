package dev.headgate.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.proof.contract.MigrationContract;
import dev.headgate.proof.contract.VersionContract;
import dev.headgate.spi.StoreProvider;
import dev.headgate.store.MigrationPlan.Effect;
import dev.headgate.store.MigrationPlan.Step;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PostgresMigrationTest implements MigrationContract, VersionContract {
    @Override
    public StoreProvider provider() {
        return new PostgresProvider();
    }

    @Override
    public StoreProvider nextProvider() {
        return new PostgresProvider(nextDialect());
    }

    private static PostgresDialect nextDialect() {
        return new PostgresDialect(new PostgresDialect().files().withMigration("next"));
    }

    @Override
    public String emptyUrl() {
        return TestServer.freshSchema();
    }

    @Override
    public void execute(String url, List<String> statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    @Override
    public List<String> tables(String url) throws SQLException {
        return new ArrayList<>(read(url, """
                        select c.relname || ' ' || coalesce(string_agg(a.attname, ' ' order by a.attnum), ''), ''
                        from pg_class c left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
                        where c.relnamespace = current_schema()::regnamespace group by c.relname
                        """).keySet());
    }

    private static Map<String, String> read(String url, String query) throws SQLException {
        Map<String, String> found = new TreeMap<>();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                found.put(rows.getString(1), rows.getString(2));
            }
        }
        return found;
    }

    /** The server itself is asked which tables and indexes of an old store got a new file; a plan may only be too careful. */
    @Test
    void whateverIsWrittenAnewWasSaidToBe() throws SQLException {
        String url = store();
        String files = """
                select relname, relfilenode::text from pg_class
                where relnamespace = current_schema()::regnamespace and relkind in ('r', 'i')
                """;
        Map<String, String> before = read(url, files);
        Set<String> old = Set.copyOf(before.keySet());
        for (Step step : nextProvider().planMigration(url).steps()) {
            execute(url, List.of(step.sql()));
            Map<String, String> after = read(url, files);
            after.keySet().retainAll(old);
            boolean isAnew = isAnew(before, after);
            if (isAnew) {
                assertThat(step.effect()).as(step.sql()).isEqualTo(Effect.REWRITES);
            }
            before = after;
        }
    }

    private static boolean isAnew(Map<String, String> before, Map<String, String> after) {
        return before.entrySet().stream()
                .anyMatch(each ->
                        !after.getOrDefault(each.getKey(), each.getValue()).equals(each.getValue()));
    }

    /**
     * It waits for a lock for longer than a statement of the application may run, and than the driver waits for an answer.
     * Both limits stand in the URL.
     */
    @Test
    void aMigrationTakesAsLongAsItNeeds() throws Exception {
        String url = store();
        String hasty = url + "&socketTimeout=1&options=-c%20statement_timeout=20%20-c%20lock_timeout=20";
        try (Connection holder = DriverManager.getConnection(url);
                Statement hold = holder.createStatement();
                Connection looking = DriverManager.getConnection(url);
                ExecutorService threads = Executors.newSingleThreadExecutor()) {
            holder.setAutoCommit(false);
            hold.execute("lock table headgate_job in access exclusive mode");
            Future<?> opening = threads.submit(() -> nextProvider().open(hasty).close());
            while (!opening.isDone() && !isHeldUp(looking)) {
                Thread.onSpinWait();
            }
            assertThat(opening.isDone()).as("it has not given up").isFalse();
            holder.rollback();
            opening.get(60, TimeUnit.SECONDS);
        }
        assertThat(nextProvider().planMigration(url).isUpToDate()).isTrue();
    }

    /** A store of the present version. */
    private String store() throws SQLException {
        String url = emptyUrl();
        provider().open(url).close();
        return url;
    }

    /** A transaction has looked at the versions and found that it may write: they do not change before it has ended. */
    @Test
    void aMigrationWaitsForTransactionsThatHaveLookedAtTheVersions() throws Exception {
        String url = store();
        try (Connection old = DriverManager.getConnection(url);
                Statement statement = old.createStatement();
                Connection looking = DriverManager.getConnection(url);
                ExecutorService threads = Executors.newSingleThreadExecutor()) {
            old.setAutoCommit(false);
            statement.executeQuery(look()).close();
            Future<?> migrating = threads.submit(() -> nextProvider().migrate(url, false, progress -> {}));
            while (!migrating.isDone() && !isWaited(looking, "headgate_meta")) {
                Thread.onSpinWait();
            }
            assertThat(migrating.isDone()).as("it has changed the tables").isFalse();
            old.commit();
            migrating.get(60, TimeUnit.SECONDS);
        }
        assertThat(nextProvider().planMigration(url).isUpToDate()).isTrue();
    }

    /** Such a transaction asks for the policies afterwards, which the migration has locked: the migration gives way. */
    @Test
    void aMigrationGivesWayToATransactionThatNeedsThePolicies() throws Exception {
        String url = store();
        try (Connection old = DriverManager.getConnection(url);
                Statement statement = old.createStatement();
                Connection looking = DriverManager.getConnection(url);
                ExecutorService threads = Executors.newSingleThreadExecutor()) {
            old.setAutoCommit(false);
            // What waits in a circle finds out after an hour, on both sides; so only the migration can end it.
            statement.execute("set local deadlock_timeout = '1h'");
            statement.execute("set local statement_timeout = '60s'");
            statement.executeQuery(look()).close();
            String stubborn = url + "&options=-c%20deadlock_timeout=1h";
            Future<?> migrating = threads.submit(() -> nextProvider().migrate(stubborn, false, progress -> {}));
            while (!migrating.isDone() && !isWaited(looking, "headgate_meta")) {
                Thread.onSpinWait();
            }
            statement
                    .executeQuery(new PostgresDialect().files().read("session/enter.sql"))
                    .close();
            statement.execute("update headgate_meta set value = value where key = 'policy_version'");
            old.commit();
            migrating.get(60, TimeUnit.SECONDS);
        }
        assertThat(nextProvider().planMigration(url).isUpToDate()).isTrue();
    }

    private static String look() {
        return new PostgresDialect().files().read("statement/policy_version.sql");
    }

    private static boolean isWaited(Connection looking, String table) throws SQLException {
        try (Statement statement = looking.createStatement();
                ResultSet rows = statement.executeQuery(
                        "select exists (select from pg_locks where not granted and relation = '%s'::regclass)"
                                .formatted(table))) {
            return rows.next() && rows.getBoolean(1);
        }
    }

    /** Something waits for the lock, for longer than a hasty connection would. Not asked in the transaction that has it, which sees one picture. */
    private static boolean isHeldUp(Connection looking) throws SQLException {
        try (Statement statement = looking.createStatement();
                ResultSet rows = statement.executeQuery("""
                        select exists (
                            select from pg_locks l join pg_stat_activity a using (pid)
                            where not l.granted and l.relation = 'headgate_job'::regclass
                                and a.query_start < clock_timestamp() - interval '1500 milliseconds')
                        """)) {
            return rows.next() && rows.getBoolean(1);
        }
    }
}

package dev.headgate.postgres;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.headgate.internal.job.JobStore;
import dev.headgate.job.JobFilter;
import dev.headgate.spi.WorkerRow;
import dev.headgate.store.StoreRefusedException;
import dev.headgate.store.StoreUnavailableException;
import dev.headgate.store.jdbc.JdbcTransaction;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * What Headgate's own transactions rely on, whatever role, URL or pool say for the statements of the application. A trigger
 * writes down the settings that a transaction really had.
 */
class PostgresSettingsTest {
    /** Each as Headgate wants it. */
    private static final Map<String, String> WANTED = new TreeMap<>(Map.of(
            "transaction_isolation", "read committed",
            "transaction_read_only", "off",
            "synchronous_commit", "on",
            "statement_timeout", "0",
            "lock_timeout", "0",
            "idle_in_transaction_session_timeout", "5s",
            "enable_seqscan", "off",
            "plan_cache_mode", "force_generic_plan"));

    /** As an application may have reasons to want them. */
    private static final Map<String, String> OTHERS = new TreeMap<>(Map.of(
            "default_transaction_isolation", "repeatable read",
            "default_transaction_read_only", "on",
            "synchronous_commit", "off",
            "statement_timeout", "2min",
            "lock_timeout", "1min",
            "idle_in_transaction_session_timeout", "0",
            "enable_seqscan", "on",
            "plan_cache_mode", "auto"));

    private String url;
    private String schema;

    @BeforeEach
    void watch() throws SQLException {
        url = TestServer.freshSchema();
        schema = url.replaceFirst(".*currentSchema=", "");
        PostgresBackend.open(url).close();
        execute(url, "create table seen (name text, value text)");
        execute(url, """
                create function look() returns trigger language plpgsql as $$
                begin
                    insert into %s.seen select s, current_setting(s) from unnest('{%s}'::text[]) s;
                    return null;
                end $$
                """.formatted(schema, String.join(",", WANTED.keySet())));
        execute(url, "create trigger look after insert on headgate_job execute function look()");
        execute(url, "create trigger look after insert on headgate_worker execute function look()");
    }

    private static void execute(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** A transaction that is one statement, one that is several, and one on the connection for heartbeats. */
    private static void act(JobStore store) {
        store.enqueue(List.of(job("mail").build()));
        store.enqueue(List.of(job("mail").build()));
        store.enqueue(List.of(job("mail").gate("a").build(), job("post").build()));
        store.register(new WorkerRow("w", "w", List.of("mail"), 1, 0, 0, List.of()), Duration.ofMinutes(1), List.of());
        assertThat(store.list(JobFilter.all())).hasSize(4);
    }

    private Map<String, String> seen() throws SQLException {
        Map<String, String> seen = new TreeMap<>();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "select name, string_agg(distinct value, ' and ') from seen group by name")) {
            while (rows.next()) {
                seen.put(rows.getString(1), rows.getString(2));
            }
        }
        return seen;
    }

    @Test
    void optionsOfTheUrlDropNothing() throws SQLException {
        StringBuilder options = new StringBuilder("-c work_mem=7MB");
        OTHERS.forEach(
                (name, value) -> options.append(" -c ").append(name).append('=').append(value.replace(" ", "\\ ")));
        String given =
                url + "&targetServerType=any&options=" + URLEncoder.encode(options.toString(), StandardCharsets.UTF_8);
        try (JobStore store = new JobStore(PostgresBackend.open(given))) {
            act(store);
        }
        assertThat(seen()).isEqualTo(WANTED);
    }

    /** What is not ours to decide stays as the URL says. */
    @Test
    void otherOptionsOfTheUrlStay() throws SQLException {
        try (HikariDataSource pool = PostgresPool.open(url + "&options=-c%20work_mem=7MB&loginTimeout=20")
                        .pool();
                Connection connection = pool.getConnection()) {
            assertThat(setting(connection, "work_mem")).isEqualTo("7MB");
            assertThat(setting(connection, "enable_seqscan")).isEqualTo("off");
            assertThat(setting(connection, "search_path")).isEqualTo(schema);
        }
    }

    private static String setting(Connection connection, String name) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("show " + name)) {
            row.next();
            return row.getString(1);
        }
    }

    @Test
    void settingsOfTheRoleDropNothing() throws SQLException {
        String role = "of_" + schema;
        execute(url, "create role %s superuser login".formatted(role));
        for (Map.Entry<String, String> each : OTHERS.entrySet()) {
            execute(url, "alter role %s set %s = '%s'".formatted(role, each.getKey(), each.getValue()));
        }
        String roles = url.replace("user=postgres", "user=" + role);
        assertThatExceptionOfType(StoreUnavailableException.class)
                .as("the driver takes the server for one that only reads")
                .isThrownBy(() -> PostgresBackend.open(roles + "&connectTimeout=1"))
                .withMessageContaining("default_transaction_read_only");
        try (JobStore store = new JobStore(PostgresBackend.open(roles + "&targetServerType=any"))) {
            act(store);
        }
        assertThat(seen()).isEqualTo(WANTED);
    }

    @Test
    void anApplicationsPoolHasThemInOurTransactionsAndNowhereElse() throws SQLException {
        try (HikariDataSource pool = applicationsPool()) {
            try (PostgresBackend backend = PostgresBackend.on(pool)) {
                act(new JobStore(backend));
            }
            assertThat(seen()).isEqualTo(WANTED);
            try (Connection connection = pool.getConnection()) {
                for (Map.Entry<String, String> each : OTHERS.entrySet()) {
                    assertThat(setting(connection, each.getKey()))
                            .as(each.getKey())
                            .isEqualTo(each.getValue());
                }
                assertThat(connection.getNetworkTimeout())
                        .as("no limit, as before")
                        .isZero();
            }
        }
    }

    /** Its connections begin with what the application wants. */
    private HikariDataSource applicationsPool() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(4);
        StringBuilder init = new StringBuilder();
        OTHERS.forEach((name, value) ->
                init.append("set ").append(name).append(" = '").append(value).append("';"));
        config.setConnectionInitSql(init.toString());
        return new HikariDataSource(config);
    }

    /** A program with a schema for each of its customers points its sessions to one after the other. */
    @Test
    void aSessionThatPointsToAnotherSchemaLeadsToTheSameStore() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(1);
        try (HikariDataSource pool = new HikariDataSource(config);
                PostgresBackend backend = PostgresBackend.on(pool)) {
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("set search_path = pg_catalog");
            }
            JobStore store = new JobStore(backend);
            store.enqueue(List.of(job("mail").build()));
            assertThat(store.list(JobFilter.all())).hasSize(1);
            try (Connection connection = pool.getConnection()) {
                assertThat(setting(connection, "search_path")).isEqualTo("pg_catalog");
            }
        }
    }

    @Test
    void aCallersTransactionKeepsItsOwn() throws SQLException {
        try (HikariDataSource pool = applicationsPool();
                PostgresBackend backend = PostgresBackend.on(pool);
                Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.execute("set transaction read write");
            }
            new JobStore(backend)
                    .enqueue(JdbcTransaction.of(connection), List.of(job("mail").build()));
            connection.commit();
        }
        Map<String, String> callers = new TreeMap<>(OTHERS);
        callers.remove("default_transaction_isolation");
        callers.remove("default_transaction_read_only");
        callers.put("transaction_isolation", "repeatable read");
        callers.put("transaction_read_only", "off");
        assertThat(seen()).isEqualTo(callers);
    }

    /** A machine that is gone looks like a slow server; an application's pool seldom says when to give up. */
    @Test
    void aSilentServerIsGivenUpOnAnApplicationsPoolToo() throws SQLException {
        PGSimpleDataSource plain = new PGSimpleDataSource();
        plain.setUrl(url);
        PGSimpleDataSource bounded = new PGSimpleDataSource();
        bounded.setUrl(url + "&socketTimeout=33");
        assertThat(timeoutOfOurs(plain)).isEqualTo(10_000);
        assertThat(timeoutOfOurs(bounded)).as("the application's own").isEqualTo(33_000);
    }

    private static int timeoutOfOurs(DataSource source) throws SQLException {
        try (Connection connection = source.getConnection()) {
            PostgresSettings settings = PostgresSettings.of(connection);
            PostgresConnections connections =
                    new PostgresConnections(source, PostgresConnections.Setup.of(false, false, null, settings));
            try (PostgresConnections.Lent lent = connections.take()) {
                return lent.connection().getNetworkTimeout();
            }
        }
    }

    @Test
    void aWayThatSwallowsSettingsIsRefusedWithTheirNames() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url);
        DataSource swallowing = (DataSource) swallowing(DataSource.class, source);
        assertThatExceptionOfType(StoreRefusedException.class)
                .isThrownBy(() -> PostgresBackend.on(swallowing))
                .withMessageContaining("idle_in_transaction_session_timeout is 0 instead of 5s")
                .withMessageContaining("set_config");
    }

    /** Passes everything on, but no setting. */
    private static Object swallowing(Class<?> type, Object target) {
        return Proxy.newProxyInstance(
                PostgresSettingsTest.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (method.getName().equals("prepareStatement")) {
                        arguments[0] = ((String) arguments[0]).replace("set_config(", "concat(");
                    }
                    try {
                        Object answer = method.invoke(target, arguments);
                        return method.getName().equals("getConnection") ? swallowing(Connection.class, answer) : answer;
                    } catch (InvocationTargetException failed) {
                        throw failed.getCause();
                    }
                });
    }

    @Test
    void aPoolerHasThemInEachTransaction() throws SQLException {
        Pooler.require();
        String pooled = Pooler.emptyStore();
        String direct = TestServer.emptyStoreUrl();
        execute(direct, "create table seen_pooled (value text)");
        try {
            execute(direct, """
                    create function look_pooled() returns trigger language plpgsql as $$
                    begin
                        insert into emptied.seen_pooled values (current_setting('idle_in_transaction_session_timeout') || ' '
                            || current_setting('enable_seqscan') || ' ' || current_setting('synchronous_commit'));
                        return null;
                    end $$
                    """);
            execute(direct, "create trigger look after insert on headgate_job execute function look_pooled()");
            try (JobStore store = new JobStore(PostgresBackend.open(pooled))) {
                for (int i = 0; i < 10; i++) {
                    store.enqueue(List.of(job("mail").build()));
                }
            }
            try (Connection connection = DriverManager.getConnection(direct);
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(
                            "select string_agg(distinct value, ', '), count(*) from seen_pooled")) {
                row.next();
                assertThat(row.getString(1)).isEqualTo("5s off on");
                assertThat(row.getInt(2)).isEqualTo(10);
            }
        } finally {
            execute(direct, "drop trigger if exists look on headgate_job");
            execute(direct, "drop function if exists look_pooled()");
            execute(direct, "drop table seen_pooled");
        }
    }
}

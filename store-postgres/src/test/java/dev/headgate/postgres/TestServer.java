package dev.headgate.postgres;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** One PostgreSQL server, started once for all tests of this module. What survives a crash is tested elsewhere, so it syncs nothing. */
final class TestServer {
    /**
     * Empties what the last test filled, and begins all numbers again. To make some sixty tables and indexes anew takes ten
     * times as long as most tests do.
     */
    private static final String EMPTY = """
            do $$
            declare
                made record;
                is_filled boolean;
            begin
                for made in select tablename from pg_tables where schemaname = 'emptied' and tablename <> 'headgate_meta' loop
                    execute format('select exists (select from emptied.%I)', made.tablename) into is_filled;
                    if is_filled then
                        execute format('truncate emptied.%I', made.tablename);
                    end if;
                end loop;
                for made in select sequencename from pg_sequences where schemaname = 'emptied' and last_value is not null loop
                    execute format('alter sequence emptied.%I restart', made.sequencename);
                end loop;
                update emptied.headgate_meta set value = 0 where key <> 'schema_version';
            end $$
            """;

    private static final AtomicInteger SCHEMAS = new AtomicInteger();
    private static final Set<String> ROLES = ConcurrentHashMap.newKeySet();
    private static final AtomicBoolean EMPTIED = new AtomicBoolean();
    private static final EmbeddedPostgres RUNNING = start();

    private TestServer() {}

    /** The URL of a new schema with nothing in it. */
    static String freshSchema() {
        String schema = "test" + SCHEMAS.incrementAndGet();
        tell("create schema " + schema);
        return url(schema);
    }

    /** The URL of a store that has tables and no rows; the same one each time, so for one test after the other. */
    static String emptyStore() {
        if (EMPTIED.compareAndSet(false, true)) {
            tell("create schema emptied");
            PostgresBackend.open(url("emptied")).close();
        } else {
            tell(EMPTY);
        }
        return url("emptied");
    }

    /** The same, which is also the store that this role sees without naming a schema. */
    static void emptyStoreFor(String role) {
        emptyStore();
        if (ROLES.add(role)) {
            tell("create role %s superuser login".formatted(role));
            tell("alter role %s set search_path = emptied".formatted(role));
        }
    }

    /** The URL of the empty store as it is by now. */
    static String emptyStoreUrl() {
        return url("emptied");
    }

    /** The URL of another database of the same server. */
    static String otherDatabase() {
        return RUNNING.getJdbcUrl("postgres", "template1");
    }

    static int port() {
        return RUNNING.getPort();
    }

    static void tell(String sql) {
        try (Connection connection = RUNNING.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failed) {
            throw new IllegalStateException(sql, failed);
        }
    }

    private static String url(String schema) {
        return RUNNING.getJdbcUrl("postgres", "postgres") + "&currentSchema=" + schema;
    }

    private static EmbeddedPostgres start() {
        try {
            return EmbeddedPostgres.builder()
                    .setServerConfig("fsync", "off")
                    .setServerConfig("synchronous_commit", "off")
                    .setServerConfig("full_page_writes", "off")
                    .start();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}

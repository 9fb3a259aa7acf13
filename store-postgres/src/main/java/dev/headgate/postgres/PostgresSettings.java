package dev.headgate.postgres;

import dev.headgate.store.StoreRefusedException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What Headgate's own transactions rely on. A role, a database, a URL or an application's pool may say otherwise, for
 * statements of its own.
 *
 * <p>Design note. A connection of our own begins with all of it, in its greeting. Everywhere else (an application's data
 * source, a pooler) a session is not ours to change, so each of our transactions sets it for itself, together with its
 * first statement. A caller's transaction is never changed.
 *
 * @param wanted the value of each setting
 * @param searchPath the schemas as they were seen at the opening: a session that another part of the program has pointed to
 *     other schemas must not lead to the tables of another store
 * @param isSet whether connections begin with it, so that transactions need not
 */
record PostgresSettings(SortedMap<String, String> wanted, String searchPath, boolean isSet) {
    /**
     * Claims are many and short: compiling a plan costs more than it saves, and so does making a new one each time,
     * which PostgreSQL prefers wherever an array is a parameter (0.37 ms to plan what runs in 0.06 ms). A kept plan must
     * not be one for a table that was small when it was made, so it may only use indexes, and those in their order: of a
     * table that it knows to be empty, the planner would as soon collect all that waits and sort it. A merge of two indexes is taken
     * for short where one of them is believed to end early, and still is when rows have come behind that end.
     *
     * <p>A process that is stopped in the middle of a turn, or whose machine is gone, must not keep its gates locked. Limits
     * of time that are meant for the statements of an application end none of ours: the driver gives up on a silent server.
     */
    private static final Map<String, String> ALWAYS = Map.of(
            "jit", "off",
            "plan_cache_mode", "force_generic_plan",
            "enable_seqscan", "off",
            "enable_bitmapscan", "off",
            "enable_mergejoin", "off",
            "idle_in_transaction_session_timeout", "5s",
            "statement_timeout", "0",
            "lock_timeout", "0");

    /** A migration reads whole tables, plans each statement once, and takes the time that it needs. */
    private static final Map<String, String> MIGRATING = Map.of(
            "plan_cache_mode", "auto",
            "enable_seqscan", "on",
            "enable_bitmapscan", "on",
            "enable_mergejoin", "on",
            "idle_in_transaction_session_timeout", "0");

    /** The server knows it from this version on. */
    private static final int TRANSACTION_TIMEOUT_SINCE = 17;

    private static final String TRANSACTION_TIMEOUT = "transaction_timeout";
    private static final String SYNCHRONOUS_COMMIT = "synchronous_commit";
    private static final String LOOK =
            "select current_setting('server_version_num')::integer / 10000, current_setting('search_path'), current_setting('"
                    + SYNCHRONOUS_COMMIT + "')";

    /**
     * Each statement reads what is committed by then, also behind a lock that was waited for, and may write. A statement of
     * its own, because nothing else may come before it.
     */
    static final String WRITING = "set transaction isolation level read committed read write";

    /** One picture for all statements. */
    static final String READING = "set transaction isolation level repeatable read read only";

    /** What this server wants, as this connection sees it. */
    static PostgresSettings of(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(LOOK)) {
            found.next();
            SortedMap<String, String> wanted = new TreeMap<>(ALWAYS);
            if (found.getInt(1) >= TRANSACTION_TIMEOUT_SINCE) {
                wanted.put(TRANSACTION_TIMEOUT, "0");
            }
            String synchronous = found.getString(3);
            // What is acknowledged is not lost. Values other than off say how far it must have come, and are kept.
            wanted.put(SYNCHRONOUS_COMMIT, synchronous.equals("off") ? "on" : synchronous);
            return new PostgresSettings(wanted, found.getString(2), false);
        }
    }

    /** The same where connections begin with it. */
    PostgresSettings set() {
        return new PostgresSettings(wanted, searchPath, true);
    }

    /** For the greeting of a connection of our own. What is named last counts, so this stands behind what a URL says. */
    String options() {
        String isolation = "-c default_transaction_isolation=read\\ committed -c default_transaction_read_only=off ";
        return wanted.entrySet().stream()
                .map(setting -> "-c %s=%s".formatted(setting.getKey(), setting.getValue()))
                .collect(Collectors.joining(" ", isolation, ""));
    }

    /** What one transaction sets for itself; its parameter {@code :path} is the search path. */
    String local() {
        return local(wanted);
    }

    /** The same for one that migrates. */
    String localForMigration() {
        SortedMap<String, String> migrating = new TreeMap<>(wanted);
        migrating.putAll(MIGRATING);
        return local(migrating);
    }

    private static String local(SortedMap<String, String> settings) {
        return settings.entrySet().stream()
                .map(setting -> "set_config('%s', '%s', true)".formatted(setting.getKey(), setting.getValue()))
                .collect(Collectors.joining(", ", "select ", ", set_config('search_path', :path, true)"));
    }

    /**
     * What differs in the transaction that is open on this connection.
     *
     * @return the names, each with what was found
     */
    Map<String, String> missed(Connection connection) throws SQLException {
        SortedMap<String, String> expected = new TreeMap<>(wanted);
        expected.put("transaction_isolation", "read committed");
        expected.put("transaction_read_only", "off");
        expected.put("search_path", searchPath);
        String query = expected.keySet().stream()
                .map("current_setting('%s')"::formatted)
                .collect(Collectors.joining(", ", "select ", ""));
        Map<String, String> missed = new LinkedHashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(query)) {
            found.next();
            int column = 0;
            for (Map.Entry<String, String> each : expected.entrySet()) {
                String value = found.getString(++column);
                if (!value.equals(each.getValue())) {
                    missed.put(each.getKey(), "%s instead of %s".formatted(value, each.getValue()));
                }
            }
        }
        return missed;
    }

    static StoreRefusedException refused(Map<String, String> missed) {
        String found = missed.entrySet().stream()
                .map(each -> each.getKey() + " is " + each.getValue())
                .collect(Collectors.joining(", "));
        return new StoreRefusedException(
                "PostgreSQL: expected Headgate's own transactions to have the settings that they rely on, found that %s; something between this program and the server drops what a transaction sets for itself (SET TRANSACTION, set_config): connect without it"
                        .formatted(found));
    }
}

package dev.headgate.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A connection pool of our own, with the settings a queue wants. */
final class PostgresPool {
    private static final int CONNECTIONS = 8;

    /**
     * How long a turn or a heartbeat waits for the server's next word. A connection that fell silent (a machine that is
     * gone, a firewall that forgot it) looks like a slow server; it must be given up well before a lease of the usual 30
     * seconds ends.
     */
    private static final int ANSWER_SECONDS = 10;

    /** The same for what may take long: looks at everything, changes that exclude all others, new tables. */
    private static final int LONG_ANSWER_SECONDS = 60;

    /** How long to try to connect, unless the URL says so: a server that is just starting is worth a little patience. */
    private static final int CONNECT_SECONDS = 10;

    private static final int VALIDATION_MILLIS = 2_000;
    private static final Pattern CONNECT_TIMEOUT =
            Pattern.compile("[?&]connectTimeout=([1-9][0-9]{0,5})(&|$)", Pattern.CASE_INSENSITIVE);

    private PostgresPool() {}

    static HikariDataSource open(String url) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("headgate");
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(CONNECTIONS);
        config.setMinimumIdle(1);
        config.setAutoCommit(false);
        config.setConnectionTimeout(10_000);
        config.setInitializationFailTimeout(connectSeconds(url) * 1_000L);
        config.setValidationTimeout(VALIDATION_MILLIS);
        addUnlessGiven(config, url, "ApplicationName", "headgate");
        addUnlessGiven(config, url, "connectTimeout", Integer.toString(CONNECT_SECONDS));
        addUnlessGiven(config, url, "socketTimeout", Integer.toString(ANSWER_SECONDS));
        addUnlessGiven(config, url, "tcpKeepAlive", "true");
        addUnlessGiven(config, url, "targetServerType", "primary");
        // What the server adds to an error is the row that failed, payload and all, and errors are logged.
        addUnlessGiven(config, url, "logServerErrorDetail", "false");
        // Claims are many and short: compiling a plan costs more than it saves, and so does making a new one each time,
        // which PostgreSQL prefers wherever an array is a parameter (0.37 ms to plan what runs in 0.06 ms). A kept plan
        // must not be one for a table that was small when it was made, so it may only use indexes, and those in their
        // order: of a table that it knows to be empty, the planner would as soon collect all that waits and sort it.
        // A process that is stopped in the middle of a turn, or whose machine is gone, must not keep its gates locked.
        addUnlessGiven(
                config,
                url,
                "options",
                "-c jit=off -c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_bitmapscan=off"
                        + " -c idle_in_transaction_session_timeout=5s");
        return new HikariDataSource(config);
    }

    /** Lets the next statements of this connection take long, unless the URL says how long; until it is given back. */
    static void bePatient(Connection connection) throws SQLException {
        if (connection.getNetworkTimeout() == ANSWER_SECONDS * 1_000) {
            connection.setNetworkTimeout(Runnable::run, LONG_ANSWER_SECONDS * 1_000);
        }
    }

    /** The driver gives up on one address after this; the pool tries again for as long where it is refused at once. */
    private static int connectSeconds(String url) {
        Matcher given = CONNECT_TIMEOUT.matcher(url);
        return given.find() ? Integer.parseInt(given.group(1)) : CONNECT_SECONDS;
    }

    private static void addUnlessGiven(HikariConfig config, String url, String name, String value) {
        if (!url.toLowerCase(Locale.ROOT).contains(name.toLowerCase(Locale.ROOT) + "=")) {
            config.addDataSourceProperty(name, value);
        }
    }
}

package dev.headgate.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

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

    /**
     * Claims are many and short: compiling a plan costs more than it saves, and so does making a new one each time,
     * which PostgreSQL prefers wherever an array is a parameter (0.37 ms to plan what runs in 0.06 ms). A kept plan must
     * not be one for a table that was small when it was made, so it may only use indexes, and those in their order: of a
     * table that it knows to be empty, the planner would as soon collect all that waits and sort it. A process that is
     * stopped in the middle of a turn, or whose machine is gone, must not keep its gates locked.
     */
    private static final SortedMap<String, String> SETTINGS = new TreeMap<>(Map.of(
            "jit", "off",
            "plan_cache_mode", "force_generic_plan",
            "enable_seqscan", "off",
            "enable_bitmapscan", "off",
            "idle_in_transaction_session_timeout", "5s"));

    private static final String OPTIONS = SETTINGS.entrySet().stream()
            .map(setting -> "-c %s=%s".formatted(setting.getKey(), setting.getValue()))
            .collect(Collectors.joining(" "));

    /** The same for one transaction, where a session is not ours to change. */
    static final String SET_LOCAL = SETTINGS.entrySet().stream()
            .map(setting -> "set_config('%s', '%s', true)".formatted(setting.getKey(), setting.getValue()))
            .collect(Collectors.joining(", ", "select ", ""));

    private static final int VALIDATION_MILLIS = 2_000;
    private static final Pattern CONNECT_TIMEOUT =
            Pattern.compile("[?&]connectTimeout=([1-9][0-9]{0,5})(&|$)", Pattern.CASE_INSENSITIVE);

    private PostgresPool() {}

    /** A pool, and whether its connections lead to a pooler. */
    record Opened(HikariDataSource pool, boolean isPooled) {}

    /**
     * Opens the pool. Poolers refuse settings in the greeting, so the first connection is made without them and shows what
     * answers.
     */
    static Opened open(String url) throws SQLException {
        HikariDataSource plain = new HikariDataSource(config(url, true));
        try {
            if (PostgresConnections.isPooled(plain)) {
                return new Opened(plain, true);
            }
        } catch (SQLException | RuntimeException failed) {
            plain.close();
            throw failed;
        }
        plain.close();
        return new Opened(new HikariDataSource(config(url, false)), false);
    }

    private static HikariConfig config(String url, boolean isPooled) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("headgate");
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(CONNECTIONS);
        config.setMinimumIdle(1);
        config.setAutoCommit(false);
        config.setConnectionTimeout(10_000);
        config.setInitializationFailTimeout(connectSeconds(url) * 1_000L);
        config.setValidationTimeout(VALIDATION_MILLIS);
        properties(url, isPooled).forEach(config::addDataSourceProperty);
        return config;
    }

    /** A connection of its own, which stands in no pool. */
    static Connection connect(String url) throws SQLException {
        Properties properties = new Properties();
        properties(url, true).forEach(properties::setProperty);
        return DriverManager.getConnection(url, properties);
    }

    /** What our connections want, as far as the URL does not say otherwise. */
    private static Map<String, String> properties(String url, boolean isPooled) {
        Map<String, String> wanted = new HashMap<>();
        wanted.put("ApplicationName", "headgate");
        wanted.put("connectTimeout", Integer.toString(CONNECT_SECONDS));
        wanted.put("socketTimeout", Integer.toString(ANSWER_SECONDS));
        wanted.put("tcpKeepAlive", "true");
        wanted.put("targetServerType", "primary");
        // What the server adds to an error is the row that failed, payload and all, and errors are logged.
        wanted.put("logServerErrorDetail", "false");
        if (isPooled) {
            wanted.put("prepareThreshold", "0");
        } else {
            wanted.put("options", OPTIONS);
        }
        String given = url.toLowerCase(Locale.ROOT);
        wanted.keySet().removeIf(name -> given.contains(name.toLowerCase(Locale.ROOT) + "="));
        return wanted;
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
}

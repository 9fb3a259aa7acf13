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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A connection pool of our own, with the settings a queue wants. */
final class PostgresPool {
    private static final int CONNECTIONS = 8;

    /**
     * How long a turn or a heartbeat waits for the server's next word. A connection that fell silent (a machine that is
     * gone, a firewall that forgot it) looks like a slow server; it must be given up well before a lease of the usual 30
     * seconds ends.
     */
    private static final int ANSWER_SECONDS = 10;

    /** The same for what may take long: looks at everything, changes that exclude all others. */
    private static final int LONG_ANSWER_SECONDS = 60;

    /** How long to try to connect, unless the URL says so: a server that is just starting is worth a little patience. */
    private static final int CONNECT_SECONDS = 10;

    private static final int VALIDATION_MILLIS = 2_000;
    private static final Pattern CONNECT_TIMEOUT =
            Pattern.compile("[?&]connectTimeout=([1-9][0-9]{0,5})(&|$)", Pattern.CASE_INSENSITIVE);

    private PostgresPool() {}

    /** A pool, whether its connections lead to a pooler, and what our transactions rely on. */
    record Opened(HikariDataSource pool, boolean isPooled, PostgresSettings settings) {}

    /**
     * Opens the pool. Poolers refuse settings in the greeting, so the first connection is made without them and shows what
     * answers. Whatever else swallows them in silence is found by a look, and then each transaction sets them for itself.
     */
    static Opened open(String url) throws SQLException {
        PostgresSettings settings;
        HikariDataSource plain = new HikariDataSource(config(url, null));
        try (Connection connection = plain.getConnection()) {
            settings = PostgresSettings.of(connection);
            connection.rollback();
            if (PostgresConnections.isPooled(connection)) {
                return new Opened(plain, true, settings);
            }
        } catch (SQLException | RuntimeException failed) {
            plain.close();
            throw failed;
        }
        plain.close();
        HikariDataSource pool = new HikariDataSource(config(url, settings));
        try (Connection connection = pool.getConnection()) {
            boolean isSet = settings.missed(connection).isEmpty();
            connection.rollback();
            return new Opened(pool, false, isSet ? settings.set() : settings);
        } catch (SQLException | RuntimeException failed) {
            pool.close();
            throw failed;
        }
    }

    private static HikariConfig config(String url, @Nullable PostgresSettings settings) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("headgate");
        config.setJdbcUrl(settings == null ? url : PostgresUrl.withoutOptions(url));
        config.setMaximumPoolSize(CONNECTIONS);
        config.setMinimumIdle(1);
        config.setAutoCommit(false);
        config.setConnectionTimeout(10_000);
        config.setInitializationFailTimeout(connectSeconds(url) * 1_000L);
        config.setValidationTimeout(VALIDATION_MILLIS);
        properties(url, settings).forEach(config::addDataSourceProperty);
        return config;
    }

    /** A connection of its own, which stands in no pool. */
    static Connection connect(String url) throws SQLException {
        Properties properties = new Properties();
        properties(url, null).forEach(properties::setProperty);
        return DriverManager.getConnection(url, properties);
    }

    /**
     * What our connections want, as far as the URL does not say otherwise.
     *
     * @param settings to begin with, behind those that the URL names; absent if the connection begins without
     */
    private static Map<String, String> properties(String url, @Nullable PostgresSettings settings) {
        Map<String, String> wanted = new HashMap<>();
        wanted.put("ApplicationName", "headgate");
        wanted.put("connectTimeout", Integer.toString(CONNECT_SECONDS));
        wanted.put("socketTimeout", Integer.toString(ANSWER_SECONDS));
        wanted.put("tcpKeepAlive", "true");
        wanted.put("targetServerType", "primary");
        // What the server adds to an error is the row that failed, payload and all, and errors are logged.
        wanted.put("logServerErrorDetail", "false");
        if (settings == null) {
            wanted.put("prepareThreshold", "0");
        }
        String given = url.toLowerCase(Locale.ROOT);
        wanted.keySet().removeIf(name -> given.contains(name.toLowerCase(Locale.ROOT) + "="));
        if (settings != null) {
            wanted.put("options", (PostgresUrl.options(url) + " " + settings.options()).strip());
        }
        return wanted;
    }

    /** On a connection of an application's: a server that fell silent is given up as on one of our own, unless it is bounded already. */
    static void beBounded(Connection connection) throws SQLException {
        if (connection.getNetworkTimeout() == 0) {
            connection.setNetworkTimeout(Runnable::run, ANSWER_SECONDS * 1_000);
        }
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

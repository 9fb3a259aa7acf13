package dev.headgate.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.util.Locale;

/** A connection pool of our own, with the settings a queue wants. */
final class PostgresPool {
    private static final int CONNECTIONS = 8;

    private PostgresPool() {}

    static HikariDataSource open(String url) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("headgate");
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(CONNECTIONS);
        config.setMinimumIdle(1);
        config.setAutoCommit(false);
        config.setConnectionTimeout(10_000);
        config.setInitializationFailTimeout(10_000);
        addUnlessGiven(config, url, "ApplicationName", "headgate");
        addUnlessGiven(config, url, "connectTimeout", "10");
        addUnlessGiven(config, url, "socketTimeout", "60");
        addUnlessGiven(config, url, "tcpKeepAlive", "true");
        addUnlessGiven(config, url, "targetServerType", "primary");
        // Claims are many and short: compiling a plan costs more than it saves, and so does making a new one each time,
        // which PostgreSQL prefers wherever an array is a parameter (0.37 ms to plan what runs in 0.06 ms). A plan that
        // is
        // kept must not be one for a table that was small when it was made, so it may only use indexes.
        addUnlessGiven(
                config, url, "options", "-c jit=off -c plan_cache_mode=force_generic_plan -c enable_seqscan=off");
        return new HikariDataSource(config);
    }

    private static void addUnlessGiven(HikariConfig config, String url, String name, String value) {
        if (!url.toLowerCase(Locale.ROOT).contains(name.toLowerCase(Locale.ROOT) + "=")) {
            config.addDataSourceProperty(name, value);
        }
    }
}

package dev.headgate.postgres.plans;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A PostgreSQL server of its own that writes down how it has run every statement: the plan it really used, with the rows
 * and pages it really read. Nothing vacuums or analyses behind the test's back.
 */
final class PlanLog implements AutoCloseable {
    private static final JsonMapper JSON = new JsonMapper();

    private final EmbeddedPostgres server;
    private final Path log;
    private final WatchService watch;
    private long position;
    private int marks;

    private PlanLog(EmbeddedPostgres server, Path folder, WatchService watch) {
        this.server = server;
        this.log = folder.resolve("plans.json");
        this.watch = watch;
    }

    /** @param folder where the server may write its log */
    static PlanLog start(Path folder) throws IOException, SQLException {
        WatchService watch = FileSystems.getDefault().newWatchService();
        folder.register(watch, StandardWatchEventKinds.ENTRY_MODIFY, StandardWatchEventKinds.ENTRY_CREATE);
        EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setServerConfig("autovacuum", "off")
                .setServerConfig("shared_buffers", "512MB")
                .setServerConfig("max_wal_size", "4GB")
                .setServerConfig("logging_collector", "on")
                .setServerConfig("log_destination", "jsonlog")
                .setServerConfig("log_directory", folder.toString())
                .setServerConfig("log_filename", "plans.log")
                .setServerConfig("log_rotation_size", "0")
                .setServerConfig("session_preload_libraries", "auto_explain")
                .setServerConfig("auto_explain.log_min_duration", "0")
                .setServerConfig("auto_explain.log_analyze", "on")
                .setServerConfig("auto_explain.log_timing", "off")
                .setServerConfig("auto_explain.log_buffers", "on")
                .setServerConfig("auto_explain.log_format", "json")
                .setServerConfig("auto_explain.log_parameter_max_length", "0")
                .start();
        PlanLog started = new PlanLog(server, folder, watch);
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            // Not the collation that happens to compare bytes: what depends on that must say so.
            statement.execute(
                    "create database plans template template0 encoding utf8 locale_provider icu icu_locale 'en-US'");
        }
        return started;
    }

    /** For Headgate: its pool adds the settings that it has in production. */
    String url() {
        return server.getJdbcUrl("postgres", "plans");
    }

    /** For the test itself: what this runs is not written down. */
    Connection quietly() throws SQLException {
        return DriverManager.getConnection(url() + "&options=-c%20auto_explain.log_min_duration=-1");
    }

    /** All that ran since the last call. */
    List<Plan> take() throws IOException, SQLException, InterruptedException {
        String end = "end of part " + ++marks;
        try (Connection connection = quietly();
                Statement statement = connection.createStatement()) {
            statement.execute("do $$ begin raise log '%s'; end $$".formatted(end));
        }
        List<Plan> plans = new ArrayList<>();
        while (!readUntil(end, plans)) {
            WatchKey written = watch.poll(1, TimeUnit.SECONDS);
            if (written != null) {
                written.reset();
            }
        }
        return plans;
    }

    private boolean readUntil(String end, List<Plan> plans) throws IOException {
        if (!Files.exists(log)) {
            return false;
        }
        byte[] bytes;
        try (FileChannel channel = FileChannel.open(log).position(position)) {
            bytes = Channels.newInputStream(channel).readAllBytes();
        }
        int from = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                JsonNode line = JSON.readTree(new String(bytes, from, i - from, StandardCharsets.UTF_8));
                from = i + 1;
                String message = line.path("message").asString("");
                if (message.equals(end)) {
                    position += from;
                    return true;
                }
                int plan = message.indexOf("plan:\n");
                if (plan >= 0) {
                    plans.add(Plan.of(JSON.readTree(message.substring(plan + 6))));
                }
            }
        }
        position += from;
        return false;
    }

    @Override
    public void close() throws IOException {
        watch.close();
        server.close();
    }
}

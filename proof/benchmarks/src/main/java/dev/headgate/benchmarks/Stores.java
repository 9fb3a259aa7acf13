package dev.headgate.benchmarks;

import dev.headgate.postgres.PostgresBackend;
import dev.headgate.spi.Backend;
import dev.headgate.sqlite.SqliteBackend;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Fresh stores for a benchmark: a SQLite file, or an embedded PostgreSQL with durable commits. */
final class Stores implements AutoCloseable {
    static final List<String> ALL = List.of("sqlite", "postgres");

    private final Path folder;
    private final List<String> kinds;
    private @Nullable EmbeddedPostgres postgres;
    private int count;

    Stores(List<String> kinds) {
        this.kinds = kinds;
        try {
            this.folder = Files.createTempDirectory("headgate-benchmark");
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    List<String> kinds() {
        return kinds;
    }

    /** The URL of a new, empty store. */
    String freshUrl(String kind) {
        count++;
        return switch (kind) {
            case "sqlite" -> "jdbc:sqlite:" + folder.resolve("jobs-" + count + ".db");
            case "postgres" -> freshDatabase("bench" + count);
            default ->
                throw new IllegalArgumentException("store: expected sqlite or postgres, got '%s'".formatted(kind));
        };
    }

    /** Takes a store away. PostgreSQL writes a checkpoint then, so that the next one begins with none due. */
    void discard(String url) {
        if (url.startsWith("jdbc:sqlite:")) {
            String file = url.substring("jdbc:sqlite:".length());
            for (String ending : List.of("", "-wal", "-shm")) {
                try {
                    Files.deleteIfExists(Path.of(file + ending));
                } catch (IOException failed) {
                    throw new UncheckedIOException(failed);
                }
            }
        } else {
            String name = url.substring(url.lastIndexOf('/') + 1).replaceFirst("\\?.*", "");
            asSuperuser("drop database " + name + " with (force)");
        }
    }

    static Backend open(String url) {
        return url.startsWith("jdbc:sqlite:") ? SqliteBackend.open(url) : PostgresBackend.open(url);
    }

    private String freshDatabase(String name) {
        try {
            if (postgres == null) {
                // Durable as in production: embedded defaults switch fsync off.
                postgres = EmbeddedPostgres.builder()
                        .setServerConfig(
                                "shared_preload_libraries",
                                Boolean.getBoolean("statements") ? "pg_stat_statements" : "")
                        .setServerConfig("fsync", "on")
                        .setServerConfig("synchronous_commit", "on")
                        .setServerConfig("full_page_writes", "on")
                        .setServerConfig("shared_buffers", "512MB")
                        .setServerConfig("max_wal_size", "4GB")
                        .start();
            }
            asSuperuser("create database " + name);
            return postgres.getJdbcUrl("postgres", name);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private void asSuperuser(String command) {
        try (Connection connection =
                        Objects.requireNonNull(postgres).getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(command);
        } catch (SQLException failed) {
            throw new IllegalStateException("embedded PostgreSQL: " + failed.getMessage(), failed);
        }
    }

    @Override
    public void close() {
        try (Stream<Path> files = Files.walk(folder)) {
            if (postgres != null) {
                postgres.close();
            }
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}

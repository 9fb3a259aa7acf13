package dev.headgate.sqlite;

import dev.headgate.jdbc.Listeners;
import dev.headgate.jdbc.Loop;
import dev.headgate.jdbc.Session;
import dev.headgate.jdbc.SqlFailedException;
import dev.headgate.spi.Wake;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Notices commits of other processes and of other connections. Looks at the write-ahead log's size and time every few
 * milliseconds, which is no query, and asks SQLite ({@code data_version}) only when those have changed: its answer
 * does not count what this process's own writer did.
 *
 * <p>Only the file's attributes are read. Opening the log's index (or the database) here and closing it again would
 * drop every lock SQLite holds on it in this process: that is how POSIX locks work, and how databases are corrupted.
 */
final class SqliteWatch implements AutoCloseable {
    private static final long LOOK_NANOS = 5_000_000;

    /** The log grows before the commit counts, by the time of a sync to disk: go on asking for a second. */
    private static final int LOOKS_AFTER_CHANGE = 200;

    private final Path log;
    private final SqliteWriter writer;
    private final Listeners listeners;
    private final Loop loop;
    private @Nullable Object seen;
    private int looksLeft;
    private long version;

    SqliteWatch(Path database, SqliteWriter writer, Listeners listeners) {
        this.log = database.resolveSibling(database.getFileName() + "-wal");
        this.writer = writer;
        this.listeners = listeners;
        // Before the first listener: a commit from here on is news.
        this.version = writer.between(SqliteWatch::dataVersion);
        this.loop = Loop.start("headgate-sqlite-watch", this::look);
    }

    private boolean look() {
        LockSupport.parkNanos(this, LOOK_NANOS);
        if (listeners.isEmpty()) {
            return true;
        }
        Object now = stamp();
        if (now != null && !now.equals(seen)) {
            seen = now;
            looksLeft = LOOKS_AFTER_CHANGE;
        }
        if (looksLeft > 0) {
            looksLeft--;
            ask();
        }
        return true;
    }

    private void ask() {
        Long found = writer.tryBetween(SqliteWatch::dataVersion);
        if (found != null && found != version) {
            version = found;
            listeners.tell(new Wake.Anything());
        }
    }

    private @Nullable Object stamp() {
        try {
            BasicFileAttributes attributes = Files.readAttributes(log, BasicFileAttributes.class);
            return attributes.lastModifiedTime() + "/" + attributes.size();
        } catch (IOException notThere) {
            return null;
        }
    }

    private static Long dataVersion(Session session) {
        try (Statement statement = session.connection().createStatement();
                ResultSet results = statement.executeQuery("pragma data_version")) {
            return results.next() ? results.getLong(1) : 0L;
        } catch (SQLException failed) {
            throw new SqlFailedException("data_version", failed);
        }
    }

    @Override
    public void close() {
        loop.close();
    }
}

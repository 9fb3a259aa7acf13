package dev.headgate.sqlite;

import dev.headgate.jdbc.Listeners;
import dev.headgate.jdbc.Loop;
import dev.headgate.jdbc.Session;
import dev.headgate.jdbc.SqlFailedException;
import dev.headgate.store.Wake;
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
 */
final class SqliteWatch implements AutoCloseable {
    private static final long LOOK_NANOS = 5_000_000;

    private final Path log;
    private final SqliteWriter writer;
    private final Listeners listeners;
    private final Loop loop;
    private @Nullable Object seen;
    private long version = -1;

    SqliteWatch(Path database, SqliteWriter writer, Listeners listeners) {
        this.log = database.resolveSibling(database.getFileName() + "-wal");
        this.writer = writer;
        this.listeners = listeners;
        this.loop = Loop.start("headgate-sqlite-watch", this::look);
    }

    private boolean look() {
        LockSupport.parkNanos(this, LOOK_NANOS);
        if (listeners.isEmpty()) {
            return true;
        }
        Object now = stamp();
        if (now != null && !now.equals(seen)) {
            Long found = writer.tryBetween(SqliteWatch::dataVersion);
            if (found != null) {
                seen = now;
                if (found != version) {
                    boolean isFirst = version < 0;
                    version = found;
                    if (!isFirst) {
                        listeners.tell(new Wake.Anything());
                    }
                }
            }
        }
        return true;
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

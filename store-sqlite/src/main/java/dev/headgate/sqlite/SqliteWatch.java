package dev.headgate.sqlite;

import dev.headgate.jdbc.Listeners;
import dev.headgate.jdbc.Loop;
import dev.headgate.jdbc.Session;
import dev.headgate.jdbc.SqlFailedException;
import dev.headgate.store.Wake;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Notices commits of other processes and of other connections. Reads the head of the write-ahead log's index every few
 * milliseconds, which is no query, and asks SQLite ({@code data_version}) only when it has changed: its answer does not
 * count what this process's own writer did. The log itself would not do: it changes before the commit is synced and
 * visible, and whoever asks in between is told that nothing happened, and never asks again.
 */
final class SqliteWatch implements AutoCloseable {
    private static final long LOOK_NANOS = 5_000_000;
    private static final int INDEX_HEAD_BYTES = 48;

    private final Path index;
    private final SqliteWriter writer;
    private final Listeners listeners;
    private final Loop loop;
    private @Nullable Object seen;
    private long version = -1;

    SqliteWatch(Path database, SqliteWriter writer, Listeners listeners) {
        this.index = database.resolveSibling(database.getFileName() + "-shm");
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
                    // Also the first time: what happened since a listener's own first look is not known.
                    version = found;
                    listeners.tell(new Wake.Anything());
                }
            }
        }
        return true;
    }

    /** The head of the log's index: it changes when a commit becomes visible, and not before. */
    private @Nullable Object stamp() {
        try (SeekableByteChannel file = Files.newByteChannel(index)) {
            ByteBuffer head = ByteBuffer.allocate(INDEX_HEAD_BYTES);
            while (head.hasRemaining() && file.read(head) >= 0) {
                // Reads the rest.
            }
            return head.flip();
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

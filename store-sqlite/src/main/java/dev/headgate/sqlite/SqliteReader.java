package dev.headgate.sqlite;

import dev.headgate.jdbc.Session;
import dev.headgate.jdbc.SqlFailedException;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.store.StoreUnavailableException;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A connection that only reads, opened when it is first needed. */
final class SqliteReader implements AutoCloseable {
    private final SqliteFile file;
    private final Supplier<Session> opener;
    private final Function<Session, StoreTransaction> transactions;
    private final ReentrantLock reading = new ReentrantLock();
    private @Nullable Session session;

    SqliteReader(SqliteFile file, Supplier<Session> opener, Function<Session, StoreTransaction> transactions) {
        this.file = file;
        this.opener = opener;
        this.transactions = transactions;
    }

    /** One consistent read. */
    <T extends @Nullable Object> T read(Function<StoreTransaction, T> work) {
        return between(open -> {
            try (Statement control = open.connection().createStatement()) {
                control.execute("begin");
                try {
                    return work.apply(transactions.apply(open));
                } finally {
                    control.execute("rollback");
                }
            } catch (SQLException failed) {
                throw unavailable(failed);
            } catch (SqlFailedException failed) {
                throw unavailable(failed.sql());
            }
        });
    }

    /** Runs on the connection while nothing is read. */
    <T extends @Nullable Object> T between(Function<Session, T> work) {
        reading.lock();
        try {
            return work.apply(open());
        } finally {
            reading.unlock();
        }
    }

    private Session open() {
        Session known = session;
        if (known == null) {
            known = opener.get();
            session = known;
        }
        return known;
    }

    private StoreUnavailableException unavailable(SQLException failed) {
        return new StoreUnavailableException("SQLite store %s: %s".formatted(file.url(), failed.getMessage()), failed);
    }

    @Override
    public void close() {
        reading.lock();
        try {
            if (session != null) {
                session.close();
            }
        } finally {
            reading.unlock();
        }
    }
}

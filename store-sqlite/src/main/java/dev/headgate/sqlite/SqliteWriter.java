package dev.headgate.sqlite;

import dev.headgate.jdbc.JdbcStoreTransaction;
import dev.headgate.jdbc.Session;
import dev.headgate.jdbc.SqlFailedException;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.store.StoreRefusedException;
import dev.headgate.store.StoreUnavailableException;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The one writing connection of this process. Writers that come while another commits are taken together into the next
 * transaction, each behind a savepoint of its own: one sync to disk for all of them, and a failure undoes only its own.
 */
final class SqliteWriter implements AutoCloseable {
    private static final int GROUP_MAX = 64;

    private final Session session;
    private final Supplier<JdbcStoreTransaction> transactions;
    private final boolean isShared;
    private final ReentrantLock lock = new ReentrantLock(true);
    private final Queue<Task<?>> waiting = new ConcurrentLinkedQueue<>();

    /** @param isShared whether other processes may write, and change the tables */
    SqliteWriter(Session session, Supplier<JdbcStoreTransaction> transactions, boolean isShared) {
        this.session = session;
        this.transactions = transactions;
        this.isShared = isShared;
    }

    <T extends @Nullable Object> T write(Function<StoreTransaction, T> work) {
        Task<T> task = new Task<>(work);
        waiting.add(task);
        lock.lock();
        try {
            while (!task.isDone) {
                commitGroup();
            }
        } finally {
            lock.unlock();
        }
        return task.answer();
    }

    /** Runs on the writing connection between two writes; returns nothing if a write is running. */
    <T> @Nullable T tryBetween(Function<Session, T> work) {
        if (!lock.tryLock()) {
            return null;
        }
        try {
            return work.apply(session);
        } finally {
            lock.unlock();
        }
    }

    <T extends @Nullable Object> T between(Function<Session, T> work) {
        lock.lock();
        try {
            return work.apply(session);
        } finally {
            lock.unlock();
        }
    }

    private void commitGroup() {
        List<Task<?>> group = new ArrayList<>();
        Task<?> next;
        while (group.size() < GROUP_MAX && (next = waiting.poll()) != null) {
            group.add(next);
        }
        try {
            execute("begin immediate");
            boolean isAlone = group.size() == 1;
            List<JdbcStoreTransaction> done = new ArrayList<>();
            for (Task<?> task : group) {
                JdbcStoreTransaction tx = transactions.get();
                if (isShared && task == group.getFirst()) { // for all of them: no other process writes until the commit
                    tx.admit();
                }
                if (isAlone ? task.run(tx) : runInSavepoint(task, tx)) {
                    done.add(tx);
                }
            }
            if (done.isEmpty()) {
                execute("rollback");
            } else {
                commit(group);
            }
            done.forEach(JdbcStoreTransaction::committed);
        } catch (SqlFailedException failed) {
            rollBackQuietly();
            group.forEach(task -> task.fail(new StoreUnavailableException(
                    "SQLite store: nothing was written: " + failed.getMessage(), failed)));
        } catch (StoreRefusedException refused) {
            rollBackQuietly();
            group.forEach(task -> task.fail(refused));
        } catch (RuntimeException | Error failed) {
            rollBackQuietly();
            group.forEach(task -> task.fail(new IllegalStateException("a write beside this one failed badly", failed)));
            throw failed;
        } finally {
            group.forEach(task -> task.isDone = true);
        }
    }

    /**
     * A commit that fails in the sync has already been appended to the write-ahead log, where a crash right now would leave
     * it for the next process to find. It is undone here, but it may have happened all the same.
     */
    private void commit(List<Task<?>> group) {
        try {
            execute("commit");
        } catch (SqlFailedException failed) {
            group.forEach(task -> task.fail(new StoreUnavailableException(
                    "SQLite store: a commit failed, so it may or may not have happened: " + failed.getMessage(),
                    failed)));
            throw failed;
        }
    }

    private boolean runInSavepoint(Task<?> task, JdbcStoreTransaction tx) {
        execute("savepoint work");
        boolean isGood = task.run(tx);
        if (!isGood) {
            execute("rollback to work");
        }
        execute("release work");
        return isGood;
    }

    private void execute(String sql) {
        try (Statement statement = session.connection().createStatement()) {
            statement.execute(sql);
        } catch (SQLException failed) {
            throw new SqlFailedException(sql, failed);
        }
    }

    private void rollBackQuietly() {
        try {
            execute("rollback");
        } catch (SqlFailedException alreadyRolledBack) {
            // SQLite rolls back by itself on a full disk or an I/O error; there is nothing left to undo.
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            session.close();
        } finally {
            lock.unlock();
        }
    }

    /** One caller's work and its answer. Guarded by the lock. */
    private static final class Task<T extends @Nullable Object> {
        private final Function<StoreTransaction, T> work;
        private @Nullable T answer;
        private @Nullable RuntimeException failure;
        private boolean isDone;

        private Task(Function<StoreTransaction, T> work) {
            this.work = work;
        }

        /** A failed statement inside undoes this work only; what broke the connection shows at the commit. */
        private boolean run(StoreTransaction tx) {
            try {
                answer = work.apply(tx);
                return true;
            } catch (SqlFailedException failed) {
                failure = new StoreUnavailableException(
                        "SQLite store: nothing was written: " + failed.getMessage(), failed);
            } catch (RuntimeException failed) {
                failure = failed;
            }
            return false;
        }

        private void fail(RuntimeException why) {
            failure = failure == null ? why : failure;
        }

        @SuppressWarnings("NullAway") // T says whether the answer may be null
        private T answer() {
            if (failure != null) {
                throw failure;
            }
            return answer;
        }
    }
}

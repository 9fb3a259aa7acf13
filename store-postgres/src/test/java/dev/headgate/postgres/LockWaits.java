package dev.headgate.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;

/** Threads that wait for a lock of the database, seen from outside. */
final class LockWaits {
    private static final String WAITING = """
            select count(*)
            from pg_locks l
            join pg_stat_activity a on a.pid = l.pid
            where not l.granted and a.datname = current_database()
            """;

    private LockWaits() {}

    static <T> FutureTask<T> start(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread.ofPlatform().start(task);
        return task;
    }

    /** Returns once a connection waits for a lock, or this is done without. Answers whether one waits. */
    static boolean await(String url, FutureTask<?> task) throws SQLException {
        try (Connection watch = DriverManager.getConnection(url);
                Statement statement = watch.createStatement()) {
            boolean isWaiting = false;
            while (!isWaiting && !task.isDone()) {
                try (ResultSet locks = statement.executeQuery(WAITING)) {
                    locks.next();
                    isWaiting = locks.getInt(1) > 0;
                }
            }
            return isWaiting;
        }
    }
}

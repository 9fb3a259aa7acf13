package dev.headgate.benchmarks.versus;

import java.sql.Connection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A thread that hands in what ended and takes what comes next, over and over; what it holds at the end is ended too. */
final class Loop implements AutoCloseable {
    /** One transaction: ends the jobs given, claims others, runs them and answers their ids. */
    interface Turn {
        List<Long> take(List<Long> ended) throws Exception;
    }

    private static final int REST_MILLIS = 2;

    private final Connection connection;
    private final Turn turn;
    private final Thread thread;
    private volatile boolean isClosed;
    private volatile @Nullable Exception broken;

    private Loop(Connection connection, Turn turn) {
        this.connection = connection;
        this.turn = turn;
        this.thread = Thread.ofPlatform().name("raw").unstarted(this::run);
    }

    static Loop start(Connection connection, Turn turn) {
        Loop loop = new Loop(connection, turn);
        loop.thread.start();
        return loop;
    }

    private void run() {
        try {
            List<Long> held = List.of();
            while (!isClosed || !held.isEmpty()) {
                boolean isIdle = held.isEmpty();
                held = turn.take(held);
                if (isIdle && held.isEmpty()) {
                    Thread.sleep(REST_MILLIS);
                }
            }
        } catch (Exception failed) {
            broken = failed;
        }
    }

    void lookAlive() {
        if (broken != null) {
            throw new IllegalStateException(broken);
        }
    }

    @Override
    public void close() throws Exception {
        isClosed = true;
        thread.join();
        connection.close();
        lookAlive();
    }
}

package dev.headgate.benchmarks.versus;

import java.sql.Array;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;

/**
 * No queue at all, but the fewest statements that leave the same durable record: a job row with its payload that waits, runs and
 * goes to a history table. One statement ends the last 500 jobs and claims the next 500, and commits. It knows
 * no limits, retries, dead workers or wake-ups; it is the yardstick for what the machine can do.
 */
final class RawPostgres implements Contender {
    static final int BATCH = 500;
    static final String QUEUE = "q";
    private static final int CALL = 10_000;

    private static final String SCHEMA = """
            create table if not exists raw_job (
                id bigint generated always as identity primary key,
                queue text not null,
                type text not null,
                payload text not null,
                state text not null,
                enqueued_at timestamptz not null default now(),
                started_at timestamptz,
                attempt integer not null default 0,
                epoch bigint not null default 0,
                worker text
            ) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
            create index if not exists raw_job_for_claim on raw_job (queue, id) where state = 'QUEUED';
            create table if not exists raw_history (
                id bigint primary key,
                queue text not null,
                type text not null,
                payload text not null,
                state text not null,
                enqueued_at timestamptz not null,
                started_at timestamptz not null,
                attempt integer not null,
                epoch bigint not null,
                worker text not null,
                finished_at timestamptz not null
            )
            """;

    private static final String INSERT = """
            insert into raw_job (queue, type, payload, state)
            select ?, 'work', p, 'QUEUED' from unnest(?::text[]) as i (p)
            """;

    private static final String TURN = """
            with gone as (
                delete from raw_job where id = any(?) and worker = ? returning *
            ),
            kept as (
                insert into raw_history (
                    id, queue, type, payload, state, enqueued_at, started_at, attempt, epoch, worker, finished_at)
                select id, queue, type, payload, 'SUCCEEDED', enqueued_at, started_at, attempt, epoch, worker, now() from gone
            )
            update raw_job
            set state = 'RUNNING', worker = ?, started_at = now(), attempt = attempt + 1, epoch = epoch + 1
            where ctid = any(array(
                select ctid from raw_job where queue = ? and state = 'QUEUED' order by id limit ? for update skip locked))
            returning id, payload
            """;

    private final String url;
    private final int loops;
    private final Connection client;
    private final List<Loop> workers = new ArrayList<>();

    /** @param isCommitting a commit follows each insert as a statement of its own; otherwise the insert is a transaction by itself */
    RawPostgres(String url, int loops, boolean isCommitting) throws SQLException {
        this.url = url;
        this.loops = loops;
        this.client = connect(url);
        try (Statement statement = client.createStatement()) {
            statement.execute(SCHEMA);
        }
        client.setAutoCommit(!isCommitting);
    }

    /** A connection with the settings that Headgate gives to its own. */
    static Connection connect(String url) throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        try (Statement statement = connection.createStatement()) {
            statement.execute("set jit = off; set plan_cache_mode = force_generic_plan; set enable_seqscan = off");
        }
        return connection;
    }

    static String payload(long number) {
        return "{\"n\":" + number + "}";
    }

    static long number(String payload) {
        return Long.parseLong(payload, 5, payload.length() - 1, 10);
    }

    @Override
    public void enqueueAll(long first, int count) throws SQLException {
        try (PreparedStatement insert = client.prepareStatement(INSERT)) {
            for (long from = first; from < first + count; from += CALL) {
                Object[] payloads = LongStream.range(from, Math.min(first + count, from + CALL))
                        .mapToObj(RawPostgres::payload)
                        .toArray();
                insert.setString(1, QUEUE);
                insert.setArray(2, client.createArrayOf("text", payloads));
                insert.executeUpdate();
                commit();
            }
        }
    }

    private void commit() throws SQLException {
        if (!client.getAutoCommit()) {
            client.commit();
        }
    }

    @Override
    public void enqueue(long number) throws SQLException {
        try (PreparedStatement insert = client.prepareStatement(
                "insert into raw_job (queue, type, payload, state) values (?, 'work', ?, 'QUEUED')")) {
            insert.setString(1, QUEUE);
            insert.setString(2, payload(number));
            insert.executeUpdate();
            commit();
        }
    }

    @Override
    public void work(LongConsumer handler) throws SQLException {
        for (int i = 0; i < loops; i++) {
            Connection connection = connect(url);
            PreparedStatement turn = connection.prepareStatement(TURN);
            workers.add(Loop.start(connection, ended -> turn(connection, turn, ended, handler)));
        }
    }

    private static List<Long> turn(
            Connection connection, PreparedStatement turn, List<Long> ended, LongConsumer handler) throws SQLException {
        Array ids = connection.createArrayOf("bigint", ended.toArray());
        turn.setArray(1, ids);
        turn.setString(2, "w");
        turn.setString(3, "w");
        turn.setString(4, QUEUE);
        turn.setInt(5, BATCH);
        List<Long> started = new ArrayList<>(BATCH);
        try (ResultSet rows = turn.executeQuery()) {
            while (rows.next()) {
                started.add(rows.getLong(1));
                handler.accept(number(rows.getString(2)));
            }
        }
        return started;
    }

    @Override
    public void lookAlive() throws Exception {
        for (Loop worker : workers) {
            worker.lookAlive();
        }
    }

    @Override
    public void close() throws Exception {
        for (Loop worker : workers) {
            worker.close();
        }
        client.close();
    }
}

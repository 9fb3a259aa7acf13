package dev.headgate.benchmarks.versus;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/** What {@link RawPostgres} is, on SQLite: three statements and one commit end 500 jobs and claim the next 500. */
final class RawSqlite implements Contender {
    private static final int CALL = 10_000;

    private static final String SCHEMA = """
            create table if not exists raw_job (
                id integer primary key autoincrement,
                queue text not null,
                type text not null,
                payload text not null,
                state text not null,
                enqueued_at integer not null,
                started_at integer,
                attempt integer not null default 0,
                epoch integer not null default 0,
                worker text
            );
            create index if not exists raw_job_for_claim on raw_job (queue, id) where state = 'QUEUED';
            create table if not exists raw_history (
                id integer primary key,
                queue text not null,
                type text not null,
                payload text not null,
                state text not null,
                enqueued_at integer not null,
                started_at integer not null,
                attempt integer not null,
                epoch integer not null,
                worker text not null,
                finished_at integer not null
            );
            """;

    private static final String INSERT =
            "insert into raw_job (queue, type, payload, state, enqueued_at) values ('q', 'work', ?, 'QUEUED', ?)";

    private static final String KEEP = """
            insert into raw_history
            select id, queue, type, payload, 'SUCCEEDED', enqueued_at, started_at, attempt, epoch, worker, ?
            from raw_job
            where id in (select value from json_each(?))
            """;

    private static final String END = "delete from raw_job where id in (select value from json_each(?))";

    private static final String CLAIM = """
            update raw_job
            set state = 'RUNNING', worker = 'w', started_at = ?, attempt = attempt + 1, epoch = epoch + 1
            where id in (select id from raw_job where queue = 'q' and state = 'QUEUED' order by id limit ?)
            returning id, payload
            """;

    private final HikariDataSource pool;
    private final List<Loop> workers = new ArrayList<>();

    RawSqlite(String url) throws SQLException {
        pool = Pools.open(url, 2);
        Pools.execute(pool, SCHEMA);
    }

    @Override
    public void enqueueAll(long first, int count) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement insert = connection.prepareStatement(INSERT)) {
            connection.setAutoCommit(false);
            for (long number = first; number < first + count; number++) {
                insert.setString(1, RawPostgres.payload(number));
                insert.setLong(2, System.currentTimeMillis());
                insert.executeUpdate();
                if ((number - first) % CALL == CALL - 1) {
                    connection.commit();
                }
            }
            connection.commit();
            connection.setAutoCommit(true);
        }
    }

    @Override
    public void enqueue(long number) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement insert = connection.prepareStatement(INSERT)) {
            insert.setString(1, RawPostgres.payload(number));
            insert.setLong(2, System.currentTimeMillis());
            insert.executeUpdate();
        }
    }

    @Override
    public void work(LongConsumer handler) throws SQLException {
        Connection connection = pool.getConnection();
        connection.setAutoCommit(false);
        PreparedStatement keep = connection.prepareStatement(KEEP);
        PreparedStatement end = connection.prepareStatement(END);
        PreparedStatement claim = connection.prepareStatement(CLAIM);
        workers.add(Loop.start(connection, ended -> {
            long now = System.currentTimeMillis();
            if (!ended.isEmpty()) {
                keep.setLong(1, now);
                keep.setString(2, ended.toString());
                keep.executeUpdate();
                end.setString(1, ended.toString());
                end.executeUpdate();
            }
            claim.setLong(1, now);
            claim.setInt(2, RawPostgres.BATCH);
            List<Long> started = new ArrayList<>(RawPostgres.BATCH);
            List<String> payloads = new ArrayList<>(RawPostgres.BATCH);
            try (ResultSet rows = claim.executeQuery()) {
                while (rows.next()) {
                    started.add(rows.getLong(1));
                    payloads.add(rows.getString(2));
                }
            }
            connection.commit();
            payloads.forEach(payload -> handler.accept(RawPostgres.number(payload)));
            return started;
        }));
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
        pool.close();
    }
}

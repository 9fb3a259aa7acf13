package dev.headgate.benchmarks.versus;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;

/**
 * The yardstick for limits: the shape of a Headgate turn and nothing else. A lane for each of 10,000 keys; in one transaction it ends the last
 * jobs, takes the 500 lanes whose first job is oldest, locks the gates they need (its key with room for 3, one rate, one budget for all), asks
 * the three limits, starts one job of each lane, and writes each gate and each lane once. It knows no lines, so it cannot be blocked: the limits
 * are never met. No
 * doorbells, retries, policies, dead workers or wake-ups either.
 */
final class RawLanes implements Contender {
    private static final int CALL = 10_000;
    private static final int AT_ONCE = 3;
    private static final long NEVER_MET = 1_000_000;
    private static final String RATE = "api";
    private static final String BUDGET = "memory";

    private static final String SCHEMA = """
            create table if not exists raw_job (
                id bigint primary key,
                lane text not null,
                type text not null,
                payload text not null,
                state text not null,
                enqueued_at timestamptz not null default now(),
                started_at timestamptz,
                attempt integer not null default 0,
                epoch bigint not null default 0,
                worker text
            ) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
            create index if not exists raw_job_for_claim on raw_job (lane, id) where state = 'QUEUED';
            create table if not exists raw_history (
                id bigint primary key,
                lane text not null,
                type text not null,
                payload text not null,
                state text not null,
                enqueued_at timestamptz not null,
                started_at timestamptz not null,
                attempt integer not null,
                epoch bigint not null,
                worker text not null,
                finished_at timestamptz not null
            );
            create table if not exists raw_lane (
                id text primary key,
                head bigint not null
            ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
            create index if not exists raw_lane_for_claim on raw_lane (head);
            create table if not exists raw_gate (
                key text primary key,
                leases bigint not null default 0,
                units bigint not null default 0,
                next_at bigint not null default 0
            ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
            """;

    private static final String INSERT = """
            with jobs as (
                insert into raw_job (id, lane, type, payload, state)
                select n, 'key:' || n %% %1$d, 'work', p, 'QUEUED' from unnest(?::bigint[], ?::text[]) as i (n, p)
                returning id, lane
            ),
            lanes as (
                insert into raw_lane (id, head) select lane, min(id) from jobs group by lane on conflict do nothing
            )
            insert into raw_gate (key)
            select distinct lane from jobs union all values ('api'), ('memory')
            on conflict do nothing
            """.formatted(Load.KEYS);

    private static final String END = """
            with gone as (
                delete from raw_job where id = any(?) and worker = 'w' returning *
            )
            insert into raw_history (
                id, lane, type, payload, state, enqueued_at, started_at, attempt, epoch, worker, finished_at)
            select id, lane, type, payload, 'SUCCEEDED', enqueued_at, started_at, attempt, epoch, worker, now() from gone
            """;

    private static final String LANES = """
            select l.id, l.head, (select id from raw_job where lane = l.id and state = 'QUEUED' and id > l.head order by id limit 1)
            from (select id, head from raw_lane order by head limit ? for update skip locked) l
            """;

    private static final String GATES =
            "select key, leases, units, next_at, (extract(epoch from clock_timestamp()) * 1000000)::bigint"
                    + " from raw_gate where key = any(?) order by key collate \"C\" for update";

    private static final String START = """
            update raw_job
            set state = 'RUNNING', worker = 'w', started_at = now(), attempt = attempt + 1, epoch = epoch + 1
            where id = any(?)
            returning id, payload
            """;

    private static final String SAVE = """
            with gates as (
                update raw_gate g
                set leases = s.leases, units = s.units, next_at = s.next_at
                from unnest(?::text[], ?::bigint[], ?::bigint[], ?::bigint[]) as s (key, leases, units, next_at)
                where g.key = s.key
            ),
            empty as (
                delete from raw_lane where id = any(?)
            )
            update raw_lane l set head = s.head from unnest(?::text[], ?::bigint[]) as s (id, head) where l.id = s.id
            """;

    private static final class Gate {
        private long leases;
        private long units;
        private long nextAt;
    }

    private final String url;
    private final Connection client;
    private final List<Loop> workers = new ArrayList<>();

    RawLanes(String url) throws SQLException {
        this.url = url;
        this.client = RawPostgres.connect(url);
        try (Statement statement = client.createStatement()) {
            statement.execute(SCHEMA);
        }
    }

    @Override
    public void enqueueAll(long first, int count) throws SQLException {
        try (PreparedStatement insert = client.prepareStatement(INSERT)) {
            for (long from = first; from < first + count; from += CALL) {
                Object[] numbers = LongStream.range(from, Math.min(first + count, from + CALL))
                        .boxed()
                        .toArray();
                Object[] payloads = LongStream.range(from, Math.min(first + count, from + CALL))
                        .mapToObj(RawPostgres::payload)
                        .toArray();
                insert.setArray(1, client.createArrayOf("bigint", numbers));
                insert.setArray(2, client.createArrayOf("text", payloads));
                insert.executeUpdate();
            }
        }
    }

    @Override
    public void enqueue(long number) throws SQLException {
        enqueueAll(number, 1);
    }

    @Override
    public void work(LongConsumer handler) throws SQLException {
        Connection connection = RawPostgres.connect(url);
        connection.setAutoCommit(false);
        Turn turn = new Turn(connection);
        workers.add(Loop.start(connection, ended -> turn.take(ended, handler)));
    }

    /** The statements of a worker, and what it holds. */
    private static final class Turn {
        private final Connection connection;
        private final PreparedStatement end;
        private final PreparedStatement lanes;
        private final PreparedStatement gates;
        private final PreparedStatement start;
        private final PreparedStatement save;
        private final Map<Long, String> laneOf = new HashMap<>();

        Turn(Connection connection) throws SQLException {
            this.connection = connection;
            end = connection.prepareStatement(END);
            lanes = connection.prepareStatement(LANES);
            gates = connection.prepareStatement(GATES);
            start = connection.prepareStatement(START);
            save = connection.prepareStatement(SAVE);
        }

        List<Long> take(List<Long> ended, LongConsumer handler) throws SQLException {
            end.setArray(1, array("bigint", ended));
            end.executeUpdate();

            Map<String, Long> heads = new TreeMap<>();
            Map<String, Long> nexts = new HashMap<>();
            readLanes(heads, nexts);

            Map<String, Gate> locked = new TreeMap<>();
            locked.put(RATE, new Gate());
            locked.put(BUDGET, new Gate());
            heads.keySet().forEach(lane -> locked.put(lane, new Gate()));
            ended.forEach(job -> locked.put(Objects.requireNonNull(laneOf.get(job)), new Gate()));
            long now = lockGates(locked);

            for (Long job : ended) {
                move(locked, Objects.requireNonNull(laneOf.remove(job)), -1, now);
            }
            List<Long> admitted = new ArrayList<>();
            heads.forEach((lane, job) -> {
                if (!admits(locked, lane, now)) {
                    throw new IllegalStateException(lane + " is blocked, but no limit is ever met");
                }
                move(locked, lane, 1, now);
                laneOf.put(job, lane);
                admitted.add(job);
            });
            List<String> payloads = startJobs(admitted);
            save(locked, heads, nexts);
            connection.commit();
            payloads.forEach(payload -> handler.accept(RawPostgres.number(payload)));
            return admitted;
        }

        private void readLanes(Map<String, Long> heads, Map<String, Long> nexts) throws SQLException {
            lanes.setInt(1, RawPostgres.BATCH);
            try (ResultSet rows = lanes.executeQuery()) {
                while (rows.next()) {
                    heads.put(rows.getString(1), rows.getLong(2));
                    long next = rows.getLong(3);
                    if (!rows.wasNull()) {
                        nexts.put(rows.getString(1), next);
                    }
                }
            }
        }

        private long lockGates(Map<String, Gate> locked) throws SQLException {
            gates.setArray(1, array("text", locked.keySet()));
            long now = 0;
            try (ResultSet rows = gates.executeQuery()) {
                while (rows.next()) {
                    Gate gate = Objects.requireNonNull(locked.get(rows.getString(1)));
                    gate.leases = rows.getLong(2);
                    gate.units = rows.getLong(3);
                    gate.nextAt = rows.getLong(4);
                    now = rows.getLong(5);
                }
            }
            return now;
        }

        private static boolean admits(Map<String, Gate> locked, String lane, long now) {
            return Objects.requireNonNull(locked.get(lane)).leases < AT_ONCE
                    && Objects.requireNonNull(locked.get(BUDGET)).units < NEVER_MET
                    && Objects.requireNonNull(locked.get(RATE)).nextAt <= now + NEVER_MET;
        }

        private static void move(Map<String, Gate> locked, String lane, int jobs, long now) {
            for (String key : List.of(lane, RATE, BUDGET)) {
                Gate gate = Objects.requireNonNull(locked.get(key));
                gate.leases += jobs;
                gate.units += jobs;
            }
            if (jobs > 0) {
                Gate rate = Objects.requireNonNull(locked.get(RATE));
                rate.nextAt = Math.max(rate.nextAt, now) + 1;
            }
        }

        private List<String> startJobs(List<Long> admitted) throws SQLException {
            start.setArray(1, array("bigint", admitted));
            List<String> payloads = new ArrayList<>();
            try (ResultSet rows = start.executeQuery()) {
                while (rows.next()) {
                    payloads.add(rows.getString(2));
                }
            }
            return payloads;
        }

        private void save(Map<String, Gate> locked, Map<String, Long> heads, Map<String, Long> nexts)
                throws SQLException {
            save.setArray(1, array("text", locked.keySet()));
            save.setArray(
                    2,
                    array(
                            "bigint",
                            locked.values().stream().map(gate -> gate.leases).toList()));
            save.setArray(
                    3,
                    array(
                            "bigint",
                            locked.values().stream().map(gate -> gate.units).toList()));
            save.setArray(
                    4,
                    array(
                            "bigint",
                            locked.values().stream().map(gate -> gate.nextAt).toList()));
            List<String> empty = heads.keySet().stream()
                    .filter(lane -> !nexts.containsKey(lane))
                    .toList();
            save.setArray(5, array("text", empty));
            save.setArray(6, array("text", nexts.keySet()));
            save.setArray(7, array("bigint", nexts.values()));
            save.executeUpdate();
        }

        private Array array(String type, Collection<?> values) throws SQLException {
            return connection.createArrayOf(type, values.toArray());
        }
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

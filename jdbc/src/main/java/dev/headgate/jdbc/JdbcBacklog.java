package dev.headgate.jdbc;

import dev.headgate.job.Lane;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.BacklogTable;
import dev.headgate.spi.JobRow;
import dev.headgate.store.StoreRefusedException;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;

/** Capped backlogs in SQL. */
final class JdbcBacklog implements BacklogTable {
    private static final String LATEST = "READ COMMITTED";

    private final Session sql;

    JdbcBacklog(Session sql) {
        this.sql = sql;
    }

    @Override
    public void lock(SortedSet<GateKey> keys) {
        sql.call("lock_backlog")
                .setTexts("keys", keys.stream().map(GateKey::text).toList())
                .list(Row::text)
                .forEach(isolation -> requireLatest(keys.first(), isolation.toUpperCase(Locale.ROOT)));
    }

    /** What others have committed since its beginning is not counted by a transaction that sees an older state. */
    private static void requireLatest(GateKey key, String isolation) {
        if (!isolation.equals(LATEST)) {
            throw new StoreRefusedException(
                    "%s: its backlog is capped, so an enqueue must see what others have committed: expected %s as the transaction's isolation level, found %s; nothing was written. Use %s for this transaction or its pool, or enqueue outside of it"
                            .formatted(key, LATEST, isolation, LATEST));
        }
    }

    @Override
    public int count(GateKey key, int max) {
        String statement = isQueue(key) ? "count_queue_backlog" : "count_gate_backlog";
        Integer count =
                sql.call(statement).set("name", key.name()).set("max", max).first(Row::integer);
        return Objects.requireNonNull(count);
    }

    @Override
    public List<JobRow> oldest(GateKey key, int limit) {
        String statement = isQueue(key) ? "oldest_in_queue_backlog" : "oldest_in_gate_backlog";
        return sql.call(statement).set("name", key.name()).set("limit", limit).list(Columns::job);
    }

    private static boolean isQueue(GateKey key) {
        return key.scope() == GateKey.Scope.QUEUE;
    }

    @Override
    public List<Lane> lanes() {
        return sql.call("backlog_lanes").list(Columns::lane);
    }

    @Override
    public void mark(Collection<Long> marked, Caps caps) {
        sql.call("mark_jobs")
                .setNumbers("ids", marked)
                .set("capped_queue", caps.isQueue() ? 1 : 0)
                .set("capped_gate", caps.gate())
                .update();
    }

    @Override
    public void mark(Map<Lane, Caps> caps) {
        Batch batch = sql.batch("mark_backlog");
        caps.forEach((lane, cap) -> batch.row()
                .set("lane", lane.id())
                .set("capped_queue", cap.isQueue() ? 1 : 0)
                .set("capped_gate", cap.gate()));
        batch.run();
    }
}

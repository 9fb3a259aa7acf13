package dev.headgate.jdbc;

import dev.headgate.admission.GateKey;
import dev.headgate.store.GateRow;
import dev.headgate.store.GateTable;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Gates in SQL. */
final class JdbcGates implements GateTable {
    private static final int KNOWN_MAX = 500_000;

    private final Session sql;
    private final Set<GateKey> known;
    private final Runnable withTime;
    private final Set<GateKey> created = new HashSet<>();

    /**
     * @param withTime lets the time be read right behind the locks
     * @param known gates whose row is known to be committed; rows are never deleted, so it only grows
     */
    JdbcGates(Session sql, Set<GateKey> known, Runnable withTime) {
        this.sql = sql;
        this.withTime = withTime;
        this.known = known;
    }

    @Override
    public List<GateRow> lock(SortedSet<GateKey> keys) {
        create(keys);
        withTime.run();
        return sql.call("lock_gates").setTexts("gates", texts(keys)).listLater(JdbcGates::row);
    }

    @Override
    public List<GateRow> lock(SortedSet<GateKey> keys, SortedSet<GateKey> others) {
        if (others.isEmpty()) {
            return lock(keys);
        }
        SortedSet<GateKey> all = new TreeSet<>(keys);
        all.addAll(others);
        create(all);
        List<GateRow> waited = keys.isEmpty()
                ? List.of()
                : sql.call("lock_gates").setTexts("gates", texts(keys)).listLater(JdbcGates::row);
        withTime.run();
        List<GateRow> free =
                sql.call("lock_free_gates").setTexts("gates", texts(others)).list(JdbcGates::row);
        List<GateRow> rows = new ArrayList<>(waited);
        rows.addAll(free);
        return rows;
    }

    /** Before any lock, and in key order: two claims that meet the same new gates wait for each other in one direction only. */
    private void create(SortedSet<GateKey> keys) {
        List<GateKey> unknown =
                keys.stream().filter(key -> !known.contains(key)).toList();
        if (!unknown.isEmpty()) {
            Batch batch = sql.batch("create_gates");
            unknown.forEach(key -> batch.row().set("gate", key.text()));
            batch.run();
        }
        created.addAll(unknown);
    }

    /** After the commit: their rows are there for good. */
    void remember() {
        if (known.size() > KNOWN_MAX) {
            known.clear();
        }
        known.addAll(created);
    }

    @Override
    public void save(List<GateRow> rows) {
        Batch batch = sql.batch("save_gates");
        rows.forEach(row -> batch.row()
                .set("gate", row.key().text())
                .set("leases", row.leases())
                .set("units", row.units())
                .set("memory", row.memory())
                .set("wake_at", row.wakeAt()));
        batch.run();
    }

    @Override
    public List<Opening> openings(long until, int limit, int more) {
        withTime.run(); // if none of them has to be locked, this is the time after the last lock
        return sql.call("next_gates")
                .set("now", until)
                .set("limit", limit)
                .set("more", more)
                .listLater(row -> new Opening(GateKey.parse(row.text()), row.number()));
    }

    @Override
    public @Nullable Long nextWake() {
        return sql.call("next_gate_wake").number();
    }

    @Override
    public List<GateRow> findAll(Collection<GateKey> keys) {
        return sql.call("find_gates").setTexts("gates", texts(keys)).list(JdbcGates::row);
    }

    @Override
    public List<GateRow> list(@Nullable GateKey after, int limit) {
        return sql.call("list_gates")
                .set("after", after == null ? "" : after.text())
                .set("limit", limit)
                .list(JdbcGates::row);
    }

    private static List<String> texts(Collection<GateKey> keys) {
        List<String> texts = new ArrayList<>(keys.size());
        keys.forEach(key -> texts.add(key.text()));
        return texts;
    }

    private static GateRow row(Row row) throws SQLException {
        return new GateRow(GateKey.parse(row.text()), row.number(), row.number(), row.text(), row.numberOrNull());
    }
}

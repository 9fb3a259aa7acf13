package dev.headgate.jdbc;

import dev.headgate.limit.GateKey;
import dev.headgate.spi.GateRow;
import dev.headgate.spi.GateTable;
import dev.headgate.spi.JournalChain;
import dev.headgate.spi.Pending;
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
    private final Session sql;
    private final KnownGates known;
    private final boolean mayGuess;
    private final Runnable withTime;
    private final Set<GateKey> met = new HashSet<>();

    /**
     * @param withTime lets the time be read right behind the locks
     * @param mayGuess whether the caller answers a {@link WrongGuessException} by another try without guesses
     */
    JdbcGates(Session sql, KnownGates known, boolean mayGuess, Runnable withTime) {
        this.sql = sql;
        this.known = known;
        this.mayGuess = mayGuess;
        this.withTime = withTime;
    }

    @Override
    public Pending<List<GateRow>> lock(SortedSet<GateKey> keys) {
        create(keys);
        withTime.run();
        return complete(keys, ask(keys));
    }

    @Override
    public List<GateRow> lock(SortedSet<GateKey> keys, SortedSet<GateKey> others) {
        if (others.isEmpty()) {
            return lock(keys).get();
        }
        SortedSet<GateKey> all = new TreeSet<>(keys);
        all.addAll(others);
        create(all);
        Pending<List<GateRow>> waited = keys.isEmpty() ? Pending.of(List.of()) : complete(keys, ask(keys));
        withTime.run();
        List<GateRow> free = lockFree(others);
        List<GateRow> rows = new ArrayList<>(waited.get());
        rows.addAll(free);
        return rows;
    }

    @Override
    public List<GateRow> lockFree(SortedSet<GateKey> keys) {
        List<GateRow> free =
                sql.call("lock_free_gates").setTexts("gates", texts(keys)).list(JdbcGates::row);
        free.forEach(row -> met.add(row.key()));
        return free;
    }

    private Pending<List<GateRow>> ask(SortedSet<GateKey> keys) {
        return sql.call("lock_gates").setTexts("gates", texts(keys)).listLater(JdbcGates::row);
    }

    /** The same once all of them are there: a row that was pruned since it was met, or is just being pruned, is made again. */
    private Pending<List<GateRow>> complete(SortedSet<GateKey> keys, Pending<List<GateRow>> locked) {
        return locked.map(rows -> {
            if (rows.size() == keys.size()) {
                met.addAll(keys);
                return rows;
            }
            List<GateKey> gone = new ArrayList<>(keys);
            rows.forEach(row -> gone.remove(row.key()));
            known.forget(gone);
            if (mayGuess) {
                throw new WrongGuessException("gates"); // again from the start, so that they are locked in their order
            }
            return made(new TreeSet<>(gone), rows);
        });
    }

    /** The last resort, and where one transaction writes at a time: those that were gone are locked after the others. */
    private List<GateRow> made(SortedSet<GateKey> gone, List<GateRow> rows) {
        List<GateRow> all = new ArrayList<>(rows);
        SortedSet<GateKey> left = gone;
        while (!left.isEmpty()) {
            create(left);
            withTime.run();
            List<GateRow> more = ask(left).get();
            SortedSet<GateKey> still = new TreeSet<>(left);
            more.forEach(row -> still.remove(row.key()));
            all.addAll(more);
            left = still;
        }
        all.forEach(row -> met.add(row.key()));
        return all;
    }

    /** Before any lock, and in key order: two claims that meet the same new gates wait for each other in one direction only. */
    private void create(SortedSet<GateKey> keys) {
        Batch batch = sql.batch("create_gates");
        for (GateKey key : keys) {
            if (!known.has(key)) {
                batch.row().set("gate", key.text());
            }
        }
        batch.run();
    }

    /** After the commit. */
    void remember() {
        known.met(met);
    }

    @Override
    public void delete(SortedSet<GateKey> keys) {
        sql.call("delete_gates").setTexts("gates", texts(keys)).update();
        met.removeAll(keys);
        known.forget(keys);
    }

    @Override
    public void save(List<GateRow> rows) {
        Batch batch = sql.batch("save_gates");
        rows.forEach(row -> batch.row()
                .set("gate", row.key().text())
                .set("leases", row.leases())
                .set("units", row.units())
                .set("memory", row.memory())
                .set("wake_at", row.wakeAt())
                .set("journal_count", row.journal().count())
                .set("journal_head", row.journal().head())
                .set("journal_until", row.journal().keepUntil()));
        batch.run();
    }

    @Override
    public Pending<List<Opening>> openings(long until, int limit, int more) {
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
    public List<GateRow> queuesInUse() {
        return sql.call("queues_in_use").list(JdbcGates::row);
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
        return new GateRow(
                GateKey.parse(row.text()),
                row.number(),
                row.number(),
                row.text(),
                row.numberOrNull(),
                new JournalChain(row.number(), row.text(), row.number()));
    }
}

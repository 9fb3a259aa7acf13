package dev.headgate.jdbc;

import dev.headgate.admission.GateKey;
import dev.headgate.store.JournalTable;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** The admission journal in SQL. */
final class JdbcJournal implements JournalTable {
    private final Session sql;

    JdbcJournal(Session sql) {
        this.sql = sql;
    }

    @Override
    public void append(List<Entry> entries) {
        Batch batch = sql.batch("insert_journal");
        entries.forEach(entry -> batch.row()
                .set("gate", entry.gate().text())
                .set("at", entry.at())
                .set("kind", entry.kind().name())
                .set("starts", entry.starts())
                .set("units", entry.units())
                .set("leases", entry.leases())
                .set("in_use", entry.inUse())
                .set("started_at", entry.startedAt())
                .set("margin", entry.margin())
                .set("policy", entry.policy())
                .set("keep_until", entry.keepUntil()));
        batch.run();
    }

    @Override
    public List<Entry> read(GateKey gate, long after, int limit) {
        return sql.call("read_journal")
                .set("gate", gate.text())
                .set("after", after)
                .set("limit", limit)
                .list(JdbcJournal::entry);
    }

    private static Entry entry(Row row) throws SQLException {
        return new Entry(
                row.number(),
                GateKey.parse(row.text()),
                row.number(),
                Kind.valueOf(row.text()),
                row.number(),
                row.number(),
                row.number(),
                row.number(),
                row.number(),
                row.number(),
                row.text(),
                row.number());
    }

    @Override
    public List<GateKey> gates() {
        return sql.call("journal_gates").list(row -> GateKey.parse(row.text())).stream()
                .sorted()
                .toList();
    }

    @Override
    public int prune(long now, int limit) {
        return sql.call("prune_journal").set("now", now).set("limit", limit).update();
    }

    @Override
    public Set<GateKey> withEntries(Collection<GateKey> gates) {
        List<String> texts = gates.stream().map(GateKey::text).toList();
        return Set.copyOf(
                sql.call("gates_with_journal").setTexts("gates", texts).list(row -> GateKey.parse(row.text())));
    }
}

package dev.headgate.jdbc;

import dev.headgate.limit.GateKey;
import dev.headgate.spi.JournalChain;
import dev.headgate.spi.JournalTable;
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
                .set("at", entry.event().at())
                .set("kind", entry.event().kind().name())
                .set("starts", entry.event().starts())
                .set("units", entry.event().units())
                .set("leases", entry.use().leases())
                .set("in_use", entry.use().units())
                .set("started_at", entry.event().startedAt())
                .set("margin", entry.event().margin())
                .set("policy", entry.rule().policy())
                .set("version", entry.rule().version())
                .set("keep_until", entry.link().keepUntil())
                .set("number", entry.link().number())
                .set("hash", entry.link().hash()));
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
        long id = row.number();
        GateKey gate = GateKey.parse(row.text());
        long at = row.number();
        Kind kind = Kind.valueOf(row.text());
        long starts = row.number();
        long units = row.number();
        Use use = new Use(row.number(), row.number());
        Event event = new Event(at, kind, starts, units, row.number(), row.number());
        Rule rule = new Rule(row.text(), row.number());
        return new Entry(id, gate, event, use, rule, new Link(row.number(), row.number(), row.text()));
    }

    @Override
    public List<GateKey> gates() {
        return sql.call("journal_gates").list(row -> GateKey.parse(row.text())).stream()
                .sorted()
                .toList();
    }

    @Override
    public Standing standing(GateKey gate) {
        Standing found = sql.call("journal_standing")
                .set("gate", gate.text())
                .first(row -> new Standing(
                        new JournalChain(row.number(), row.text(), row.number()), row.number(), row.text()));
        return found == null ? new Standing(JournalChain.NONE, 0, "") : found;
    }

    @Override
    public List<Expired> lockExpired(long now, int limit) {
        return sql.call("lock_expired_journal")
                .set("now", now)
                .set("limit", limit)
                .list(row -> new Expired(row.number(), GateKey.parse(row.text()), row.number(), row.text()));
    }

    @Override
    public void delete(Collection<Long> ids) {
        sql.call("prune_journal").setNumbers("ids", ids).update();
    }

    @Override
    public void anchor(List<Expired> last) {
        Batch batch = sql.batch("anchor_journals");
        last.forEach(entry -> batch.row()
                .set("gate", entry.gate().text())
                .set("number", entry.number())
                .set("hash", entry.hash()));
        batch.run();
    }

    @Override
    public Set<GateKey> withEntries(Collection<GateKey> gates) {
        List<String> texts = gates.stream().map(GateKey::text).toList();
        return Set.copyOf(
                sql.call("gates_with_journal").setTexts("gates", texts).list(row -> GateKey.parse(row.text())));
    }
}

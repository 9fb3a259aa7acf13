package dev.headgate.jdbc;

import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.Pause;
import dev.headgate.policy.PolicyChange;
import dev.headgate.policy.PolicyEntry;
import dev.headgate.policy.PolicyVersion;
import dev.headgate.spi.Pending;
import dev.headgate.spi.PolicyTable;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Stored policies in SQL, kept in memory as long as their version stays. */
final class JdbcPolicies implements PolicyTable {
    private final Session sql;
    private final AtomicReference<PolicyBook> kept;
    private final Runnable exclusion;
    private final Runnable forget;
    private @Nullable Pending<List<Boolean>> expected;
    private boolean hasChanged;
    private @Nullable Long admitted;

    /**
     * @param exclusion keeps every other transaction that reads policies out until this one ends
     * @param forget drops the book this transaction has read, which is about to be wrong
     */
    JdbcPolicies(Session sql, AtomicReference<PolicyBook> kept, Runnable exclusion, Runnable forget) {
        this.sql = sql;
        this.kept = kept;
        this.exclusion = exclusion;
        this.forget = forget;
    }

    /** What was last read, by whichever transaction. */
    PolicyBook known() {
        return Objects.requireNonNull(kept.get());
    }

    /** Lets the next trip find out whether this book is still the stored one; it fails if not. */
    void expect(PolicyBook book) {
        expected = sql.call("policy_version").listLater(row -> {
            if (version(sql, row) != book.version()) {
                throw new WrongGuessException("policies");
            }
            return true;
        });
    }

    /** Waits for it, if no trip has been made since. */
    void confirm() {
        if (expected != null) {
            expected.get();
            expected = null;
        }
    }

    /**
     * To be called where nothing else writes while the transaction is open: the version of the policies that comes along with the
     * answer is then not asked for again.
     *
     * @throws dev.headgate.store.StoreRefusedException if this program may not use the tables any more
     */
    void admit() {
        admitted = version();
    }

    PolicyBook book() {
        long version = admitted == null ? version() : admitted;
        PolicyBook book = known();
        return book.version() == version ? book : load(version);
    }

    /** What this transaction has changed itself is not kept: it may yet be rolled back. */
    private PolicyBook load(long version) {
        Map<GateKey, PolicyEntry> stored = new HashMap<>();
        sql.call("load_policies").list(row -> stored.put(GateKey.parse(row.text()), PolicyEntry.parse(row.text())));
        Set<Pause> paused = new HashSet<>();
        pauses().forEach(row -> paused.add(row.pause()));
        PolicyBook book = PolicyBook.of(version, stored).pausing(paused);
        if (!hasChanged) {
            kept.set(book);
        }
        return book;
    }

    private long version() {
        return Objects.requireNonNull(sql.call("policy_version").first(row -> version(sql, row)));
    }

    /** The tables are looked at with the policies: a program that does not know how they are by now must decide nothing. */
    static long version(Session sql, Row row) throws SQLException {
        long version = row.number();
        sql.migrations().admit(row.number(), row.number());
        return version;
    }

    @Override
    public void lockForChange() {
        exclusion.run();
        forget.run();
    }

    @Override
    public long save(Note note, List<PolicyChange> changes) {
        raise();
        long version = version();
        for (PolicyChange change : changes) {
            put(change);
            sql.call("insert_policy_version")
                    .set("version", version)
                    .set("key", change.key().text())
                    .set("kind", change.kind().name())
                    .set("limits_before", change.before().text())
                    .set("limits_after", change.after().text())
                    .set("now", note.now())
                    .set("author", note.author())
                    .set("reason", note.reason())
                    .update();
        }
        return version;
    }

    private void put(PolicyChange change) {
        if (change.after().isNothing()) {
            sql.call("remove_policy").set("key", change.key().text()).update();
        } else {
            sql.call("put_policy")
                    .set("key", change.key().text())
                    .set("limits", change.after().text())
                    .update();
        }
    }

    @Override
    public void pause(Pause pause, Note note) {
        raise();
        sql.call("put_pause")
                .set("key", pause.text())
                .set("now", note.now())
                .set("author", note.author())
                .set("reason", note.reason())
                .update();
    }

    @Override
    public boolean resume(Pause pause) {
        raise();
        return sql.call("remove_pause").set("key", pause.text()).update() == 1;
    }

    private void raise() {
        hasChanged = true;
        admitted = null;
        forget.run();
        sql.call("raise_policy_version").update();
    }

    @Override
    public List<PauseRow> pauses() {
        return sql.call("list_pauses")
                .list(row -> new PauseRow(Pause.parse(row.text()), new Note(row.number(), row.text(), row.text())));
    }

    @Override
    public List<PolicyVersion> versions(long after, long before) {
        List<PolicyVersion> found = new ArrayList<>();
        List<PolicyVersion> rows = sql.call("list_policy_versions")
                .set("after", after)
                .set("before", before)
                .list(JdbcPolicies::single);
        for (PolicyVersion row : rows) {
            boolean isSame = !found.isEmpty() && found.getLast().version() == row.version();
            found.add(isSame ? joined(found.removeLast(), row) : row);
        }
        return found;
    }

    @Override
    public @Nullable PolicyVersion latestOf(GateKey key) {
        return sql.call("latest_policy_version").set("key", key.text()).first(JdbcPolicies::single);
    }

    @Override
    public long prunedUpTo() {
        return Objects.requireNonNull(sql.call("policies_pruned").number());
    }

    @Override
    public void prunedUpTo(long version) {
        sql.call("set_policies_pruned").set("version", version).update();
    }

    @Override
    public @Nullable Long newestBefore(long version, long instant) {
        return sql.call("newest_policy_version_before")
                .set("version", version)
                .set("instant", instant)
                .number();
    }

    @Override
    public int prune(long upTo, long removedSince) {
        return sql.call("prune_policy_versions")
                .set("version", upTo)
                .set("removed_since", removedSince)
                .update();
    }

    private static PolicyVersion single(Row row) throws SQLException {
        long version = row.number();
        long at = row.number();
        String author = row.text();
        String reason = row.text();
        PolicyChange change = new PolicyChange(
                GateKey.parse(row.text()),
                PolicyChange.Kind.valueOf(row.text()),
                PolicyEntry.parse(row.text()),
                PolicyEntry.parse(row.text()));
        return new PolicyVersion(version, Micros.instant(at), author, reason, List.of(change));
    }

    private static PolicyVersion joined(PolicyVersion one, PolicyVersion other) {
        List<PolicyChange> changes = new ArrayList<>(one.changes());
        changes.addAll(other.changes());
        changes.sort(Comparator.comparing(PolicyChange::key));
        return new PolicyVersion(one.version(), one.at(), one.author(), one.reason(), changes);
    }
}

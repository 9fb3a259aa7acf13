package dev.headgate.jdbc;

import dev.headgate.admission.GateKey;
import dev.headgate.admission.GatePolicy;
import dev.headgate.admission.LimitText;
import dev.headgate.admission.PolicyBook;
import dev.headgate.store.PolicyTable;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/** Stored policies in SQL, kept in memory as long as their version stays. */
final class JdbcPolicies implements PolicyTable {
    private final Session sql;
    private final AtomicReference<PolicyBook> kept;
    private final Runnable exclusion;
    private boolean hasChanged;

    /** @param exclusion keeps every other transaction that reads policies out until this one ends */
    JdbcPolicies(Session sql, AtomicReference<PolicyBook> kept, Runnable exclusion) {
        this.sql = sql;
        this.kept = kept;
        this.exclusion = exclusion;
    }

    PolicyBook book() {
        long version = version();
        PolicyBook book = Objects.requireNonNull(kept.get());
        return book.version() == version ? book : load(version);
    }

    /** What this transaction has changed itself is not kept: it may yet be rolled back. */
    private PolicyBook load(long version) {
        Map<GateKey, GatePolicy> stored = new HashMap<>();
        sql.call("load_policies")
                .list(row -> stored.put(GateKey.parse(row.text()), new GatePolicy(LimitText.parseAll(row.text()))));
        PolicyBook book = new PolicyBook(version, stored);
        if (!hasChanged) {
            kept.set(book);
        }
        return book;
    }

    private long version() {
        return Objects.requireNonNull(sql.call("policy_version").first(Row::number));
    }

    @Override
    public void lockForChange() {
        exclusion.run();
    }

    @Override
    public long put(GateKey key, GatePolicy policy, long now) {
        hasChanged = true;
        if (policy.isOpen()) {
            sql.call("remove_policy").set("key", key.text()).update();
        } else {
            sql.call("put_policy")
                    .set("key", key.text())
                    .set("limits", policy.text())
                    .set("now", now)
                    .update();
        }
        sql.call("raise_policy_version").update();
        return version();
    }
}

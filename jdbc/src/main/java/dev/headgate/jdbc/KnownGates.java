package dev.headgate.jdbc;

import dev.headgate.limit.GateKey;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Gates whose row this process has lately found committed, so that it need not try to make it. It may be gone all the same:
 * rows that say nothing are pruned, by any process. What was not met for long is not counted on. Thread-safe.
 */
public final class KnownGates {
    private static final int COMMITS_MAX = 10_000;
    private static final int KEYS_MAX = 250_000;

    private volatile Set<GateKey> recent = ConcurrentHashMap.newKeySet();
    private volatile Set<GateKey> older = Set.of();
    private int commits;

    boolean has(GateKey key) {
        return recent.contains(key) || older.contains(key);
    }

    /** A transaction that has found or made these has committed. */
    void met(Collection<GateKey> keys) {
        if (!keys.isEmpty()) {
            recent.addAll(keys);
            turnOver();
        }
    }

    private synchronized void turnOver() {
        if (++commits >= COMMITS_MAX || recent.size() > KEYS_MAX) {
            older = recent;
            recent = ConcurrentHashMap.newKeySet();
            commits = 0;
        }
    }

    void forget(Collection<GateKey> keys) {
        keys.forEach(recent::remove);
        if (!older.isEmpty()) {
            keys.forEach(older::remove);
        }
    }
}

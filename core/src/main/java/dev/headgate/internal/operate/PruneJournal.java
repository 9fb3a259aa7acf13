package dev.headgate.internal.operate;

import dev.headgate.limit.GateKey;
import dev.headgate.limit.GateKey.Scope;
import dev.headgate.spi.Backend;
import dev.headgate.spi.JournalTable.Expired;
import dev.headgate.spi.StoreTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Deletes journal entries whose time is over. The last one of each gate is noted in the gate's row, so the first one that is left
 * still has something to follow. The gates are locked after the deletion, so that they are not kept from others for long.
 */
public final class PruneJournal {
    private static final int BATCH_MAX = 500;

    private PruneJournal() {}

    /** Works in short batches. Returns how many were deleted. */
    public static int run(Backend backend) {
        int all = 0;
        int batch;
        do {
            batch = backend.write(PruneJournal::batch);
            all += batch;
        } while (batch == BATCH_MAX);
        return all;
    }

    private static int batch(StoreTransaction tx) {
        List<Expired> expired = tx.journal().lockExpired(tx.now(), BATCH_MAX);
        if (expired.isEmpty()) {
            return 0;
        }
        tx.journal().delete(expired.stream().map(Expired::id).toList());
        TreeMap<GateKey, Expired> last = new TreeMap<>();
        for (Expired entry : expired) {
            if (entry.number() > 0) {
                last.merge(entry.gate(), entry, (one, other) -> one.number() > other.number() ? one : other);
            }
        }
        if (!last.isEmpty()) {
            lock(tx, last.navigableKeySet());
            tx.journal().anchor(new ArrayList<>(last.values()));
        }
        return expired.size();
    }

    /** In the order that holds everywhere: gates of queues first. */
    private static void lock(StoreTransaction tx, SortedSet<GateKey> keys) {
        for (Scope scope : List.of(Scope.QUEUE, Scope.GATE)) {
            SortedSet<GateKey> own = new TreeSet<>(keys);
            own.removeIf(key -> key.scope() != scope);
            if (!own.isEmpty()) {
                tx.gates().lock(own);
            }
        }
    }
}

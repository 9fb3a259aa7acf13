package dev.headgate.internal.operate;

import dev.headgate.internal.admission.GateState;
import dev.headgate.internal.admission.MemoryExpiry;
import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.spi.Backend;
import dev.headgate.spi.GateRow;
import dev.headgate.spi.StoreTransaction;
import java.time.Duration;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Deletes the rows of gates and queues that are as new: nothing is in use, no limit remembers a start, nothing shuts them, none
 * stands in line, and no journal tells of them. The next job that names one makes its row again, and finds what it would have
 * found.
 *
 * <p>Design note: it walks along the keys, reading without locks, and locks only what it is about to delete, and of that only
 * what is free. So a walk over many rows that all remember something makes nothing wait. What was read is looked at again under
 * its lock, and whether a line stands there is asked after it: a lane joins a line under that lock only. Not thread-safe.
 */
public final class PruneGates {
    /** So long a gate has been as new before its row goes: one in use all day is not made again and again. */
    public static final Duration QUIET = Duration.ofHours(1);

    /** So many idle shares of a fair queue or gate are remembered. */
    public static final int SHARES_KEPT = 1_000;

    private static final int PAGE = 1_000;

    private final Backend backend;
    private final long quiet;
    private @Nullable GateKey after;

    /**
     * Forgets gates that have been as new for this long.
     *
     * @param quiet how long they have been as new; the store's clock may be set back by as much afterwards
     */
    public PruneGates(Backend backend, Duration quiet) {
        this.backend = backend;
        this.quiet = Micros.of(quiet);
    }

    /** Walks all the way; answers how many rows went. */
    public int all() {
        after = null;
        int all = 0;
        do {
            all += page();
        } while (after != null);
        return all;
    }

    /** Goes on where it stopped, at most so many pages and not beyond the end; answers how many rows went. */
    public int some(int pages) {
        int all = 0;
        int read = 0;
        do {
            all += page();
            read++;
        } while (after != null && read < pages);
        return all;
    }

    /**
     * Of each fair queue or gate, forgets the shares that are idle beyond the first so many: those that have had least, and
     * come back as if they had had nothing. Where every share has one job only, none of them would ever be level again.
     */
    public int trimShares() {
        int all = 0;
        for (GateKey resource : backend.read(tx -> tx.shares().resources())) {
            all += backend.write(tx -> {
                boolean isFree =
                        !tx.gates().lockFree(new TreeSet<>(List.of(resource))).isEmpty();
                return isFree ? tx.shares().trim(resource, SHARES_KEPT) : 0;
            });
        }
        return all;
    }

    private record Page(SortedSet<GateKey> idle, @Nullable GateKey last) {}

    private int page() {
        GateKey from = after;
        Page page = backend.read(tx -> {
            List<GateRow> rows = tx.gates().list(from, PAGE);
            return new Page(
                    idle(rows, tx), rows.size() < PAGE ? null : rows.getLast().key());
        });
        after = page.last;
        return page.idle.isEmpty() ? 0 : backend.write(tx -> delete(tx, page.idle));
    }

    private int delete(StoreTransaction tx, SortedSet<GateKey> candidates) {
        tx.policies(); // before any lock: no change of policies is under way from here on
        SortedSet<GateKey> idle = idle(tx.gates().lockFree(candidates), tx);
        if (idle.isEmpty()) {
            return 0;
        }
        idle.removeAll(tx.lanes().withLine(idle));
        idle.removeAll(tx.journal().withEntries(idle));
        idle.removeIf(key -> isOccupied(tx, key));
        if (!idle.isEmpty()) {
            tx.gates().delete(idle);
        }
        return idle.size();
    }

    private SortedSet<GateKey> idle(List<GateRow> rows, StoreTransaction tx) {
        PolicyBook book = tx.policies();
        TreeSet<GateKey> idle = new TreeSet<>();
        long now = rows.isEmpty() ? 0 : tx.now(); // after the locks
        for (GateRow row : rows) {
            if (isIdle(row, book, now)) {
                idle.add(row.key());
            }
        }
        return idle;
    }

    private boolean isIdle(GateRow row, PolicyBook book, long now) {
        GateKey key = row.key();
        if (row.wakeAt() != null || book.isPaused(key)) {
            return false;
        }
        boolean isNamed = !book.entry(key).isNothing();
        // What a queue without limits has in use is not counted; it is, anew, when there are limits again.
        boolean isCounted = key.scope() == GateKey.Scope.GATE || book.isCounted(key);
        GateState.Stored stored =
                new GateState.Stored(isCounted ? row.leases() : 0, isCounted ? row.units() : 0, row.memory());
        for (GatePolicy policy : book.policiesInTime(key)) {
            if (!MemoryExpiry.isAsNew(key, policy, stored, isNamed, now - quiet)) {
                return false;
            }
        }
        return true;
    }

    /** Of a fair one the shares go too, unless one of them stands there. */
    private static boolean isOccupied(StoreTransaction tx, GateKey key) {
        if (!tx.policies().hasFair() || tx.policies().policyFor(key).options().fair() == null) {
            return false;
        }
        boolean isOccupied = !tx.shares().first(List.of(key), 1).isEmpty();
        if (!isOccupied) {
            tx.shares().clear(key);
        }
        return isOccupied;
    }
}

package dev.headgate.transition;

import dev.headgate.admission.GateKey;
import dev.headgate.admission.GateLedger;
import dev.headgate.admission.Micros;
import dev.headgate.admission.PolicyBook;
import dev.headgate.store.Backend;
import dev.headgate.store.GateRow;
import dev.headgate.store.LaneRow;
import dev.headgate.store.StoreTransaction;
import dev.headgate.store.Wake;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds and mends lines that are stranded: the first lane in line could pass its gate, and the gate has no wake time, so
 * nothing would ever wake the lane. Every transition that changes a gate must leave it a wake time, so a stranded line is
 * always a bug of Headgate. This is the net under it. Not thread-safe.
 */
public final class StrandedLines {
    private static final int PAGE = 500;

    /** So many pages of gates are read in one call of {@link #mend}; the next call continues there. */
    private static final int PAGES_MAX = 10;

    /** A gate that is due this soon is not stranded: the next turn wakes its line. */
    private static final long SOON_MICROS = Micros.PER_SECOND;

    private final Backend backend;
    private @Nullable GateKey after;

    public StrandedLines(Backend backend) {
        this.backend = backend;
    }

    /** The gates of all stranded lines. Changes nothing. */
    public List<GateKey> find() {
        List<GateKey> found = new ArrayList<>();
        GateKey last = null;
        do {
            GateKey from = last;
            Page page = backend.read(tx -> suspects(tx, from));
            found.addAll(verified(page.suspects, false));
            last = page.last;
        } while (last != null);
        return found;
    }

    /** Gives the gates of stranded lines a wake time and tells all workers. Returns these gates. */
    public List<GateKey> mend() {
        List<GateKey> mended = new ArrayList<>();
        int pages = 0;
        do {
            GateKey from = after;
            Page page = backend.read(tx -> suspects(tx, from));
            mended.addAll(verified(page.suspects, true));
            after = page.last;
            pages++;
        } while (after != null && pages < PAGES_MAX);
        if (!mended.isEmpty()) {
            backend.publish(Set.of(new Wake.Anything()));
        }
        return mended;
    }

    /** @param last where the next page begins; absent after the last page */
    private record Page(List<GateKey> suspects, @Nullable GateKey last) {}

    /** Reads without locks, in the order of a line without shares: a suspect may turn out to be none. */
    private static Page suspects(StoreTransaction tx, @Nullable GateKey after) {
        List<GateRow> rows = tx.gates().list(after, PAGE);
        long now = tx.now();
        PolicyBook book = tx.policies();
        Map<GateKey, GateLedger> quiet = new HashMap<>();
        for (GateRow row : rows) {
            if (row.key().scope() == GateKey.Scope.GATE && isQuiet(row, now)) {
                quiet.put(row.key(), row.ledger(book, now));
            }
        }
        List<GateKey> suspects = new ArrayList<>();
        if (!quiet.isEmpty()) {
            for (LaneRow lane : new Sharing(tx, book, Map.of()).lines(quiet.keySet(), 1)) {
                GateLedger ledger = quiet.get(Objects.requireNonNull(lane.waitingAt()));
                boolean isOpen = ledger != null && ledger.next(Ledgers.waiter(lane, ledger), now) == GateLedger.AT_ONCE;
                if (isOpen && !suspects.contains(lane.waitingAt())) {
                    suspects.add(lane.waitingAt());
                }
            }
        }
        return new Page(suspects, rows.size() < PAGE ? null : rows.getLast().key());
    }

    private static boolean isQuiet(GateRow row, long now) {
        Long wakeAt = row.wakeAt();
        return wakeAt == null || wakeAt > now + SOON_MICROS;
    }

    private List<GateKey> verified(List<GateKey> suspects, boolean isMending) {
        return suspects.isEmpty() ? List.of() : backend.write(tx -> verified(tx, suspects, isMending));
    }

    private static List<GateKey> verified(StoreTransaction tx, List<GateKey> suspects, boolean isMending) {
        Ledgers ledgers = new Ledgers(tx);
        ledgers.lockGates(suspects, tx.now());
        long now = tx.now();
        Lines.refresh(ledgers);
        List<GateKey> stranded = new ArrayList<>();
        for (GateRow row : tx.gates().findAll(suspects)) {
            Long opens = Objects.requireNonNull(ledgers.byKey().get(row.key())).wakeAt(now);
            if (opens != null && opens <= now && isQuiet(row, now)) {
                stranded.add(row.key());
            }
        }
        if (isMending && !stranded.isEmpty()) {
            ledgers.save(now);
        }
        return stranded;
    }
}

package dev.headgate.internal.gate;

import dev.headgate.internal.admission.GateLedger;
import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.lane.LockedShares;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.Backend;
import dev.headgate.spi.GateRow;
import dev.headgate.spi.HeadOfLane;
import dev.headgate.spi.LaneRow;
import dev.headgate.spi.ShareRow;
import dev.headgate.spi.ShareRow.OrderKey;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.Wake;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds and mends lines that are stranded. At a gate: the first lane in line could pass, and the gate has no wake time, so
 * nothing would ever wake the lane. In a fair queue: a lane is ready, and its share has left the order of the queue, so no
 * claim would ever read it. Every transition must leave a gate its wake time and a share its place, so a stranded line is always
 * a bug of Headgate, and this limits its damage. Not thread-safe.
 */
public final class StrandedLines {
    private static final int PAGE = 500;

    /** How many pages of gates one call of {@link #mend} reads; the next call continues there. */
    private static final int PAGES_MAX = 10;

    /** A gate that is due this soon is not stranded: the next turn wakes its line. */
    private static final long SOON_MICROS = Micros.PER_SECOND;

    private final Backend backend;
    private @Nullable GateKey after;

    public StrandedLines(Backend backend) {
        this.backend = backend;
    }

    /** The gates and fair queues of all stranded lines. Changes nothing. */
    public List<GateKey> find() {
        List<GateKey> found = new ArrayList<>();
        GateKey last = null;
        do {
            GateKey from = last;
            last = backend.read(tx -> {
                Page page = suspects(tx, from);
                found.addAll(page.suspects.isEmpty() ? List.of() : verified(tx, page.suspects, false));
                return page.last;
            });
        } while (last != null);
        return found;
    }

    /** Repairs stranded lines and wakes all workers. Returns their gates and queues. */
    public List<GateKey> mend() {
        List<GateKey> mended = new ArrayList<>();
        int pages = 0;
        do {
            GateKey from = after;
            Page page = backend.read(tx -> suspects(tx, from));
            if (!page.suspects.isEmpty()) {
                mended.addAll(LockedGates.decide(backend, tx -> verified(tx, page.suspects, true)));
            }
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

    /** Reads without locks, so a suspect may turn out to be in order. */
    private static Page suspects(StoreTransaction tx, @Nullable GateKey after) {
        List<GateRow> rows = tx.gates().list(after, PAGE);
        long now = tx.now();
        PolicyBook book = tx.policies();
        Map<GateKey, GateLedger> quiet = new HashMap<>();
        List<GateKey> suspects = new ArrayList<>();
        // An override that has ended, and is not cleared away yet, is cleared by the next turn, which wakes all lines.
        for (GateRow row : book.hasEnded() ? List.<GateRow>of() : rows) {
            if (row.key().scope() == GateKey.Scope.QUEUE) {
                if (!lost(tx, row.key()).isEmpty()) {
                    suspects.add(row.key());
                }
            } else if (isQuiet(row, now)) {
                quiet.put(row.key(), row.ledger(book, now));
            }
        }
        if (!quiet.isEmpty()) {
            for (LaneRow lane : new LockedShares(tx, book, Map.of()).lines(quiet.keySet(), 1)) {
                GateLedger ledger = quiet.get(Objects.requireNonNull(lane.waitingAt()));
                boolean isOpen =
                        ledger != null && ledger.next(LockedGates.waiter(lane, ledger), now) == GateLedger.AT_ONCE;
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

    /** The ready lanes of a fair queue whose share does not stand in its order. */
    private static List<LaneRow> lost(StoreTransaction tx, GateKey queue) {
        if (tx.policies().policyFor(queue).options().fair() == null) {
            return List.of();
        }
        List<LaneRow> ready = new ArrayList<>(tx.demand().ready(List.of(queue.name()), PAGE));
        Set<OrderKey> places = new HashSet<>();
        ready.forEach(lane -> places.add(new OrderKey(queue, lane.share())));
        if (!places.isEmpty()) {
            for (ShareRow row : tx.shares().find(places)) {
                if (row.share().isStanding()) {
                    places.remove(row.place());
                }
            }
        }
        ready.removeIf(lane -> !places.contains(new OrderKey(queue, lane.share())));
        return ready;
    }

    /** Locks the gates if it repairs them; to find stranded lines a read is enough. */
    private static List<GateKey> verified(StoreTransaction tx, List<GateKey> suspects, boolean isMending) {
        LockedGates ledgers = new LockedGates(tx);
        List<GateKey> stranded = new ArrayList<>();
        List<GateKey> gates = new ArrayList<>();
        for (GateKey suspect : suspects) {
            if (suspect.scope() == GateKey.Scope.GATE) {
                gates.add(suspect);
                continue;
            }
            if (isMending) {
                ledgers.lockAll(List.of(suspect), tx.now());
            }
            List<LaneRow> lost = lost(tx, suspect);
            if (!lost.isEmpty()) {
                stranded.add(suspect);
            }
            if (isMending) {
                tx.lanes()
                        .ring(lost.stream()
                                .map(lane -> new HeadOfLane(lane.lane(), lane.id(), lane.rank(), lane.cost()))
                                .toList());
            }
        }
        if (isMending) {
            ledgers.lockGates(gates, tx.now());
        } else {
            ledgers.readGates(gates, tx.now());
        }
        long now = tx.now();
        LineHeads.refresh(ledgers);
        for (GateRow row : gates.isEmpty() ? List.<GateRow>of() : tx.gates().findAll(gates)) {
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

package dev.headgate.admission;

import dev.headgate.admission.ClaimPlan.Head;
import dev.headgate.admission.ClaimPlan.Offer;
import dev.headgate.admission.GateLedger.Waiter;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One offered lane while a claim is planned: which of its jobs is next, and the gates to ask. */
final class Cursor {
    static final Comparator<Cursor> BY_RANK = Comparator.comparingLong(
                    (Cursor cursor) -> cursor.head().rank())
            .thenComparing(cursor -> cursor.offer.lane());

    final Offer offer;
    final List<GateLedger> ledgers;
    private final Deque<Head> heads;
    private final @Nullable List<String> names;
    private boolean hasStarted;
    private @Nullable Waiter latest;

    Cursor(Offer offer, List<GateLedger> ledgers) {
        this.offer = offer;
        this.ledgers = ledgers;
        this.heads = new ArrayDeque<>(offer.heads());
        boolean isShared = ledgers.stream().anyMatch(gate -> gate.line().shares() != null);
        this.names = isShared ? offer.gates().stream().map(GateKey::name).toList() : null;
    }

    Head head() {
        return heads.getFirst();
    }

    boolean isSpent() {
        return heads.isEmpty();
    }

    void next() {
        heads.removeFirst();
    }

    void started() {
        hasStarted = true;
    }

    /** Whether its head was chosen from this gate's line; that counts for one start. */
    boolean isChosenAt(GateLedger gate) {
        return !hasStarted && gate.key().equals(offer.chosenAt());
    }

    /** Its share of a queue or gate; empty if that is not shared. */
    String share(GateLedger gate) {
        Shares shares = gate.line().shares();
        return shares == null || names == null ? "" : shares.rule().keyOf(names);
    }

    /** The head as this gate sees it; the same object again if it looks the same there, because this is asked often. */
    Waiter waiter(GateLedger gate) {
        Head head = head();
        long units = gate.key().unitsOf(head.cost());
        String share = share(gate);
        Waiter known = latest;
        if (known == null
                || known.job() != head.job()
                || known.cost() != units
                || known.rank() != head.rank()
                || !known.share().equals(share)) {
            known = new Waiter(offer.lane(), head.rank(), units, head.job(), share);
            latest = known;
        }
        return known;
    }
}

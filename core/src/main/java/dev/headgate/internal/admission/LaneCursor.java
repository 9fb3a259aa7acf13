package dev.headgate.internal.admission;

import dev.headgate.internal.admission.ClaimPlan.Head;
import dev.headgate.internal.admission.ClaimPlan.Offer;
import dev.headgate.limit.GateKey;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One offered lane while a claim is planned: which of its jobs is next, and the gates to ask. */
final class LaneCursor {
    static final Comparator<LaneCursor> BY_RANK = (one, other) -> {
        int byRank = Long.compare(one.head().rank(), other.head().rank());
        return byRank != 0 ? byRank : one.offer.lane().compareTo(other.offer.lane());
    };

    final Offer offer;
    final List<GateLedger> ledgers;
    private int place;
    private final @Nullable List<String> names;
    private boolean hasStarted;
    private @Nullable Waiter latest;

    LaneCursor(Offer offer, List<GateLedger> ledgers) {
        this.offer = offer;
        this.ledgers = ledgers;
        this.names =
                isAnyShared(ledgers) ? offer.gates().stream().map(GateKey::name).toList() : null;
    }

    private static boolean isAnyShared(List<GateLedger> ledgers) {
        for (GateLedger gate : ledgers) {
            if (gate.line().shares() != null) {
                return true;
            }
        }
        return false;
    }

    Head head() {
        return offer.heads().get(place);
    }

    boolean isSpent() {
        return place >= offer.heads().size();
    }

    void next() {
        place++;
    }

    void started() {
        hasStarted = true;
    }

    /** Whether the head was chosen from this gate's line; that counts for one start. */
    boolean isChosenAt(GateLedger gate) {
        return !hasStarted && gate.key().equals(offer.chosenAt());
    }

    /** The share of a fair queue or gate that the lane belongs to; empty if it is not shared. */
    String share(GateLedger gate) {
        Shares shares = gate.line().shares();
        return shares == null || names == null ? "" : shares.rule().keyOf(names);
    }

    /** The head as this gate sees it. Returns the same object while nothing differs, because this is called often. */
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

package dev.headgate.internal.gate;

import dev.headgate.internal.admission.GateLedger;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.LaneRow;
import java.util.List;
import java.util.Objects;

/** The heads of the lines at locked gates. */
public final class LineHeads {
    private LineHeads() {}

    /**
     * Tells each locked gate which lane is first in its line. If the gate can let that lane pass, it is saved as due now, and the
     * next turnaround wakes the lane. A transition that only frees capacity need not do more.
     */
    public static void refresh(LockedGates ledgers) {
        List<GateKey> gates = ledgers.byKey().keySet().stream()
                .filter(key -> key.scope() == GateKey.Scope.GATE)
                .sorted()
                .toList();
        if (gates.isEmpty()) {
            return;
        }
        for (LaneRow lane : ledgers.sharing().lines(gates, 1)) {
            GateLedger ledger = Objects.requireNonNull(
                    ledgers.byKey().get(Objects.requireNonNull(lane.waitingAt())), "asked for locked gates only");
            ledger.line().head(LockedGates.waiter(lane, ledger));
        }
    }
}

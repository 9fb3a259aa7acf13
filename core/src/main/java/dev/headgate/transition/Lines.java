package dev.headgate.transition;

import dev.headgate.admission.GateKey;
import dev.headgate.admission.GateLedger;
import dev.headgate.store.LaneRow;
import java.util.List;
import java.util.Objects;

/** The heads of the lines at locked gates. */
final class Lines {
    private Lines() {}

    /**
     * Tells each locked gate who stands first in its line. A gate that can let that one pass is then saved as due now,
     * and the next turnaround wakes it; transitions that only free capacity need to know no more about claiming.
     */
    static void refresh(Ledgers ledgers) {
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
            ledger.line().head(Ledgers.waiter(lane, ledger));
        }
    }
}

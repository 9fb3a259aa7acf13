package dev.headgate.transition;

import dev.headgate.admission.Decision;
import dev.headgate.admission.GateKey;
import dev.headgate.admission.GateLedger;
import dev.headgate.admission.GateLedger.Waiter;
import dev.headgate.store.LaneRow;
import dev.headgate.store.StoreTransaction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** Chooses who leaves the lines of the locked gates: as many as can pass, oldest first, never all of them. */
final class WakeLines {
    private final Ledgers ledgers;
    private final Map<GateKey, List<LaneRow>> readyByGate = new HashMap<>();
    private final long now;

    /** @param ready lanes that will be asked in this turn anyway */
    WakeLines(Ledgers ledgers, Collection<LaneRow> ready, long now) {
        this.ledgers = ledgers;
        this.now = now;
        for (LaneRow lane : ready) {
            // A queue that turns out to be shut leaves its lanes ready and empty-handed; the line must not wait for
            // them.
            if (ledgers.queue(lane.lane().queue()) != null) {
                continue;
            }
            for (GateKey gate : lane.gateKeys()) {
                readyByGate.computeIfAbsent(gate, key -> new ArrayList<>()).add(lane);
            }
        }
    }

    /** The lanes to wake, by id. Tells each gate who is first of those that stay. */
    Set<String> choose(StoreTransaction tx, int perGate) {
        List<GateKey> gates = ledgers.byKey().keySet().stream()
                .filter(key -> key.scope() == GateKey.Scope.GATE)
                .sorted()
                .toList();
        if (gates.isEmpty()) {
            return Set.of();
        }
        Map<GateKey, List<LaneRow>> lines = new LinkedHashMap<>();
        for (LaneRow lane : tx.lanes().lines(gates, perGate)) {
            lines.computeIfAbsent(Objects.requireNonNull(lane.waitingAt()), key -> new ArrayList<>())
                    .add(lane);
        }
        Set<String> woken = new TreeSet<>();
        lines.forEach((gate, line) -> woken.addAll(firstThatFit(gate, line, line.size() == perGate)));
        return woken;
    }

    /**
     * If more may stand behind the last lane that was read, that one stays: a gate must know who is left in its line, or
     * nobody would wake that one when those who were woken turn out to be blocked elsewhere.
     */
    private List<String> firstThatFit(GateKey gate, List<LaneRow> line, boolean hasMore) {
        GateLedger ledger = Objects.requireNonNull(ledgers.byKey().get(gate));
        LaneRow first = line.getFirst();
        int room = leftByOlderReady(ledger, first).roomFor(first.waiter(gate), now, line.size() - (hasMore ? 1 : 0));
        if (room < line.size()) {
            ledger.lineHead(line.get(room).waiter(gate));
        }
        return line.stream().limit(room).map(LaneRow::id).toList();
    }

    /** What ready lanes older than the line leave of a gate: they are asked first, and the line must not count on that. */
    private GateLedger leftByOlderReady(GateLedger ledger, LaneRow first) {
        GateLedger trial = ledger.trial();
        for (LaneRow lane : readyByGate.getOrDefault(ledger.key(), List.of())) {
            Waiter older = lane.waiter(ledger.key());
            if (lane.rank() < first.rank() && trial.checkLimits(older, now) instanceof Decision.Admitted) {
                trial.take(older, now);
            }
        }
        return trial;
    }
}

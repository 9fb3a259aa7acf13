package dev.headgate.internal.claim;

import dev.headgate.internal.admission.GateLedger;
import dev.headgate.internal.admission.Shares;
import dev.headgate.internal.admission.Waiter;
import dev.headgate.internal.gate.LockedGates;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.LaneRow;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Chooses which lanes leave the lines of the locked gates: as many as can pass, oldest first, never the whole line. */
final class WakeLines {
    private final LockedGates ledgers;
    private final Map<GateKey, List<LaneRow>> readyByGate = new HashMap<>();
    private final long now;

    /** @param ready lanes that this turn judges anyway */
    WakeLines(LockedGates ledgers, Collection<LaneRow> ready, long now) {
        this.ledgers = ledgers;
        this.now = now;
        for (LaneRow lane : ready) {
            // If its queue turns out to be shut, it stays ready and takes nothing: the line must not wait for it.
            if (ledgers.queue(lane.lane().queue()) != null) {
                continue;
            }
            for (GateKey gate : lane.gateKeys()) {
                readyByGate.computeIfAbsent(gate, key -> new ArrayList<>()).add(lane);
            }
        }
    }

    /** The lanes to wake, by gate and in the order of its line. Tells each gate which lane is first of those that stay. */
    Map<GateKey, List<LaneRow>> choose(int perGate) {
        List<GateKey> gates = new ArrayList<>();
        for (GateKey key : ledgers.byKey().keySet()) {
            if (key.scope() == GateKey.Scope.GATE) {
                gates.add(key);
            }
        }
        if (gates.isEmpty()) {
            return Map.of();
        }
        gates.sort(null);
        Map<GateKey, List<LaneRow>> lines = new LinkedHashMap<>();
        for (LaneRow lane : ledgers.sharing().lines(gates, perGate)) {
            lines.computeIfAbsent(Objects.requireNonNull(lane.waitingAt()), key -> new ArrayList<>())
                    .add(lane);
        }
        Map<GateKey, List<LaneRow>> woken = new LinkedHashMap<>();
        lines.forEach((gate, line) -> {
            GateLedger ledger = Objects.requireNonNull(ledgers.byKey().get(gate));
            Shares shares = ledger.line().shares();
            List<LaneRow> passing = shares == null
                    ? firstThatFit(ledger, line, line.size() == perGate)
                    : firstOfShares(ledger, shares, line);
            if (!passing.isEmpty()) {
                woken.put(gate, passing);
            }
        });
        return woken;
    }

    /**
     * If more lanes may stand behind the last one that was read, that one stays in line. A gate must know the first lane
     * that is left in its line, or nothing would wake this lane if those that were woken turn out to be blocked elsewhere.
     */
    private List<LaneRow> firstThatFit(GateLedger ledger, List<LaneRow> line, boolean hasMore) {
        Waiter first = LockedGates.waiter(line.getFirst(), ledger);
        int room = leftByReadyBefore(ledger, first).startableCount(first, now, line.size() - (hasMore ? 1 : 0));
        if (room < line.size()) {
            ledger.line().head(LockedGates.waiter(line.get(room), ledger));
        }
        return line.subList(0, room);
    }

    /** The same by shares: tries the starts on a copy of the gate, each share in its turn. */
    private List<LaneRow> firstOfShares(GateLedger ledger, Shares shares, List<LaneRow> line) {
        Map<String, Deque<Waiter>> byShare = new TreeMap<>();
        Map<String, LaneRow> rows = new HashMap<>();
        for (LaneRow lane : line) {
            rows.put(lane.id(), lane);
            Waiter waiter = LockedGates.waiter(lane, ledger);
            byShare.computeIfAbsent(waiter.share(), share -> new ArrayDeque<>()).add(waiter);
        }
        GateLedger trial = leftByReadyBefore(ledger, first(ledger, byShare));
        List<LaneRow> woken = new ArrayList<>();
        boolean isOpen = true;
        while (isOpen && !byShare.isEmpty()) {
            Waiter next = first(trial, byShare);
            Deque<Waiter> own = Objects.requireNonNull(byShare.get(next.share()));
            if (trial.isKeptOut(next, now)) {
                // A place is reserved, perhaps for a lane behind it.
                ledger.line().head(next);
                byShare.remove(next.share());
                continue;
            }
            boolean isLastSeen = own.size() == 1 && shares.isPartlySeen(next.share());
            boolean isLastOfAll = own.size() == 1 && byShare.size() == 1 && shares.hasHorizon();
            long opens = trial.next(next, now);
            boolean isBlocked = opens != GateLedger.AT_ONCE && opens != GateLedger.NEVER;
            isOpen = !isLastSeen && !isLastOfAll && !isBlocked;
            if (isOpen) {
                if (opens == GateLedger.AT_ONCE) {
                    trial.take(next, now);
                }
                woken.add(Objects.requireNonNull(rows.get(next.lane())));
                own.remove();
                if (own.isEmpty()) {
                    byShare.remove(next.share());
                }
            }
        }
        byShare.values().forEach(stay -> ledger.line().head(stay.getFirst()));
        return woken;
    }

    private static Waiter first(GateLedger gate, Map<String, Deque<Waiter>> byShare) {
        Waiter first = null;
        for (Deque<Waiter> share : byShare.values()) {
            first = first == null || gate.line().isBefore(share.getFirst(), first) ? share.getFirst() : first;
        }
        return Objects.requireNonNull(first, "only lines with lanes are read");
    }

    /** The gate as it is after the ready lanes that come before the line: these are judged too and may take places. */
    private GateLedger leftByReadyBefore(GateLedger ledger, Waiter first) {
        GateLedger trial = ledger.trial();
        for (LaneRow lane : readyByGate.getOrDefault(ledger.key(), List.of())) {
            Waiter ready = LockedGates.waiter(lane, ledger);
            if (trial.line().isBefore(ready, first) && trial.next(ready, now) == GateLedger.AT_ONCE) {
                trial.take(ready, now);
            }
        }
        return trial;
    }
}

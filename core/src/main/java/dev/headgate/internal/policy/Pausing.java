package dev.headgate.internal.policy;

import dev.headgate.internal.gate.LineHeads;
import dev.headgate.internal.gate.LockedGates;
import dev.headgate.internal.lane.Arrivals;
import dev.headgate.internal.text.Names;
import dev.headgate.job.ParkReason;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.Pause;
import dev.headgate.spi.HeadOfLane;
import dev.headgate.spi.LaneTable.LineCount;
import dev.headgate.spi.PolicyTable.Note;
import dev.headgate.spi.StoreTransaction;
import java.util.Collection;
import java.util.List;

/** Pauses queues, gates and job types, and lets them go on. */
final class Pausing {
    private Pausing() {}

    static void pause(StoreTransaction tx, Pause pause, String author, String reason) {
        if (pause.kind() == Pause.Kind.QUEUE) {
            Names.checkQueuePattern(pause.name());
        }
        tx.policyTable().lockForChange();
        tx.policyTable().pause(pause, new Note(tx.now(), author, reason));
    }

    /** Returns whether it was paused. Lines of a gate that may move now are made due. */
    static boolean resume(StoreTransaction tx, Pause pause) {
        tx.policyTable().lockForChange();
        // What is not paused is not written either: it would be a new version of the policies with nothing new in it.
        boolean isPaused =
                tx.policyTable().pauses().stream().anyMatch(row -> row.pause().equals(pause));
        boolean wasPaused = isPaused && tx.policyTable().resume(pause);
        if (wasPaused && pause.kind() == Pause.Kind.GATE) {
            GateKey name = GateKey.gate(pause.name());
            Collection<GateKey> gates = name.isPattern()
                    ? tx.lanes().lineCounts().stream()
                            .map(LineCount::gate)
                            .filter(gate -> name.covers(gate))
                            .toList()
                    : tx.lanes().withLine(List.of(name));
            long now = tx.now();
            LockedGates ledgers = new LockedGates(tx);
            ledgers.lockGates(gates, now);
            LineHeads.refresh(ledgers);
            ledgers.save(now);
        }
        return wasPaused;
    }

    /** Brings jobs of types that were paused back to their places; returns where they stand. */
    static List<HeadOfLane> revive(StoreTransaction tx, List<String> types) {
        List<HeadOfLane> heads = tx.jobs().unpark(ParkReason.PAUSED, types, tx.now(), Arrivals.BATCH_MAX);
        List<HeadOfLane> gated =
                heads.stream().filter(head -> !head.lane().isPlain()).toList();
        if (!gated.isEmpty()) {
            tx.lanes().ring(Arrivals.oldestPerLane(gated));
        }
        return heads;
    }
}

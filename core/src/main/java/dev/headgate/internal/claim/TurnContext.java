package dev.headgate.internal.claim;

import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.gate.LockedGates;
import dev.headgate.internal.gate.ParkedByClaim;
import dev.headgate.internal.lease.EndedLease;
import dev.headgate.internal.lease.TurnRequest;
import dev.headgate.internal.time.Ticker;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.Wake;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the phases of one turn share. */
final class TurnContext {
    private static final int LANES_MAX = 512;

    final StoreTransaction tx;
    final TurnMemory memory;
    final QueuesOfTurn queues;
    final GrantClock clock;
    final PolicyBook book;
    final LockedGates gates;
    final LockedLanes lanes;
    final ParkedByClaim parked;
    final Set<Wake> wakes = new HashSet<>();
    final MoreWork more = new MoreWork();

    /** Jobs that this turn does not take back, because another transaction has locked a gate of theirs. */
    final Set<Long> busy = new HashSet<>();

    private TurnRequest request;

    TurnContext(StoreTransaction tx, Ticker ticker, TurnMemory memory, TurnRequest request) {
        this.tx = tx;
        this.memory = memory;
        this.request = request;
        this.clock = new GrantClock(ticker); // before the policies: the time may come along with them
        this.book = tx.recentPolicies();
        this.queues = new QueuesOfTurn(tx, book, request);
        this.gates = new LockedGates(tx);
        this.lanes = new LockedLanes(tx, gates, wakes);
        this.parked = new ParkedByClaim(tx, book);
    }

    TurnRequest request() {
        return request;
    }

    boolean hasSlots() {
        return request.slots() > 0;
    }

    /** A job that ended at a gate which is locked elsewhere stays with the worker until its next turn, and so does its slot. */
    void leaveBusy() {
        for (EndedLease ended : request.ended()) {
            if (!gates.hasAll(ended.gateKeys())) {
                busy.add(ended.lease().id());
            }
        }
        if (!busy.isEmpty()) {
            List<EndedLease> taken = new ArrayList<>(request.ended());
            taken.removeIf(ended -> busy.contains(ended.lease().id()));
            request = request.with(taken, Math.max(0, request.slots() - busy.size()));
        }
    }

    boolean isUnpaused(String queue) {
        return !book.isPaused(GateKey.queue(queue));
    }

    /** The queues that are not paused, each with room for all slots. */
    Map<String, Integer> unpaused() {
        Map<String, Integer> unpaused = new HashMap<>();
        for (String queue : queues.all()) {
            if (isUnpaused(queue)) {
                unpaused.put(queue, request.slots());
            }
        }
        return unpaused;
    }

    /** How many lanes are read of each queue. */
    int lanesMax() {
        int forSlots =
                Math.min(LANES_MAX, Math.max(1, request.slots()) + request.fit().sight());
        return queues.ofEach(Math.max(forSlots, Math.min(TurnRequest.REACH_MAX, request.reach())));
    }

    /** How many lanes are read of each line. */
    int linesPerGate() {
        return Math.min(LANES_MAX, Math.max(request.slots(), request.ended().size()) + 1);
    }
}

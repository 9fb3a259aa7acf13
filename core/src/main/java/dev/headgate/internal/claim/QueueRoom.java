package dev.headgate.internal.claim;

import dev.headgate.internal.admission.GateLedger;
import dev.headgate.internal.gate.NextWake;
import dev.headgate.internal.lease.EndedLease;
import dev.headgate.internal.lease.LeaseRelease;
import dev.headgate.internal.lease.TurnRequest;
import dev.headgate.job.JobSpec;
import java.util.HashMap;
import java.util.Map;

/** How many jobs queues could start by their own limits. */
final class QueueRoom {
    private QueueRoom() {}

    /** The room of each served queue, as if what ends had given its places back. A queue without room is left out. */
    static Map<String, Integer> of(TurnContext turn, long now) {
        TurnRequest request = turn.request();
        Map<String, Integer> room = new HashMap<>();
        for (String queue : turn.queues.all()) {
            if (!turn.isUnpaused(queue)) {
                continue;
            }
            int free = request.slots();
            GateLedger ledger = turn.gates.queue(queue);
            if (ledger != null) {
                GateLedger trial = request.ended().isEmpty() ? ledger : ledger.trial();
                for (EndedLease ended : request.ended()) {
                    JobSpec spec = ended.lease().spec();
                    if (spec.lane().queue().equals(queue)) {
                        trial.release(
                                ended.lease().id(),
                                spec.cost().units(),
                                LeaseRelease.of(ended).at(trial.key()));
                    }
                }
                free = trial.startableCount(NextWake.ANY_JOB, now, request.slots());
            }
            if (free > 0) {
                room.put(queue, free);
            }
        }
        return room;
    }
}

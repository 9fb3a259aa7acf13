package dev.headgate.proof.simulation;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What came of one simulated world.
 *
 * @param events steps on the heap (rounds of loops, ends of handlers, calls of clients, faults) plus entries of the history
 *     that the checkers judge: commits, enqueues, grants, starts, ends, outcomes, heartbeats
 * @param faults faults that took effect
 * @param violation the first broken promise; absent if all were kept
 * @param byFault how many of each kind
 * @param overlaps handlers that ran beside a successor after their lease was gone (I7)
 * @param longestOverlapNanos for how long at most; bounded for each of them by I38
 * @param calls calls that handlers made
 * @param lates starts whose handler was not entered, most of them because they reached it too late
 * @param hash of the whole history: the same seed gives the same, or something in it is left to chance
 */
public record WorldResult(
        long events,
        long faults,
        @Nullable Violation violation,
        Map<FaultKind, Long> byFault,
        long overlaps,
        long longestOverlapNanos,
        long calls,
        long lates,
        long hash) {
    public boolean isGood() {
        return violation == null;
    }
}

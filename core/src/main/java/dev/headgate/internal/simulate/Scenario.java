package dev.headgate.internal.simulate;

import dev.headgate.internal.admission.GateState;
import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.limit.GateKey;
import java.util.List;
import java.util.Map;

/**
 * What is played.
 *
 * @param policies an override among them ends when its time comes
 * @param gates what gates remember at the start, use by {@code running} included; a gate that is missing is new
 * @param running jobs that hold a slot and their places at the start; they {@code arrive} when they started
 * @param waiting jobs that arrive, at the start or later
 * @param slots how many jobs run at once at most
 * @param start the first instant
 * @param end nothing starts at this instant or later
 */
public record Scenario(
        PolicyBook policies,
        Map<GateKey, GateState> gates,
        List<SimulatedJob> running,
        List<SimulatedJob> waiting,
        int slots,
        long start,
        long end) {
    public Scenario {
        gates = Map.copyOf(gates);
        running = List.copyOf(running);
        waiting = List.copyOf(waiting);
        if (slots < 1) {
            throw new IllegalArgumentException("slots: expected at least 1, got %d".formatted(slots));
        }
    }

    /** The same with other jobs that wait. */
    public Scenario with(List<SimulatedJob> others) {
        return new Scenario(policies, gates, running, others, slots, start, end);
    }
}

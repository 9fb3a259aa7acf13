package dev.headgate.transition;

import dev.headgate.admission.GateKey;
import dev.headgate.room.Capacity;
import dev.headgate.store.QueueCount;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Everything at a glance: jobs by queue and state, gates with their figures, workers. */
public record Overview(
        Instant at, List<QueueCount> jobs, List<GateView> gates, List<WorkerView> workers, long policyVersion) {

    /**
     * One gate or queue with limits.
     *
     * @param policy the limits in text form; empty if none applies
     * @param leases jobs that hold a place
     * @param units their summed cost
     * @param tokens whole tokens in each bucket now, in the order of the limits
     * @param readings where each limit stands now, in the order of the limits
     * @param trials limits that are only tried, with what they would have blocked
     * @param waiters lanes in its line
     * @param until if these limits are an override, when it ends
     * @param opens when time alone will let the next one pass; absent if it is open or waits for a release
     * @param shut why nothing passes whatever its limits say: a pause, a hold, a probe; absent if it is not shut
     */
    public record GateView(
            GateKey key,
            String policy,
            @Nullable Instant until,
            long leases,
            long units,
            List<Tokens> tokens,
            List<Reading> readings,
            List<Trial> trials,
            long waiters,
            @Nullable Instant opens,
            @Nullable String shut) {}

    /** A bucket's level. */
    public record Tokens(String limit, long now, long burst) {}

    /** Where a limit stands, in words such as {@code 12 of 50 in the last 1m}. */
    public record Reading(String limit, String now) {}

    /** A shadow limit, and how many starts it would have blocked since it was set. */
    public record Trial(String limit, long wouldHaveBlocked) {}

    /**
     * One live worker.
     *
     * @param room what it can take and has left, as it last said; nothing if it starts whatever its gates let pass
     */
    public record WorkerView(
            String id,
            String name,
            List<String> queues,
            int slots,
            int busy,
            Instant startedAt,
            Instant leaseUntil,
            Capacity room) {}
}

package dev.headgate.status;

import dev.headgate.internal.text.Served;
import dev.headgate.limit.GateKey;
import dev.headgate.resource.Capacity;
import java.time.Duration;
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
     * @param line what stands in its line
     * @param until if these limits are an override, when it ends
     * @param opens when time alone will let the next one pass; absent if it is open or waits for a release
     * @param shut why nothing passes whatever its limits say: a pause, a hold, a probe; absent if it is not shut
     * @param lag how long its starts took until their calls were made; only of limits that count over time
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
            Line line,
            @Nullable Instant opens,
            @Nullable String shut,
            Lag lag) {}

    /**
     * How long the latest starts of a gate took. A span is at most twice too long, and absent if nothing was measured.
     *
     * @param lateStarts starts that reached their handlers too late and did not run, since the gate was made or cleared
     * @param toHandlerP50 half of the starts reached their handlers within this time after their grants
     * @param toEndP50 the handlers of half of the starts had ended within this time after their grants
     * @param rejectedAt when the other side last pushed back although no more was started than the limits allow
     * @param rejectedLag the longest time from a grant to the end of its handler that was seen around then
     * @param rejectedMargin for how long after its grant a start counted then: zero if at its grant, absent if until its handler had ended
     * @param advisedMargin the margin that would have avoided that, longer than the one in force; absent if that one covers what was seen
     * @param cutMargin the margin of the latest starts, if another gate or the queue of their jobs made it shorter than here
     */
    public record Lag(
            long lateStarts,
            @Nullable Duration toHandlerP50,
            @Nullable Duration toHandlerP99,
            @Nullable Duration toEndP50,
            @Nullable Duration toEndP99,
            @Nullable Instant rejectedAt,
            @Nullable Duration rejectedLag,
            @Nullable Duration rejectedMargin,
            @Nullable Duration advisedMargin,
            @Nullable Duration cutMargin) {
        /** Nothing was measured. */
        public static final Lag NONE = new Lag(0, null, null, null, null, null, null, null, null, null);
    }

    /**
     * What waits because of a gate.
     *
     * @param lanes lanes in its line
     * @param jobs jobs of these lanes that are due
     * @param isMore they were counted only so far: there are at least so many
     */
    public record Line(long lanes, long jobs, boolean isMore) {
        /** Nothing waits. */
        public static final Line NONE = new Line(0, 0, false);
    }

    /** A bucket's level. */
    public record Tokens(String limit, long now, long burst) {}

    /**
     * Where a limit stands.
     *
     * @param now in words, such as {@code 12 of 50 in the last 1m}
     * @param used what counts against it, such as 12: leases, starts or units of cost
     * @param most what it gives while nothing is used, such as 50
     */
    public record Reading(String limit, String now, long used, long most) {}

    /** A shadow limit, and how many starts it would have blocked since it was set. */
    public record Trial(String limit, long wouldHaveBlocked) {}

    /**
     * One live worker.
     *
     * @param queues names, and patterns such as {@code site:*}
     * @param slots how many jobs it runs at once at most, as it last said
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
            Capacity room) {
        /** Whether it serves this queue, by its name or by a pattern. */
        public boolean serves(String queue) {
            return Served.covers(queues, queue);
        }
    }
}

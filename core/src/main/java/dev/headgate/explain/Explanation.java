package dev.headgate.explain;

import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a job is where it is, and when it can start.
 *
 * <pre>{@code
 * switch (headgate.explain(id).reason()) {
 *     case Reason.AtGate full -> System.out.println(full.gate().gate() + " opens at " + full.by().next());
 *     case Reason.NoWorker none -> System.out.println("start a worker of queue " + none.queue());
 *     default -> {}
 * }
 * }</pre>
 *
 * @param reason what the job waits for, or what became of it
 * @param times when, as instants and spans
 * @param place what is before it
 * @param past what happened to it until now
 */
public record Explanation(JobId job, JobState state, Reason reason, Times times, Place place, Past past) {
    /** Places are counted no further than this; beyond it an explanation would cost as much as a claim. */
    public static final int AHEAD_MAX = 10_000;

    /** Holders are listed up to this many. */
    public static final int HOLDERS_MAX = 5;

    /**
     * When.
     *
     * @param at the store time of this answer
     * @param since since when the job has been in this state, as far as the store keeps it
     * @param waited how long it has been waiting since it became due; zero if it is not waiting
     * @param earliest no start before this instant, by its due time and the limits that depend on time; absent if nothing
     *     can be said
     * @param forecast when it is expected to start, with a margin, and what that rests on; absent if it is not waiting
     */
    public record Times(
            Instant at,
            Instant since,
            Duration waited,
            @Nullable Instant earliest,
            @Nullable Forecast forecast) {}

    /**
     * What is before a waiting job.
     *
     * @param ahead waiting jobs before it in its lane, counted up to {@link #AHEAD_MAX}
     * @param gates its queue and its gates, each with its answer to this job now
     */
    public record Place(int ahead, List<GateAnswer> gates) {
        /** Of a job that waits for no gate now. */
        public static final Place NONE = new Place(0, List.of());
    }

    /**
     * What happened to a job until now.
     *
     * @param lost how often it lost its worker
     * @param error the latest error of a job that has not ended; absent if there is none
     * @param waits where its waiting time went, as far as the store keeps it; empty if it is not waiting
     */
    public record Past(int lost, @Nullable String error, List<Wait> waits) {}

    /**
     * One gate's answer.
     *
     * @param until if these limits are an override, when it ends
     */
    public record GateAnswer(
            GateKey gate, GatePolicy policy, @Nullable Instant until, Decision decision, Line line, Use use) {}

    /**
     * Where a job stands in the line of a gate.
     *
     * @param isIn whether the job's lane stands in this line
     * @param lanesBefore lanes before it in this line; of its own share if the gate is shared
     * @param share its share, if the gate or queue is shared by a key
     */
    public record Line(
            boolean isIn, int lanesBefore, @Nullable SharePlace share) {}

    /**
     * What a gate's leases hold.
     *
     * @param holders if the job waits for a release, the jobs that hold places here: the first to have started, at most
     *     {@link #HOLDERS_MAX}
     */
    public record Use(long leases, List<Holder> holders) {}

    /**
     * A share of a fair gate or queue.
     *
     * @param key the gate that is shared by; empty for jobs without one
     * @param weight how much it gets beside the others
     * @param sharesBefore other shares that wait here and have had less by their weight: each of them starts at least one
     *     job before this share starts its next
     */
    public record SharePlace(String key, int weight, int sharesBefore) {}

    /** A running job that holds a place. */
    public record Holder(JobId job, String type, String worker, Instant since) {}

    /** Part of the time a job has waited: where, and how long. */
    public record Wait(String where, Duration span) {}

    /**
     * When a job is expected to start.
     *
     * @param from not before this; absent if nothing can be said
     * @param to probably not after this; absent if nothing can be said
     * @param basis what it rests on, or why nothing can be said
     */
    public record Forecast(@Nullable Instant from, @Nullable Instant to, String basis) {}

    /** One sentence for people. */
    public String summary() {
        return new Sentence(this).text();
    }

    @Override
    public String toString() {
        return summary();
    }
}

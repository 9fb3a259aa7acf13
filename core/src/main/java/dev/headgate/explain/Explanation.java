package dev.headgate.explain;

import dev.headgate.internal.admission.Decision;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.limit.GateKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a job is where it is, and when it can start.
 *
 * @param summary one sentence for people
 * @param at the store time of this answer
 * @param since since when the job has been in this state, as far as the store keeps it
 * @param waited how long it has been waiting since it became due; zero if it is not waiting
 * @param ahead waiting jobs before it in its lane, counted up to {@link #AHEAD_MAX}
 * @param gates its queue and its gates, each with its answer to this job now
 * @param waits where its waiting time went, as far as the store keeps it; empty if it is not waiting
 * @param forecast when it is expected to start, with a margin, and what that rests on; absent if it is not waiting
 * @param earliest no start before this instant, by the limits that depend on time; absent if nothing can be said
 */
public record Explanation(
        JobId job,
        JobState state,
        String summary,
        Instant at,
        Instant since,
        Duration waited,
        int ahead,
        List<GateAnswer> gates,
        List<Wait> waits,
        @Nullable Instant earliest,
        @Nullable Forecast forecast) {

    /** Places are counted no further than this; beyond it an explanation would cost as much as a claim. */
    public static final int AHEAD_MAX = 10_000;

    /** Holders are listed up to this many. */
    public static final int HOLDERS_MAX = 5;

    /**
     * One gate's answer.
     *
     * @param until if these limits are an override, when it ends
     * @param isBlocking whether the job's lane stands in this gate's line
     * @param lanesBefore lanes before this one in that line; of its own share if the gate is shared
     * @param share its share, if the gate or queue is shared by a key
     * @param holders if it waits for a release, who holds places here: the first to have started, at most {@link #HOLDERS_MAX}
     */
    public record GateAnswer(
            GateKey gate,
            String policy,
            @Nullable Instant until,
            long leases,
            Decision decision,
            boolean isBlocking,
            int lanesBefore,
            @Nullable SharePlace share,
            List<Holder> holders) {
        /** Who is before it in line, as a clause of a sentence; empty if nobody is. */
        public String line() {
            String lanes = lanesBefore == 0 ? "" : ", %d lanes before it in line".formatted(lanesBefore);
            return share == null
                    ? lanes
                    : "%s%s, %d other shares before it"
                            .formatted(lanes, lanesBefore == 0 ? "" : " of " + share.name(), share.sharesBefore());
        }
    }

    /**
     * A share of a fair gate or queue.
     *
     * @param key the gate that is shared by; empty for jobs without one
     * @param weight how much it gets beside the others
     * @param sharesBefore other shares that wait here and have had less by their weight: each of them starts at least one
     *     job before this share starts its next
     */
    public record SharePlace(String key, int weight, int sharesBefore) {
        String name() {
            return key.isEmpty() ? "the share of jobs without a key" : "share " + key;
        }
    }

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

    @Override
    public String toString() {
        return summary;
    }
}

package dev.headgate.explain;

import dev.headgate.explain.Explanation.GateAnswer;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.ParkReason;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Why a job is where it is. Of several reasons, the one that must go first. */
public sealed interface Reason {
    /** It has ended. */
    record Ended(int attempts, @Nullable String detail) implements Reason {}

    /**
     * It runs.
     *
     * @param attemptsMax how many attempts it has
     * @param isCancelRequested whether it was asked to stop
     */
    record Running(String worker, int attempt, int attemptsMax, boolean isCancelRequested) implements Reason {}

    /** It was set aside. */
    record Parked(@Nullable ParkReason reason, @Nullable String detail) implements Reason {}

    /** It is not in its lane yet: not due, or due so lately that no worker has put it there. */
    record Scheduled(Instant due) implements Reason {}

    /**
     * Other jobs must end first.
     *
     * @param first the first of them
     * @param more how many there are besides
     */
    record AwaitsJobs(List<Awaited> first, int more) implements Reason {
        /** As a clause, such as {@code waiting for job 12 (running), job 13 (queued) and 4 more}. */
        public String text() {
            String named = first.stream().map(Awaited::text).collect(Collectors.joining(", "));
            return "waiting for %s%s"
                    .formatted(named.isEmpty() ? "other jobs" : named, more > 0 ? " and %d more".formatted(more) : "");
        }
    }

    /** A gate can never let it pass; the next claim parks it. */
    record NeverFits(Decision.NeverFits by) implements Reason {}

    /** A gate is shut now; of several, the first that the job names. */
    record AtGate(GateAnswer gate, Decision.Blocked by) implements Reason {}

    /** Its queue is paused. */
    record QueuePaused(String queue) implements Reason {}

    /** No live worker serves its queue. */
    record NoWorker(String queue) implements Reason {}

    /**
     * It fits no worker of its queue.
     *
     * @param isTooBig whether none of them could ever take it
     * @param needs what it needs, in words
     * @param worker the id of the first of these workers
     * @param lacks what that one lacks, in words
     * @param others how many other workers have no room either
     */
    record NoRoom(boolean isTooBig, String needs, String worker, String workerName, String lacks, int others)
            implements Reason {}

    /**
     * Workers have free slots, but their own limiters let nothing start.
     *
     * @param worker the id of the worker whose limiter opens first
     * @param limit the limiter's figures, in words
     * @param opens when it opens; absent if something must be given back first, or if it never opens
     * @param isNever whether it never opens
     * @param others how many other workers wait for their limiters
     */
    record WorkerLimiter(
            String worker,
            String workerName,
            String limit,
            @Nullable Instant opens,
            boolean isNever,
            int others) implements Reason {}

    /**
     * A worker has a free slot, but no claim has come to its lane yet.
     *
     * @param lanes lanes that are judged before it
     * @param isMore whether there are more than were counted
     */
    record NotJudged(String queue, int lanes, boolean isMore) implements Reason {}

    /** It is the first of its lane and could start, but no worker has a free slot. */
    record NoSlot() implements Reason {}

    /** Other jobs of its lane are before it. */
    record BehindOthers() implements Reason {}

    /** A job that is waited for; without a state if it is no longer live. */
    record Awaited(JobId job, @Nullable JobState state) {
        private String text() {
            return "job %s (%s)"
                    .formatted(job, state == null ? "ended" : state.name().toLowerCase(Locale.ROOT));
        }
    }
}

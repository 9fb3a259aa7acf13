package dev.headgate.testkit.memory;

import dev.headgate.internal.time.Micros;
import dev.headgate.job.JobState;
import dev.headgate.job.ParkReason;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.HeadRow;
import dev.headgate.spi.HoldingRow;
import dev.headgate.spi.JobTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The orders in which live jobs are looked up, so that a claim never walks over jobs it does not want. */
final class JobIndexes {
    private static final Comparator<LiveJob> BY_ID = (one, other) -> Long.compare(one.id(), other.id());
    private static final Comparator<LiveJob> BY_RANK = (one, other) -> {
        int byRank = Long.compare(one.row().place().rank(), other.row().place().rank());
        return byRank != 0 ? byRank : Long.compare(one.id(), other.id());
    };
    static final Comparator<LiveJob> BY_DUE = (one, other) -> {
        int byDue = Long.compare(one.row().place().runAt(), other.row().place().runAt());
        return byDue != 0 ? byDue : Long.compare(one.id(), other.id());
    };
    private static final Comparator<LiveJob> BY_TYPE =
            Comparator.comparing((LiveJob job) -> job.spec().type()).thenComparing(BY_ID);
    private static final Comparator<LiveJob> BY_DEADLINE =
            Comparator.comparingLong(JobIndexes::deadline).thenComparing(BY_ID);

    final Ordered<String, LiveJob> queuedByLane = inState(JobState.QUEUED, LiveJob::laneId, BY_RANK);
    final Ordered<String, LiveJob> scheduledByQueue = inState(JobState.SCHEDULED, LiveJob::queue, BY_DUE);
    final Ordered<JobState, LiveJob> running = inState(JobState.RUNNING, LiveJob::state, BY_ID);
    final Ordered<ParkReason, LiveJob> parked = inState(
            JobState.PARKED, job -> Objects.requireNonNull(job.row().notes().parkReason()), BY_TYPE);
    private final Ordered<Boolean, LiveJob> expiring =
            new Ordered<>(job -> canExpire(job) ? Boolean.TRUE : null, BY_DEADLINE);
    final Ordered<String, LiveJob> byDedupKey =
            new Ordered<>(job -> job.spec().dedup().key(), BY_ID);
    final Ordered<GateKey, LiveJob> queueBacklog = new Ordered<>(JobIndexes::cappedQueue, BY_ID);
    final Ordered<GateKey, LiveJob> gateBacklog = new Ordered<>(JobIndexes::cappedGate, BY_ID);
    final MemoryTally<LiveJob> tally = new MemoryTally<>(LiveJob::queue, LiveJob::state);

    List<Index<LiveJob>> all() {
        return List.of(
                queuedByLane,
                scheduledByQueue,
                running,
                parked,
                expiring,
                byDedupKey,
                queueBacklog,
                gateBacklog,
                tally);
    }

    private static <G> Ordered<G, LiveJob> inState(
            JobState state, Function<LiveJob, G> group, Comparator<LiveJob> order) {
        return new Ordered<>(job -> job.state() == state ? group.apply(job) : null, order);
    }

    private static @Nullable GateKey cappedQueue(LiveJob job) {
        return isInBacklog(job) && job.caps().isQueue() ? GateKey.queue(job.queue()) : null;
    }

    private static @Nullable GateKey cappedGate(LiveJob job) {
        String gate = job.caps().gate();
        return isInBacklog(job) && gate != null ? GateKey.gate(gate) : null;
    }

    private static boolean isInBacklog(LiveJob job) {
        return job.state().isWaiting() && job.state() != JobState.PARKED;
    }

    private static boolean canExpire(LiveJob job) {
        return job.spec().tries().deadline() != null && job.state().isWaiting();
    }

    /** Waiting jobs whose deadline has passed, the latest of them last. */
    List<LiveJob> expired(long now, int limit) {
        return expiring.first(Boolean.TRUE, limit).stream()
                .filter(job -> deadline(job) <= now)
                .toList();
    }

    /** The next instant at which a scheduled job of these queues is due or a deadline passes. */
    @Nullable
    Long nextDue(Collection<String> queues) {
        LiveJob scheduled = scheduledByQueue.firstOf(queues);
        LiveJob late = expiring.first(Boolean.TRUE);
        Long due =
                scheduled == null ? null : Long.valueOf(scheduled.row().place().runAt());
        Long deadline = late == null ? null : Long.valueOf(deadline(late));
        if (due == null || deadline == null) {
            return due == null ? deadline : due;
        }
        return Math.min(due, deadline);
    }

    /** The first queued jobs of these lanes, lane by lane in the order of their names. */
    List<HeadRow> heads(Collection<String> lanes, int perLane, MemoryFrames frames) {
        List<String> sorted = new ArrayList<>(lanes);
        sorted.sort(null);
        List<HeadRow> heads = new ArrayList<>();
        for (String lane : sorted) {
            boolean isMore = perLane > JobTable.LOOKED_BEHIND_MAX
                    || queuedByLane.in(lane).size() > perLane;
            for (LiveJob job : queuedByLane.first(lane, perLane)) {
                heads.add(job.asHeadRow(frames.standing(job.spec().frame()), isMore));
            }
        }
        return heads;
    }

    /** How many queued jobs of the lane come before this rank. */
    int countBefore(String lane, long rank, int max) {
        return (int) queuedByLane.in(lane).stream()
                .takeWhile(job -> job.row().place().rank() < rank)
                .limit(max)
                .count();
    }

    /** What running jobs hold, by lane. */
    List<HoldingRow> holdings() {
        Map<HoldingRow, Long> leases = new LinkedHashMap<>();
        for (LiveJob job : running.in(JobState.RUNNING)) {
            leases.merge(new HoldingRow(job.spec().lane(), job.spec().cost(), 0), 1L, Long::sum);
        }
        List<HoldingRow> holdings = new ArrayList<>();
        leases.forEach((alike, count) -> holdings.add(new HoldingRow(alike.lane(), alike.cost(), count)));
        return holdings;
    }

    private static long deadline(LiveJob job) {
        return Micros.of(Objects.requireNonNull(job.spec().tries().deadline()));
    }
}

package dev.headgate.spi;

import dev.headgate.job.JobState;
import dev.headgate.limit.GateKey;
import dev.headgate.status.QueueCount;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What waits in some queues and runs, read through indexes, up to a bound and without a lock: tells how much
 * there is to do, without claiming it.
 */
public interface DemandTable {
    /** Lanes that claims look at, up to so many of each queue and in any order. */
    List<LaneRow> ready(Collection<String> queues, int perQueue);

    /** Lanes that the most urgent doorbells of each queue would make ready; a lane may come several times. */
    List<HeadOfLane> arriving(Collection<String> queues, int perQueue);

    /**
     * A scheduled job whose time has come and which no turn has filed yet.
     *
     * @param head where it will stand: one that takes a new place, as if it drew its number now
     * @param isBehindLine its lane stands in line at a gate and would stay there with it
     */
    record Due(HeadOfLane head, String type, boolean isBehindLine) {}

    /** The first scheduled jobs of each queue that are due, the earliest first. */
    List<Due> due(Collection<String> queues, long now, int perQueue);

    /**
     * Queues whose names have this beginning and in which a claim may find something: a ready lane, a doorbell or a job without
     * gates that waits. The cost follows what is found, not what merely exists.
     *
     * @param after only names behind this one, in the order of the store; empty for the first
     * @return names in the order of the store
     */
    List<String> queuesWithWork(String prefix, String after, int limit);

    /** Queues whose names have this beginning and that have a scheduled job whose time has come. */
    List<String> queuesWithDue(String prefix, long now, int limit);

    /** When the first scheduled job of the queues is due whose names have this beginning; empty if none is scheduled. */
    Pending<Optional<Long>> nextDue(String prefix);

    /** The first jobs of each lane. */
    List<HeadRow> heads(Collection<String> lanes, int perLane);

    /**
     * Lanes that no claim has judged yet.
     *
     * @param lanes those that stand ready, and those that only a doorbell tells of
     * @param isMore more were there than were read
     */
    record Unjudged(int lanes, boolean isMore) {}

    /** Lanes of a queue with a head before this rank that no claim has judged; reads up to {@code max} rows of each kind. */
    Unjudged unjudged(String queue, long beforeRank, int max);

    /**
     * A job whose lane stands in the line of a gate.
     *
     * @param rank its place among them
     */
    record InLine(long job, long rank) {
        /** Before all jobs. */
        public static final InLine FIRST = new InLine(Long.MIN_VALUE, Long.MIN_VALUE);
    }

    /** As many lanes of a line are read at most. */
    int LANES_MAX = 20_000;

    /**
     * The jobs of the lanes that stand in line at a gate, in the order of their ranks and, of equal ranks, of their numbers. Of a line with
     * more than {@link #LANES_MAX} lanes, those of the first lanes only.
     *
     * @param queue only of this queue, unless it is absent
     * @param after only jobs behind this place
     */
    List<InLine> line(GateKey gate, @Nullable String queue, InLine after, int limit);

    /**
     * How many rows there are that are only kept, each counted up to a bound.
     *
     * @param ended rows of history that were looked at for results
     */
    record Kept(long runs, long artifacts, long ended, long results) {}

    /** Counts up to {@code max} of each; results among as many of the newest rows of history. */
    Kept kept(int max);

    /**
     * What some live jobs of a queue are.
     *
     * @param since when the one that has waited longest was due; absent if none of them is {@link JobState#QUEUED}
     * @param jobs how many of its jobs were looked at
     */
    record OldestRow(String queue, @Nullable Long since, long jobs) {}

    /** The queues of the live jobs with the lowest numbers, so many of them. */
    List<OldestRow> oldest(int look);

    /** How many jobs are {@link JobState#QUEUED} in lanes that stand in line at each of these gates, counted up to {@code max} of each. */
    Map<GateKey, Long> inLines(Collection<GateKey> gates, int max);

    /** How many jobs are {@link JobState#QUEUED} in lanes that stand in line at a gate, up to {@link QueueCount#COUNTED_MAX} of each queue. */
    List<QueueCount> inLine(Collection<String> queues);

    /**
     * The jobs that frames wait for: those of their present revision, by id. A timer that is not due is none, unless its frame
     * is RUNNING: then it is a step that is tried again.
     */
    List<StepRow> stepsOf(Collection<Long> frames, long now);

    /** The same for all frames of a tree, counted by state, queue, worker, gate and, if parked, reason and type. */
    List<StepRow> stepsBelow(long root, long now);
}

package dev.headgate.spi;

import dev.headgate.job.JobState;
import dev.headgate.status.QueueCount;
import java.util.Collection;
import java.util.List;

/**
 * What waits in some queues, read through indexes, up to a bound and without a lock: tells how much
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

    /** How many jobs are {@link JobState#QUEUED} in lanes that stand in line at a gate, up to {@link QueueCount#COUNTED_MAX} of each queue. */
    List<QueueCount> inLine(Collection<String> queues);
}

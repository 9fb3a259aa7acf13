package dev.headgate.spi;

import dev.headgate.job.Cost;
import dev.headgate.job.Lane;

/**
 * A job that has come into a lane or left it: the doorbell's message, "look again from here on".
 *
 * @param passes how often the lane was passed by at its gates while it had a row
 */
public record HeadOfLane(Lane lane, String laneId, long rank, Cost cost, int passes) {
    public HeadOfLane(Lane lane, String laneId, long rank, Cost cost) {
        this(lane, laneId, rank, cost, 0);
    }

    public static HeadOfLane of(Lane lane, long rank, Cost cost) {
        return new HeadOfLane(lane, lane.id(), rank, cost);
    }

    /**
     * A job that has left its lane. What is behind it may cost anything, so it says the least: a lane that would have to wait
     * for what the job cost must not keep others from a gate.
     */
    public static HeadOfLane left(Lane lane, long rank) {
        return of(lane, rank, Cost.of(0));
    }

    /** What two doorbells of one lane say together: of two at the same place the one that says less. */
    public HeadOfLane and(HeadOfLane other) {
        boolean isOtherFirst = other.rank == rank ? other.cost.equals(Cost.of(0)) : other.rank < rank;
        HeadOfLane first = isOtherFirst ? other : this;
        return new HeadOfLane(first.lane, first.laneId, first.rank, first.cost, Math.max(passes, other.passes));
    }
}

package dev.headgate.store;

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

    /** What two doorbells of one lane say together. */
    public HeadOfLane and(HeadOfLane other) {
        HeadOfLane first = other.rank < rank ? other : this;
        return new HeadOfLane(first.lane, first.laneId, first.rank, first.cost, Math.max(passes, other.passes));
    }
}

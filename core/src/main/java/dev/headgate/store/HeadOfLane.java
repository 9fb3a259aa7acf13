package dev.headgate.store;

import dev.headgate.job.Cost;
import dev.headgate.job.Lane;

/** A job that has come into a lane or left it: the doorbell's message, "look again from here on". */
public record HeadOfLane(Lane lane, String laneId, long rank, Cost cost) {
    public static HeadOfLane of(Lane lane, long rank, Cost cost) {
        return new HeadOfLane(lane, lane.id(), rank, cost);
    }
}

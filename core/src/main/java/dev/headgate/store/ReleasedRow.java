package dev.headgate.store;

import dev.headgate.job.Cost;
import dev.headgate.job.Lane;

/** A job whose lease was found valid, with what it held. */
public record ReleasedRow(long job, Lane lane, String laneId, long rank, Cost cost, int attempt, long startedAt) {
    public HeadOfLane asHead() {
        return new HeadOfLane(lane, laneId, rank, cost);
    }
}

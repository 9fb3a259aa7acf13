package dev.headgate.spi;

import dev.headgate.internal.admission.Start;
import dev.headgate.job.Cost;
import dev.headgate.job.Lane;

/** A job whose lease was found valid, with what it held. */
public record ReleasedRow(long job, Lane lane, long rank, Cost cost, int attempt, Start start) {
    /** What this lease holds, as it was granted. */
    public static ReleasedRow of(JobRow lease) {
        return new ReleasedRow(
                lease.id(),
                lease.spec().lane(),
                lease.place().rank(),
                lease.spec().cost(),
                lease.lease().attempt(),
                lease.lease().start());
    }

    /** When its lease was granted, in store time. */
    public long startedAt() {
        return start.at();
    }

    /** The same for a lane that had been turned away so often before this lease. */
    public HeadOfLane asHead(int passes) {
        return new HeadOfLane(lane, lane.id(), rank, cost, passes);
    }

    public HeadOfLane asHead() {
        return HeadOfLane.of(lane, rank, cost);
    }
}

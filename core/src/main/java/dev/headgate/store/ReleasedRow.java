package dev.headgate.store;

import dev.headgate.job.Cost;
import dev.headgate.job.Lane;
import java.util.Objects;

/** A job whose lease was found valid, with what it held. */
public record ReleasedRow(long job, Lane lane, long rank, Cost cost, int attempt, long startedAt) {
    /** What this lease holds, as it was granted. */
    public static ReleasedRow of(JobRow lease) {
        return new ReleasedRow(
                lease.id(),
                lease.spec().lane(),
                lease.rank(),
                lease.spec().cost(),
                lease.attempt(),
                Objects.requireNonNull(lease.startedAt(), "a lease has begun"));
    }

    public HeadOfLane asHead() {
        return HeadOfLane.of(lane, rank, cost);
    }
}

package dev.headgate.internal.worker;

import dev.headgate.internal.time.Micros;
import dev.headgate.internal.time.Nanos;
import dev.headgate.job.JobSpec;
import dev.headgate.spi.JobRow;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** When a run must stop by itself, in ticker time. */
record RunTimeLimit(long nanos, StopReason why) {
    static final RunTimeLimit NEVER = new RunTimeLimit(0, StopReason.TIMED_OUT);

    /** At the deadline of a job that has just been leased. */
    static RunTimeLimit atDeadline(JobRow row, long now) {
        JobSpec spec = row.spec();
        if (spec.tries().deadline() == null || row.lease().startedAt() == null) {
            return NEVER;
        }
        // Both in store time, so this machine's clock does not matter.
        long left = Nanos.of(
                Micros.duration(Micros.of(spec.tries().deadline()) - row.lease().startedAt()));
        return left == Nanos.FOR_EVER ? NEVER : new RunTimeLimit(now + left, StopReason.PAST_DEADLINE);
    }

    /** This, or a timeout that begins now, whichever is earlier. */
    RunTimeLimit orAfter(@Nullable Duration timeout, long now) {
        long span = timeout == null ? Nanos.FOR_EVER : Nanos.of(timeout);
        if (span == Nanos.FOR_EVER) {
            return this;
        }
        boolean isEarlier = equals(NEVER) || now + span - nanos <= 0;
        return isEarlier ? new RunTimeLimit(now + span, StopReason.TIMED_OUT) : this;
    }
}

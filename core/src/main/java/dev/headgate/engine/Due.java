package dev.headgate.engine;

import dev.headgate.admission.Micros;
import dev.headgate.job.JobSpec;
import dev.headgate.store.JobRow;
import dev.headgate.time.Nanos;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** When a run must stop by itself, in ticker time. */
record Due(long nanos, Stop why) {
    static final Due NEVER = new Due(0, Stop.TIMED_OUT);

    /** At the deadline of a job that has just been leased. */
    static Due atDeadline(JobRow row, long now) {
        JobSpec spec = row.spec();
        if (spec.deadline() == null || row.startedAt() == null) {
            return NEVER;
        }
        // Both in store time, so this machine's clock does not matter.
        long left = Nanos.of(Micros.duration(Micros.of(spec.deadline()) - row.startedAt()));
        return left == Nanos.FOR_EVER ? NEVER : new Due(now + left, Stop.PAST_DEADLINE);
    }

    /** This, or a timeout that begins now, whichever is earlier. */
    Due orAfter(@Nullable Duration timeout, long now) {
        long span = timeout == null ? Nanos.FOR_EVER : Nanos.of(timeout);
        if (span == Nanos.FOR_EVER) {
            return this;
        }
        boolean isEarlier = equals(NEVER) || now + span - nanos <= 0;
        return isEarlier ? new Due(now + span, Stop.TIMED_OUT) : this;
    }
}

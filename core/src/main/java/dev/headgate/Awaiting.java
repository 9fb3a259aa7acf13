package dev.headgate;

import dev.headgate.engine.Completions;
import dev.headgate.job.JobId;
import dev.headgate.job.JobStatus;
import dev.headgate.time.Nanos;
import dev.headgate.time.Ticker;
import dev.headgate.transition.JobStore;
import java.time.Duration;
import java.util.Optional;

/** Waits for a job's end: told at once if it ends in this process, looking now and then if elsewhere. */
final class Awaiting {
    private static final long FIRST_LOOK_NANOS = Duration.ofMillis(10).toNanos();
    private static final long LAST_LOOK_NANOS = Duration.ofMillis(250).toNanos();

    private final JobStore store;
    private final Completions completions;

    Awaiting(JobStore store, Completions completions) {
        this.store = store;
        this.completions = completions;
    }

    Optional<JobStatus> await(JobId id, Duration timeout) throws InterruptedException {
        long start = Ticker.SYSTEM.nanos();
        long pause = FIRST_LOOK_NANOS;
        // The ticket comes before the first look, so an end between the two is not missed.
        try (Completions.Ticket ticket = completions.enter(id.value())) {
            while (true) {
                JobStatus status = store.find(id);
                if (status == null) {
                    throw new UnknownJobException(id);
                }
                if (status.state().isTerminal()) {
                    return Optional.of(status);
                }
                long left = Nanos.of(timeout) - (Ticker.SYSTEM.nanos() - start);
                if (left <= 0) {
                    return Optional.empty();
                }
                ticket.await(Math.min(left, pause));
                pause = Math.min(LAST_LOOK_NANOS, pause * 2);
            }
        }
    }
}

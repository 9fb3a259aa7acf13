package dev.headgate;

import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.json.JsonCodec;
import dev.headgate.internal.time.Nanos;
import dev.headgate.internal.time.Ticker;
import dev.headgate.internal.worker.CompletionSignals;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.run.RunId;
import dev.headgate.run.RunState;
import dev.headgate.run.RunStatus;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Waits for the end of a job or a run: told at once if it ends in this process, looking now and then if elsewhere. */
final class Awaiting {
    private static final long FIRST_LOOK_NANOS = Duration.ofMillis(10).toNanos();
    private static final long LAST_LOOK_NANOS = Duration.ofMillis(250).toNanos();

    private final JobStore store;
    private final CompletionSignals completions;

    Awaiting(JobStore store, CompletionSignals completions) {
        this.store = store;
        this.completions = completions;
    }

    /** What an ended job returned. */
    <T> Optional<T> result(JobStatus status, JsonCodec codec, Class<T> type) {
        if (status.state() != JobState.SUCCEEDED) {
            throw new IllegalStateException("job %s: expected it to have succeeded, it is %s%s"
                    .formatted(
                            status.id(),
                            status.state(),
                            status.report().detail() == null
                                    ? ""
                                    : ": " + status.report().detail()));
        }
        String json = status.report().result();
        return json == null || json.equals("null")
                ? Optional.empty()
                : Optional.of(codec.read("result of job " + status.id(), json, type));
    }

    Optional<JobStatus> await(JobId id, Duration timeout) throws InterruptedException {
        return await(
                id.value(),
                () -> UnknownJobException.ifAbsent(id, store.find(id)),
                status -> status.state().isTerminal(),
                timeout);
    }

    /** Waits until a run has come to an end, or to a halt that only people can end. */
    Optional<RunStatus> await(RunId id, Supplier<RunStatus> look, Duration timeout) throws InterruptedException {
        return await(
                CompletionSignals.ofFrame(id.value()),
                look,
                status -> status.state().isTerminal() || status.state() == RunState.BUDGET_EXCEEDED,
                timeout);
    }

    private <T> Optional<T> await(long news, Supplier<T> look, Predicate<T> isOver, Duration timeout)
            throws InterruptedException {
        long start = Ticker.SYSTEM.nanos();
        long pause = FIRST_LOOK_NANOS;
        // The ticket comes before the first look, so an end between the two is not missed.
        try (CompletionSignals.Ticket ticket = completions.enter(news)) {
            while (true) {
                T status = look.get();
                if (isOver.test(status)) {
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

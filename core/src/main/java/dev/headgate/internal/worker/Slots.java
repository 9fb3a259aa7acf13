package dev.headgate.internal.worker;

import dev.headgate.handler.JobStopped;
import dev.headgate.handler.RetryLater;
import dev.headgate.internal.handler.BatchGroup;
import dev.headgate.internal.handler.Handler.Task;
import dev.headgate.internal.json.JsonCodec;
import dev.headgate.internal.resource.Reservations.Reservation;
import dev.headgate.internal.run.Move;
import dev.headgate.internal.text.Text;
import dev.headgate.internal.time.Chance;
import dev.headgate.job.Outcome;
import dev.headgate.job.ParkReason;
import dev.headgate.job.UnreadableJsonException;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The handlers at work, one thread each. A slot is taken as long as its thread runs, also by a handler that ignores its
 * interruption, so there are never more threads than slots.
 */
final class Slots {
    private static final Logger log = LoggerFactory.getLogger(Slots.class);

    /** Used if even the reason of a failure could not be reported, as when memory is out. */
    private static final String BROKEN = "its worker could not tell what came of it";

    /** The most characters of a reason why a job goes back. */
    static final int TROUBLE_MAX = 300;

    private final JsonCodec codec;
    private final Chance chance;
    private final BiConsumer<RunningJob, Outcome> onEnd;
    private final LoopRunner.HandlerRunner handlerRunner;
    private final Set<RunningJob> running = ConcurrentHashMap.newKeySet();
    private final AtomicInteger busy = new AtomicInteger();
    private final AtomicInteger coming = new AtomicInteger();

    /** @param onEnd receives each run once, with its outcome, on any thread */
    Slots(
            LoopRunner.HandlerRunner handlerRunner,
            JsonCodec codec,
            Chance chance,
            BiConsumer<RunningJob, Outcome> onEnd) {
        this.handlerRunner = handlerRunner;
        this.codec = codec;
        this.chance = chance;
        this.onEnd = onEnd;
    }

    /** How many slots are taken. */
    int busy() {
        return busy.get();
    }

    /** How many of them have not entered their handler yet. */
    int coming() {
        return coming.get();
    }

    /** One of them enters its handler now. */
    void entered() {
        coming.decrementAndGet();
    }

    Collection<RunningJob> running() {
        return Collections.unmodifiableSet(running);
    }

    void start(RunningJob run) {
        busy.incrementAndGet();
        coming.incrementAndGet();
        running.add(run);
        try {
            handlerRunner.start(new Working(run));
        } catch (RuntimeException | OutOfMemoryError noThread) {
            log.warn("{}: no thread to run it; it goes back to its queue", run, noThread);
            leave(
                    run,
                    new Outcome.HandedBack(
                            "its worker had no thread to run it: " + Text.storable(noThread.toString(), TROUBLE_MAX)));
        }
    }

    private final class Working implements LoopRunner.HandlerRun {
        private final RunningJob run;
        private @Nullable Task task;

        private Working(RunningJob run) {
            this.run = run;
        }

        @Override
        public long job() {
            return run.row().id();
        }

        @Override
        public long epoch() {
            return run.epoch();
        }

        @Override
        public boolean isMeasured() {
            Reservation reservation = run.stay();
            return reservation != null && reservation.isMeasured();
        }

        @Override
        public boolean isBatched() {
            return run.isBatched();
        }

        @Override
        public void begin(Runnable interruption) {
            run.begin(interruption);
        }

        @Override
        public boolean enter() {
            Outcome refusal = new Outcome.HandedBack(BROKEN);
            try {
                refusal = ready();
            } finally {
                if (refusal != null) {
                    leave(run, refusal);
                }
            }
            return refusal == null;
        }

        /** The outcome of a run whose handler is not entered; absent if it is. */
        private @Nullable Outcome ready() {
            try {
                StopReason stop = run.stopReason();
                if (stop != null && stop.keepsOut()) {
                    throw new JobStopped(run.id(), stop.text()); // it had no thread yet to interrupt
                }
                task = run.handler().read(codec, run.row().spec().payload());
                if (run.handler().batchGroup().equals(BatchGroup.NONE)) {
                    run.enter(); // members of a batch are judged when the batch starts
                }
                return null;
            } catch (UnreadableJsonException unfit) {
                log.info(
                        "{}: parked, because its payload does not fit its handler; retry it once either is mended",
                        run);
                return new Outcome.Parked(
                        ParkReason.UNREADABLE_PAYLOAD, ErrorText.cut(String.valueOf(unfit.getMessage())));
            } catch (Throwable error) {
                return conclude(run, error);
            }
        }

        @Override
        public void work() {
            Outcome outcome = new Outcome.HandedBack(BROKEN);
            try {
                outcome = outcomeOf(run, Objects.requireNonNull(task, "a handler works after it was entered"));
            } finally {
                leave(run, outcome);
            }
        }
    }

    private void leave(RunningJob run, Outcome outcome) {
        boolean isFirst = run.end();
        // An interruption that came late must not hit the next job of a pooled thread.
        Thread.interrupted();
        running.remove(run);
        busy.decrementAndGet();
        if (!run.hasEntered()) {
            coming.decrementAndGet();
        }
        run.giveBackPlace(outcome);
        if (isFirst) {
            onEnd.accept(run, outcome);
        }
    }

    private Outcome outcomeOf(RunningJob run, Task task) {
        Object result;
        try {
            result = task.run(run);
        } catch (Throwable error) {
            return conclude(run, error);
        }
        return succeed(run, result);
    }

    private Outcome succeed(RunningJob run, @Nullable Object result) {
        if (result instanceof Move move) {
            run.moves(move); // the run keeps its state, not the job's result
        }
        if (result == null || result instanceof Move) {
            return new Outcome.Succeeded(null);
        }
        try {
            return new Outcome.Succeeded(codec.write("result of job " + run.id(), result));
        } catch (Throwable unwritable) {
            log.warn("{}: failed for good: it ran to its end, but its result cannot be kept", run, unwritable);
            return new Outcome.Failed(ErrorText.of(unwritable));
        }
    }

    private Outcome conclude(RunningJob run, Throwable error) {
        if (error instanceof HandlerNotEntered not) {
            log.debug("{}: not entered; it goes back as if it had not been granted", run);
            return not.outcome();
        }
        if (error instanceof RetryLater later
                && later.when() instanceof RetryLater.When.LimiterReopened(Duration wait)) {
            run.shutLimiter(wait);
        }
        Outcome outcome = shutElsewhere(run, FailureOutcome.of(run, error, chance.next()));
        String next =
                switch (outcome) {
                    case Outcome.RetryAfter(var delay, var ignored) -> "next attempt in " + delay;
                    case Outcome.RetryAt(var at, var ignored) -> "next attempt at " + at;
                    case Outcome.PushedBack(var gate, var wait, var jitter, var why) ->
                        "'%s' pushed back; goes back to its place, the attempt is not counted".formatted(gate);
                    case Outcome.Late late -> "too late for its call; goes back to its place as if it had not started";
                    case Outcome.HandedBack back -> "goes back to its queue, the attempt is not counted";
                    case Outcome.Cancelled cancelled -> "cancelled";
                    default -> "failed for good";
                };
        log.debug("{}: did not succeed; {}", run, next, error);
        return outcome;
    }

    /** The turn that brings a job back closes the job's own gates; a transaction before it closes any other gate. */
    private Outcome shutElsewhere(RunningJob run, Outcome outcome) {
        boolean isElsewhere = outcome instanceof Outcome.PushedBack by
                && !run.row().spec().lane().gates().contains(by.gate());
        if (!isElsewhere) {
            return outcome;
        }
        Outcome.PushedBack pushed = (Outcome.PushedBack) outcome;
        try {
            return FailureOutcome.pushedBackElsewhere(run, pushed, run.shut(pushed), chance.next());
        } catch (RuntimeException away) {
            log.warn("{}: '{}' pushed back, but could not be shut; the job waits alone", run, pushed.gate(), away);
            return outcome;
        }
    }

    /** Asks all runs of one registration to stop, or all runs if it is absent. */
    void stopAll(@Nullable String worker, StopReason why) {
        for (RunningJob run : running) {
            if (worker == null || worker.equals(run.worker())) {
                run.stop(why);
            }
        }
    }

    /** Abandons handlers that did not stop: hands their jobs back; whatever they still do no longer counts. */
    void abandonAll() {
        for (RunningJob run : running) {
            if (run.end()) {
                log.warn(
                        "{}: its handler ignored its interruption; the job goes back while the handler still runs",
                        run);
                onEnd.accept(run, new Outcome.HandedBack());
            }
        }
    }

    void close() {
        handlerRunner.close();
    }
}

package dev.headgate;

import dev.headgate.internal.resource.PassedOver;
import dev.headgate.internal.resource.TimeLeft;
import dev.headgate.internal.time.Micros;
import dev.headgate.internal.worker.RunningWorker;
import java.time.Duration;

/** A worker at work: claims jobs of its queues and runs them in its slots until it is stopped. Thread-safe. */
public final class Worker implements AutoCloseable {
    /** A worker looks behind so many jobs that do not fit, and no further. */
    public static final int PASSED_OVER_MAX = PassedOver.SIGHT_MAX;

    /** How long a job of an unknown type is taken to run by a worker that must end in time. */
    public static final Duration UNKNOWN_RUN_TIME = Micros.duration(TimeLeft.UNKNOWN_MICROS);

    private final RunningWorker running;

    Worker(RunningWorker running) {
        this.running = running;
    }

    /** Its present name in the store; a worker that was lost registers again under a new one. */
    public String id() {
        return running.id();
    }

    /** How many handlers are running now. */
    public int busy() {
        return running.busy();
    }

    /** How many starts came too late for their limits since it began, and were given back; see {@code Event.JobLate}. */
    public long lateStarts() {
        return running.lateStarts();
    }

    /** How many it runs at once at most; moves if it was given a floor and a ceiling. */
    public int slots() {
        return running.slots();
    }

    /**
     * Waits until it has nothing running and has just found no job that it could start now; jobs that are due later, or
     * wait at a gate, do not count. Returns false if that did not happen within {@code timeout}.
     */
    public boolean awaitIdle(Duration timeout) throws InterruptedException {
        return running.awaitIdle(timeout);
    }

    /**
     * From now on it starts only what is expected to be done in this time, and then nothing more: by what its handler
     * declares ({@link dev.headgate.handler.HandlerOptions#expected}) or by what 95 of 100 earlier runs took; a job of a
     * type of which neither is known is taken to run for 5 seconds. It does not stop by itself.
     */
    public void finishWithin(Duration time) {
        running.finishWithin(time);
    }

    /** How many waiting jobs its latest claims left because they do not fit its resources or its time; counted up to about {@link #PASSED_OVER_MAX}. */
    public int passedOver() {
        return running.passedOver();
    }

    /**
     * Stops in good order: claims nothing more, lets running handlers finish for up to {@link WorkerBuilder#drain},
     * interrupts the rest, hands back what still runs and leaves. Returns when that is done, at most 5 seconds after the
     * drain. Calling it again waits for the same end.
     */
    public void stop() {
        running.stop(false);
    }

    /** Stops without letting handlers finish: they are interrupted at once. Cuts a {@link #stop} in progress short. */
    public void stopNow() {
        running.stop(true);
    }

    /** The same as {@link #stop}. */
    @Override
    public void close() {
        stop();
    }

    /** Whether it has come to its end. */
    public boolean isStopped() {
        return running.isStopped();
    }

    /** Begins to stop without waiting for the end. */
    void beginStop() {
        running.beginStop(false);
    }
}

package dev.headgate.event;

import dev.headgate.job.JobId;
import dev.headgate.job.Outcome;
import java.time.Duration;

/** Something that happened in a worker of this process; for a {@link Listener}. */
public sealed interface Event {
    /** The worker's name in the store. */
    String worker();

    /**
     * The attempt that an event is about.
     *
     * @param epoch the number of its lease
     */
    record JobAttempt(JobId job, String type, String queue, int number, long epoch) {}

    /** The handler of a leased job is entered now. */
    record JobStarted(String worker, JobAttempt attempt) implements Event {}

    /**
     * An attempt is over and the store has taken its outcome: the job has ended, or waits for another attempt. What the
     * store refused, because the lease was gone, did not happen.
     */
    record JobEnded(String worker, JobAttempt attempt, Outcome outcome) implements Event {}

    /**
     * A job was leased, but could not make its call in time for its limits to count it where it happens. It has gone back to
     * its place, and nothing of the start counts. Told instead of {@link JobEnded}; {@link JobStarted} was told before only
     * if the handler had been entered and then asked by {@code JobContext.beforeCall}.
     *
     * @param lag how long after the grant it was
     */
    record JobLate(String worker, JobAttempt attempt, Duration lag) implements Event {}

    /** A worker began to work. */
    record WorkerStarted(String worker, String name) implements Event {}

    /** A worker was not heard of for too long: its jobs went to others, and it goes on under a new name. */
    record WorkerLost(String worker, String name) implements Event {}

    /** A worker has more slots or fewer from now on. */
    record PoolResized(String worker, int from, int to, String reason) implements Event {}

    /**
     * A worker keeps reaching its handlers too late for the margins of their limits: it starts such jobs one at a time, and
     * rests in between. Or it is in time again.
     */
    record WorkerPaced(String worker, String name, boolean isBehind) implements Event {}

    /** A worker came to its end. */
    record WorkerStopped(String worker, String name) implements Event {}
}

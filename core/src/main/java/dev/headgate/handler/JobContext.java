package dev.headgate.handler;

import dev.headgate.job.JobId;
import java.time.Duration;
import java.util.Optional;

/** The job that a handler is running: who it is, how long it may take, and where to report. Thread-safe. */
public interface JobContext {
    JobId id();

    /** The name of its job type. */
    String type();

    String queue();

    /** Which attempt this is, from 1. */
    int attempt();

    /** The last attempt it can have; after a failure of that one the job has failed for good. */
    int attemptsMax();

    /**
     * The number of this lease; rises with every lease of the job. Hand it to systems that can refuse writes with an
     * older number, and an attempt that was cut off can do no harm.
     */
    long epoch();

    /** Whether the handler should stop: the job was cancelled, took too long, or its worker stops or lost its lease. */
    boolean isCancelled();

    /** Does nothing, or throws {@link JobStopped} if the handler should stop. For loops that never block. */
    void checkCancelled();

    /**
     * Says how far the job is. Only the newest counts, so call it as often as you like.
     *
     * @param percent 0 to 100
     * @param message a few words for people; cut at 500 characters
     */
    void progress(int percent, String message);

    /** Adds a line to the job's log, which keeps its newest 200 lines. Cut at 2,000 characters. */
    void log(String line);

    /** Time until the handler is interrupted for taking too long; absent if it has neither timeout nor deadline. */
    Optional<Duration> timeLeft();

    /** Time until the lease ends if no heartbeat reached the store from now on; zero if it may have ended. */
    Duration leaseLeft();
}

package dev.headgate.internal.worker;

import dev.headgate.internal.lease.Departure;
import dev.headgate.internal.operate.HoldStore;
import dev.headgate.job.JobSpec;
import dev.headgate.job.Outcome;
import dev.headgate.limiter.Permit;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a run needs of its worker. */
interface JobHost {
    long nanos();

    /**
     * The handler of this run is about to be entered. Returns its place at the worker's own limiter, if there is one.
     *
     * @throws HandlerNotEntered if that limiter has no place left
     */
    @Nullable
    Permit enter(RunningJob run);

    /** The run executes its handler's code from now on. */
    void entered(RunningJob run);

    /** Ticker time until which the worker's lease is certain. */
    long leaseUntilNanos();

    /** There is something to report. */
    void reported(RunningJob run);

    /** Closes a gate or queue. */
    HoldStore.PushedBack pushBack(RunningJob run, Outcome.PushedBack pushed);

    /** Pauses for this long, or until interrupted. */
    void rest(long nanos);

    /** Takes a new start for a run that is too late for its own. */
    Departure depart(RunningJob run);

    /** Random jitter for a back-off. */
    int jitter();

    /** The results of other jobs. */
    DependencyResults results();

    /** The most slots of its worker. */
    int slotsMax();

    /**
     * Whether no job like these could start within this time, because a gate or queue of each is full or closed.
     */
    boolean areShut(List<JobSpec> jobs, Duration time);
}

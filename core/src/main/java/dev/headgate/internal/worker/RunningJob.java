package dev.headgate.internal.worker;

import dev.headgate.handler.JobContext;
import dev.headgate.handler.JobStopped;
import dev.headgate.handler.RetryLater;
import dev.headgate.internal.handler.BatchGroup;
import dev.headgate.internal.handler.Handler;
import dev.headgate.internal.operate.HoldStore;
import dev.headgate.internal.resource.ProfileLearner.Finish;
import dev.headgate.internal.resource.Reservations.Reservation;
import dev.headgate.internal.run.Move;
import dev.headgate.job.Cost;
import dev.headgate.job.JobId;
import dev.headgate.job.JobSpec.FrameRef;
import dev.headgate.job.JobStatus;
import dev.headgate.job.Outcome;
import dev.headgate.limit.Hold;
import dev.headgate.limiter.Permit;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.JobTable.LeaseRef;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One lease at work: the job, how its handler is interrupted, and whether it was asked to stop. It ends exactly once,
 * either because its handler ended or because the worker gave up waiting for that; from then on nothing interrupts the
 * handler any more.
 */
final class RunningJob implements JobContext {
    private volatile JobRow row;
    private final Handler<?> handler;
    private final JobHost host;
    private volatile RunTimeLimit due;
    private final CallDeadline callTime;
    private boolean hasDeparted;
    private @Nullable Runnable interruption;
    private volatile @Nullable StopReason stop;
    private volatile @Nullable UnsavedReports notes;
    private final Map<String, Long> settled = new HashMap<>();
    private volatile @Nullable Permit permit;
    private volatile boolean hasEntered;
    private @Nullable Reservation reservation;
    private volatile @Nullable Move move;
    private boolean isEnded;

    RunningJob(JobRow row, Handler<?> handler, JobHost host, RunTimeLimit due, GrantTime grant) {
        this.row = row;
        this.handler = handler;
        this.host = host;
        this.due = due;
        this.callTime = new CallDeadline(grant);
    }

    /**
     * The last check before the handler's code: whether it is reached in time, and has a place at the worker's own
     * limiter. Called once, on the thread that runs that code.
     *
     * @throws HandlerNotEntered if it must not run
     */
    void enter() {
        callTime.enter(host.nanos());
        permit = host.enter(this);
        if (isBatched()) {
            // Not before: until now it has only waited for its batch.
            due = due.orAfter(FailureOutcome.timeoutOf(this), host.nanos());
        }
        hasEntered = true;
        host.entered(this);
    }

    /** Whether it waits for a batch before its handler is called with all members. */
    boolean isBatched() {
        return !handler.batchGroup().equals(BatchGroup.NONE);
    }

    /**
     * Whether another job may join these waiting members within this time: there is a free slot, and a place at their
     * gates.
     */
    boolean canBeJoined(List<RunningJob> waiting, Duration time) {
        Map<JobHost, Integer> slots = new HashMap<>();
        waiting.forEach(run -> slots.merge(run.host, 1, Integer::sum));
        boolean haveAllSlots = slots.entrySet().stream()
                .allMatch(each -> each.getValue() >= each.getKey().slotsMax());
        return !haveAllSlots
                && !host.areShut(waiting.stream().map(run -> run.row.spec()).toList(), time);
    }

    /** Whether its handler's code has been entered. */
    boolean hasEntered() {
        return hasEntered;
    }

    /** Until when its handler may be entered, and its call be made. */
    CallDeadline callTime() {
        return callTime;
    }

    /** How long its handler may still wait to be entered. */
    long entryLeftNanos() {
        return callTime.leftNanos(host.nanos());
    }

    /** With a reservation of its worker's resources, until its thread is done. */
    RunningJob holding(@Nullable Reservation room) {
        reservation = room;
        return this;
    }

    @Nullable
    Reservation stay() {
        return reservation;
    }

    /** Its thread is done. */
    void giveBackPlace(Outcome outcome) {
        Permit place = permit;
        if (place != null) {
            place.close();
        }
        if (reservation != null) {
            reservation.end(
                    outcome instanceof Outcome.Succeeded ? Finish.WHOLE : stop == null ? Finish.FAILED : Finish.CUT);
        }
    }

    JobRow row() {
        return row;
    }

    /** Its lease has another margin from now on. */
    void leased(JobRow anew) {
        row = anew;
    }

    Handler<?> handler() {
        return handler;
    }

    LeaseRef lease() {
        return new LeaseRef(row.id(), row.lease().epoch());
    }

    /** The id under which its worker was registered when it got the lease. */
    String worker() {
        return Objects.requireNonNull(row.lease().worker(), "a leased job has a worker");
    }

    RunTimeLimit due() {
        return due;
    }

    @Nullable
    StopReason stopReason() {
        return stop;
    }

    @Nullable
    UnsavedReports notes() {
        return notes;
    }

    /** Its handler is about to run; this call interrupts it. */
    synchronized void begin(Runnable interruptedBy) {
        interruption = interruptedBy;
        if (reservation != null) {
            reservation.begin();
        }
        if (stop != null) {
            interruptedBy.run();
        }
    }

    /** Asks the handler to stop. The first reason stays; asking again interrupts again. */
    synchronized void stop(StopReason why) {
        if (isEnded) {
            return;
        }
        if (stop == null) {
            stop = why;
        }
        if (interruption != null) {
            interruption.run();
        }
    }

    /** False if it had ended already: then another caller has reported its outcome. */
    synchronized boolean end() {
        boolean isFirst = !isEnded;
        isEnded = true;
        interruption = null;
        return isFirst;
    }

    @Override
    public JobId id() {
        return new JobId(row.id());
    }

    @Override
    public String type() {
        return row.spec().type();
    }

    @Override
    public String queue() {
        return row.spec().lane().queue();
    }

    @Override
    public Optional<FrameRef> frame() {
        return Optional.ofNullable(row.spec().frame());
    }

    @Override
    public Map<String, String> labels() {
        return row.spec().attributes().labels();
    }

    @Override
    public Map<String, String> headers() {
        return row.spec().attributes().headers();
    }

    @Override
    public int attempt() {
        return row.lease().attempt();
    }

    @Override
    public int attemptsMax() {
        return Math.min(row.spec().tries().attemptsMax(), handler.options().attempts());
    }

    @Override
    public long epoch() {
        return row.lease().epoch();
    }

    @Override
    public boolean isCancelled() {
        return stop != null;
    }

    @Override
    public void checkCancelled() {
        StopReason why = stop;
        if (why != null) {
            throw new JobStopped(id(), why.text());
        }
    }

    @Override
    public void progress(int percent, String message) {
        if (percent < 0 || percent > 100) {
            throw new IllegalArgumentException(
                    "progress of job %s: expected 0 to 100 percent, got %d".formatted(id(), percent));
        }
        if (writableNotes().progress(percent, message)) {
            host.reported(this);
        }
    }

    @Override
    public void log(String line) {
        if (writableNotes().log(line)) {
            host.reported(this);
        }
    }

    @Override
    public synchronized void settle(String gate, long units) {
        checkGate("settle", gate);
        if (units < 0 || units > Cost.UNITS_MAX) {
            throw new IllegalArgumentException("settle of job %s at gate '%s': expected 0 to %d units, got %d"
                    .formatted(id(), gate, Cost.UNITS_MAX, units));
        }
        if (isEnded) {
            throw new IllegalStateException(
                    "settle of job %s at gate '%s': this attempt (epoch %d) has ended, so it is charged what it said; settle before the handler returns"
                            .formatted(id(), gate, epoch()));
        }
        settled.put(gate, units);
    }

    /** Where the workflow goes from here, as the step has returned. */
    void moves(Move next) {
        move = next;
    }

    @Nullable
    Move move() {
        return move;
    }

    /** What was settled; read once the run has ended. */
    synchronized Map<String, Long> settled() {
        return Map.copyOf(settled);
    }

    @Override
    public RetryLater pushedBack(String gate, @Nullable Duration retryAfter) {
        RetryLater later = RetryLater.pushedBack(gate, retryAfter);
        Duration wait = retryAfter == null ? null : Hold.bounded(retryAfter);
        String reason = "job %s: %s".formatted(id(), later.getMessage());
        if (shut(new Outcome.PushedBack(gate, wait, host.jitter(), reason)).isGone()) {
            throw new JobStopped(id(), "its lease is gone, so it can shut no gate");
        }
        return later;
    }

    @Override
    public RetryLater limiterPushedBack(@Nullable Duration retryAfter) {
        RetryLater later = RetryLater.limiterPushedBack(retryAfter);
        shutLimiter(retryAfter);
        return later;
    }

    /** Shuts the limiter of its worker; nothing if that has none. */
    void shutLimiter(@Nullable Duration retryAfter) {
        Permit place = permit;
        if (place != null) {
            place.pushedBack(retryAfter);
        }
    }

    /** Whether its worker has a limiter, of which it holds a place. */
    boolean hasLimiter() {
        return permit != null;
    }

    /** Closes the gate or queue that pushed it back. */
    HoldStore.PushedBack shut(Outcome.PushedBack pushed) {
        return host.pushBack(this, pushed);
    }

    @Override
    public void beforeCall(String gate) {
        checkGate("beforeCall", gate);
        beforeCall();
    }

    @Override
    public void beforeCall() {
        checkCancelled();
        markDeparted();
        callTime.depart(this, host);
    }

    private synchronized void markDeparted() {
        if (isEnded) {
            throw new IllegalStateException(
                    "beforeCall of job %s: this attempt (epoch %d) has ended; make the call before the handler returns"
                            .formatted(id(), epoch()));
        }
        if (hasDeparted) {
            throw new IllegalStateException(
                    "beforeCall of job %s: expected it once in an attempt, got it twice; one start pays for one call, so make others in jobs of their own"
                            .formatted(id()));
        }
        hasDeparted = true;
    }

    private void checkGate(String what, @Nullable String gate) {
        if (gate == null || !row.spec().lane().gates().contains(gate)) {
            throw new IllegalArgumentException("%s of job %s: expected one of its gates %s, got %s"
                    .formatted(what, id(), row.spec().lane().gates(), gate == null ? "none" : "'" + gate + "'"));
        }
    }

    private UnsavedReports writableNotes() {
        UnsavedReports known = notes;
        if (known != null) {
            return known;
        }
        synchronized (this) {
            UnsavedReports fresh = notes == null ? new UnsavedReports() : notes;
            notes = fresh;
            return fresh;
        }
    }

    @Override
    public List<JobStatus> children() {
        return host.results().childrenOf(id());
    }

    @Override
    public Optional<Instant> scheduledFor() {
        return host.results().scheduledFor(id());
    }

    @Override
    public <T> List<T> childResults(Class<T> type) {
        return host.results().childResults(id(), type);
    }

    @Override
    public <T> Optional<T> findResult(JobId job, Class<T> type) {
        return host.results().of(job, type);
    }

    @Override
    public Optional<Duration> timeLeft() {
        RunTimeLimit end = due;
        return end.equals(RunTimeLimit.NEVER) ? Optional.empty() : Optional.of(until(end.nanos()));
    }

    @Override
    public Duration leaseLeft() {
        return until(host.leaseUntilNanos());
    }

    private Duration until(long nanos) {
        return Duration.ofNanos(Math.max(0, nanos - host.nanos()));
    }

    /** The same in every run of a simulation, or hash sets of runs would have another order each time. */
    @Override
    public int hashCode() {
        return Long.hashCode(row.id() * 31 + row.lease().epoch());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    @Override
    public String toString() {
        return "job %d (%s, attempt %d, epoch %d)".formatted(row.id(), type(), attempt(), epoch());
    }
}

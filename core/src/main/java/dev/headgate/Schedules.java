package dev.headgate;

import dev.headgate.internal.enqueue.ExactEnqueue;
import dev.headgate.internal.json.JsonCodec;
import dev.headgate.internal.schedule.ScheduleStore;
import dev.headgate.job.JobId;
import dev.headgate.job.JobType;
import dev.headgate.schedule.Schedule;
import dev.headgate.schedule.Schedule.PutResult;
import dev.headgate.schedule.ScheduleStatus;
import dev.headgate.schedule.ScheduledRun;
import dev.headgate.store.CallerTransaction;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Work that recurs. A schedule has a name and lives in the store; at each of its instants one ordinary job is enqueued, by
 * whichever worker is there first, and from then on limits, retries and everything else apply to it as to any other. Any
 * worker on the store does, whatever queues it serves.
 *
 * <pre>{@code
 * headgate.schedules().put("nightly", Schedule.cron("0 3 * * *", "Europe/Berlin"), REPORT, new Report("all"));
 * headgate.schedules().put("poll", Schedule.every(ofSeconds(30)).overlap(Overlap.SKIP), POLL, new Poll(),
 *         job -> job.queue("feeds").gate("partner").attempts(2));
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class Schedules implements ScheduleOperations {
    /** The most instants that {@link #nextRuns} returns, and the most runs that {@link #runs} returns. */
    public static final int SHOWN_MAX = 1_000;

    private final ScheduleStore store;
    private final JsonCodec codec;
    private final ExactEnqueue enqueues;
    private final ProvidedPolicies provided;
    private final StoreSchedules intake;

    Schedules(ScheduleStore store, JsonCodec codec, ProvidedPolicies provided, ExactEnqueue enqueues) {
        this.store = store;
        this.codec = codec;
        this.enqueues = enqueues;
        this.provided = provided;
        this.intake = new StoreSchedules(
                store, new RequestContext(codec, enqueues::policies), job -> provided.store(List.of(job)));
    }

    /**
     * The same acts in the caller's own transaction: they count when it commits, and never if it does not. Uses the caller's
     * connection and no other.
     *
     * <p>A schedule that the transaction creates, changes or removes is locked until its end: what else would change this
     * schedule waits, and it does not fire meanwhile. A {@code put} that changes nothing locks nothing.
     *
     * @param caller such as {@code dev.headgate.store.jdbc.JdbcTransaction.of(connection)}: a connection to the database of this
     *     store, with auto-commit off
     */
    public ScheduleOperations in(CallerTransaction caller) {
        return new StoreSchedules(
                store.in(caller),
                new RequestContext(codec, () -> enqueues.policies(caller)),
                job -> provided.requireStored(caller, List.of(job)));
    }

    @Override
    public <T> PutResult put(String name, Schedule schedule, JobType<T> type, T payload, Consumer<JobOptions> options) {
        return intake.put(name, schedule, type, payload, options);
    }

    @Override
    public PutResult putJson(String name, Schedule schedule, JsonJob job) {
        return intake.putJson(name, schedule, job);
    }

    @Override
    public PutResult edit(String name, Consumer<ScheduleEdit> edit) {
        return intake.edit(name, edit);
    }

    @Override
    public void pause(String name) {
        intake.pause(name);
    }

    @Override
    public void resume(String name) {
        intake.resume(name);
    }

    @Override
    public void remove(String name) {
        intake.remove(name);
    }

    /**
     * Starts a run now, whatever its timing says, also while it is paused; when it is due next does not change.
     *
     * @return the run; empty if it was left out, because an earlier one has not ended and the schedule says so
     * @throws UnknownScheduleException if there is no such schedule
     */
    public Optional<ScheduledRun> fireNow(String name) {
        ScheduleStore.ByHand fired = StoreSchedules.known(name, Optional.ofNullable(store.fireNow(name)));
        return Optional.ofNullable(fired.run());
    }

    /** Looks a schedule up; empty if there is no such schedule. */
    public Optional<ScheduleStatus> find(String name) {
        return Optional.ofNullable(store.find(name));
    }

    /**
     * Where a schedule stands.
     *
     * @throws UnknownScheduleException if there is no such schedule
     */
    public ScheduleStatus status(String name) {
        return StoreSchedules.known(name, find(name));
    }

    /** All of them, by name. */
    public List<ScheduleStatus> list() {
        return store.list();
    }

    /**
     * The instants of its next runs, at most {@value #SHOWN_MAX}; none while it is paused. One that is due already comes
     * first.
     *
     * @throws UnknownScheduleException if there is no such schedule
     */
    public List<Instant> nextRuns(String name, int most) {
        return StoreSchedules.known(name, Optional.ofNullable(store.nextRuns(name, Math.clamp(most, 0, SHOWN_MAX))));
    }

    /**
     * Its latest runs and what became of their jobs, newest first. At least 100 are remembered.
     *
     * @throws UnknownScheduleException if there is no such schedule
     */
    public List<ScheduledRun> runs(String name, int most) {
        status(name);
        return store.runs(name, Math.clamp(most, 0, SHOWN_MAX));
    }

    /** Looks up the run that a job was enqueued for; empty if no schedule enqueued it, or that was too long ago. */
    public Optional<ScheduledRun> findRun(JobId job) {
        return Optional.ofNullable(store.findRun(job));
    }
}

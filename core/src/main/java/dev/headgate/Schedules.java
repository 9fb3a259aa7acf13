package dev.headgate;

import dev.headgate.codec.JsonCodec;
import dev.headgate.job.JobId;
import dev.headgate.job.JobType;
import dev.headgate.job.Names;
import dev.headgate.job.NewJob;
import dev.headgate.job.NewJob.Due;
import dev.headgate.schedule.Schedule;
import dev.headgate.schedule.ScheduleStatus;
import dev.headgate.schedule.ScheduleTerms;
import dev.headgate.schedule.ScheduledRun;
import dev.headgate.transition.ScheduleStore;
import dev.headgate.transition.ScheduleStore.Put;
import java.time.Duration;
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
public final class Schedules {
    /** The most instants that {@link #nextRuns} answers, and runs that {@link #runs} does. */
    public static final int SHOWN_MAX = 1_000;

    private final ScheduleStore store;
    private final JsonCodec codec;
    private final ProvidedPolicies provided;

    Schedules(ScheduleStore store, JsonCodec codec, ProvidedPolicies provided) {
        this.store = store;
        this.codec = codec;
        this.provided = provided;
    }

    /** Stores a schedule, in the queue {@code default}; see the other {@code put}. */
    public <T> Put put(String name, Schedule schedule, JobType<T> type, T payload) {
        return put(name, schedule, type, payload, job -> {});
    }

    /**
     * Stores a schedule under this name, or changes what is stored there. Doing it again changes nothing, so a program can
     * do it at every start; a schedule that somebody has paused stays paused. If the timing is another one, it begins
     * anew; otherwise it goes on where it is.
     *
     * @param options of each job, as for an enqueue; but no instants and no other jobs
     * @throws IllegalArgumentException that names all faults, such as a timing that never comes
     */
    public <T> Put put(String name, Schedule schedule, JobType<T> type, T payload, Consumer<JobOptions> options) {
        return put(name, schedule, Asked.of(codec, type, payload, options));
    }

    /** The same with a job as text, for tools that do not have its Java type. */
    public Put putJson(String name, Schedule schedule, JsonJob job) {
        return put(name, schedule, job.read(codec));
    }

    private Put put(String name, Schedule schedule, Asked asked) {
        Names.check("schedule", name);
        NewJob job = template(name, asked);
        provided.store(List.of(job));
        return store.put(name, ScheduleTerms.of(schedule, job.spec(), delay(job)));
    }

    /** A job that can be enqueued again and again: nothing of it belongs to one moment or to other jobs. */
    static NewJob template(String name, Asked asked) {
        Faults faults = new Faults();
        NewJob job = asked.job();
        Relations relations = asked.relations();
        faults.expect(
                job.due() instanceof Due.After,
                () -> "expected each job to be due at its instant, got at(…); say delay(…), or another timing");
        faults.expect(
                job.spec().deadline() == null,
                () -> "expected no deadline(…), which would be the same instant for each job; say timeout(…)");
        faults.expect(
                relations.needs().isEmpty()
                        && relations.mates().isEmpty()
                        && relations.children().isEmpty()
                        && relations.name() == null,
                () -> "expected jobs that wait for no others, got after(…), child(…) or as(…); let a job enqueue them");
        faults.throwIfAny("schedule '%s'".formatted(name));
        return job;
    }

    static Duration delay(NewJob job) {
        return job.due() instanceof Due.After(Duration delay) ? delay : Duration.ZERO;
    }

    /**
     * Changes a part of a stored schedule: {@code edit("poll", edit -> edit.schedule(s -> s.missed(Missed.SKIP)))}. Jobs
     * that were enqueued stay as they are.
     *
     * @throws UnknownScheduleException if there is no such schedule
     */
    public Put edit(String name, Consumer<ScheduleEdit> edit) {
        ScheduleEdit changes = new ScheduleEdit(codec);
        edit.accept(changes);
        Put put = store.edit(name, terms -> changes.apply(name, terms));
        return known(name, Optional.ofNullable(put));
    }

    /**
     * Starts nothing more until it is resumed. What has been started goes on.
     *
     * @throws UnknownScheduleException if there is no such schedule
     */
    public void pause(String name) {
        require(name, store.pause(name));
    }

    /**
     * Goes on with the next instant. Runs that would have been due meanwhile are left out; only one that comes but once is
     * made up for.
     *
     * @throws UnknownScheduleException if there is no such schedule
     */
    public void resume(String name) {
        require(name, store.resume(name));
    }

    /**
     * Removes a schedule. Jobs that were enqueued stay.
     *
     * @throws UnknownScheduleException if there is no such schedule
     */
    public void remove(String name) {
        require(name, store.remove(name));
    }

    public Optional<ScheduleStatus> find(String name) {
        return Optional.ofNullable(store.find(name));
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
        return known(name, Optional.ofNullable(store.nextRuns(name, Math.clamp(most, 0, SHOWN_MAX))));
    }

    /**
     * Its latest runs and what became of their jobs, newest first. At least 100 are remembered.
     *
     * @throws UnknownScheduleException if there is no such schedule
     */
    public List<ScheduledRun> runs(String name, int most) {
        require(name, store.find(name) != null);
        return store.runs(name, Math.clamp(most, 0, SHOWN_MAX));
    }

    /** The run that a job was enqueued for; absent if no schedule did, or that is long ago. */
    public Optional<ScheduledRun> runOf(JobId job) {
        return Optional.ofNullable(store.runOf(job));
    }

    private static void require(String name, boolean isThere) {
        if (!isThere) {
            throw new UnknownScheduleException(name);
        }
    }

    private static <T> T known(String name, Optional<T> found) {
        return found.orElseThrow(() -> new UnknownScheduleException(name));
    }
}

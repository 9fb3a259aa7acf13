package dev.headgate;

import dev.headgate.job.JobType;
import dev.headgate.schedule.Schedule;
import dev.headgate.schedule.Schedule.PutResult;
import java.util.function.Consumer;

/**
 * Stores and changes schedules: in a transaction of its own ({@link Headgate#schedules}), or in the caller's
 * ({@link Schedules#in}).
 */
public interface ScheduleOperations {
    /** Stores a schedule, in the queue {@code default}; see the other {@code put}. */
    default <T> PutResult put(String name, Schedule schedule, JobType<T> type, T payload) {
        return put(name, schedule, type, payload, job -> {});
    }

    /**
     * Stores a schedule under this name, or changes what is stored there. Doing it again changes nothing, so a program can
     * do it at every start; a paused schedule stays paused. If the timing is another one, it begins
     * anew; otherwise it goes on where it is.
     *
     * @param options of each job, as for an enqueue; but no instants and no other jobs
     * @throws IllegalArgumentException that names all faults, such as a timing that never comes
     */
    <T> PutResult put(String name, Schedule schedule, JobType<T> type, T payload, Consumer<JobOptions> options);

    /** The same with a job as text, for tools that do not have its Java type. */
    PutResult putJson(String name, Schedule schedule, JsonJob job);

    /**
     * Changes a part of a stored schedule: {@code edit("poll", edit -> edit.schedule(s -> s.missed(Missed.SKIP)))}. Jobs
     * that were enqueued stay as they are.
     *
     * @throws UnknownScheduleException if there is no such schedule
     */
    PutResult edit(String name, Consumer<ScheduleEdit> edit);

    /**
     * Starts nothing more until it is resumed. What has been started goes on.
     *
     * @throws UnknownScheduleException if there is no such schedule
     */
    void pause(String name);

    /**
     * Goes on with the next instant. Runs that would have been due meanwhile are left out; only one that comes but once is
     * made up for.
     *
     * @throws UnknownScheduleException if there is no such schedule
     */
    void resume(String name);

    /**
     * Removes a schedule. Jobs that were enqueued stay.
     *
     * @throws UnknownScheduleException if there is no such schedule
     */
    void remove(String name);
}

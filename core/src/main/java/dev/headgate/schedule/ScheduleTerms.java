package dev.headgate.schedule;

import dev.headgate.job.JobSpec;
import java.time.Duration;

/**
 * A schedule as it was asked for and is stored, with the job that each run enqueues.
 *
 * @param timing as text, because it must be possible to look at one that no longer means anything
 * @param delay how long after its enqueue a job may start
 */
public record ScheduleTerms(String timing, Missed missed, Overlap overlap, JobSpec job, Duration delay) {
    public static ScheduleTerms of(Schedule schedule, JobSpec job, Duration delay) {
        return new ScheduleTerms(schedule.timing().text(), schedule.missed(), schedule.overlap(), job, delay);
    }

    /**
     * When it is due.
     *
     * @throws IllegalArgumentException if the stored text means nothing any more
     */
    public Schedule schedule() {
        return new Schedule(Schedule.Timing.parse(timing), missed, overlap);
    }

    public ScheduleTerms with(Schedule other) {
        return of(other, job, delay);
    }

    public ScheduleTerms with(JobSpec other, Duration otherDelay) {
        return new ScheduleTerms(timing, missed, overlap, other, otherDelay);
    }
}

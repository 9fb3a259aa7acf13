package dev.headgate.schedule;

import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One run of a schedule.
 *
 * @param at the instant it stands for
 * @param firedAt when its job was enqueued
 * @param state how that job stands; absent if it was deleted or pruned
 */
public record ScheduledRun(
        String schedule,
        Instant at,
        Instant firedAt,
        JobId job,
        @Nullable JobState state) {}

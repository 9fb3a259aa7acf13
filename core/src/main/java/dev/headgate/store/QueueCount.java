package dev.headgate.store;

import dev.headgate.job.JobState;

/** Jobs of one queue in one state. */
public record QueueCount(String queue, JobState state, long jobs) {}

package dev.headgate.job;

import java.time.Duration;
import java.time.Instant;

/** A job to be enqueued and when it is due. */
public record NewJob(JobSpec spec, Due due) {
    /** When a job may start at the earliest. */
    public sealed interface Due {
        Due NOW = new After(Duration.ZERO);

        /** Counted in store time from the moment of enqueue. */
        record After(Duration delay) implements Due {}

        record At(Instant instant) implements Due {}
    }
}

package dev.headgate.spi;

import dev.headgate.job.JobSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A job to be enqueued, when it is due, and what it waits for. */
public record NewJob(JobSpec spec, Due due, List<Need> needs) {
    public NewJob {
        needs = List.copyOf(needs);
    }

    /** A job that waits for nothing but its time. */
    public NewJob(JobSpec spec, Due due) {
        this(spec, due, List.of());
    }

    /** When a job may start at the earliest. */
    public sealed interface Due {
        Due NOW = new After(Duration.ZERO);

        /** Counted in store time from the moment of enqueue. */
        record After(Duration delay) implements Due {}

        record At(Instant instant) implements Due {}
    }
}

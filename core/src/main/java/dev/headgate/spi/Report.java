package dev.headgate.spi;

import dev.headgate.job.JobStatus.Progress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a running handler says about its job. */
public record Report(@Nullable Progress progress, List<Line> lines) {
    /** A log line with the store time it is filed under. */
    public record Line(long at, String text) {}
}

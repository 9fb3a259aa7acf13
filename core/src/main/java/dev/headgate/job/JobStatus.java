package dev.headgate.job;

import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * All there is to know about a job, live or ended.
 *
 * @param leases how often workers have had it
 * @param report what it has told
 * @param waitingAt the gate in whose line its lane stands, if it is due and a gate keeps it; absent also until a claim has looked
 */
public record JobStatus(
        JobId id,
        JobSpec spec,
        JobState state,
        Times times,
        Leases leases,
        Report report,
        @Nullable String waitingAt) {
    /**
     * When.
     *
     * @param readySince when it became due, if it waits; its waiting time counts from here
     * @param startedAt the start of its latest lease
     */
    public record Times(
            Instant enqueuedAt,
            Instant readySince,
            @Nullable Instant startedAt,
            @Nullable Instant finishedAt) {}

    /**
     * How often workers have had it.
     *
     * @param attempt how many attempts have begun and were not handed back
     * @param lost how many leases ended because their worker was lost
     * @param epoch the number of the latest lease; only ever rises
     * @param worker the worker of the latest lease
     */
    public record Leases(
            int attempt, int lost, long epoch, @Nullable String worker) {}

    /**
     * What it has told.
     *
     * @param detail the latest error, or the reason it is parked
     * @param progress how far it is, while it runs
     * @param result JSON text, once it has succeeded
     */
    public record Report(
            @Nullable String detail,
            @Nullable Progress progress,
            @Nullable String result) {}

    /** How far a running job says it is, 0 to 100. */
    public record Progress(int percent, String message) {}

    public String queue() {
        return spec.lane().queue();
    }

    public String type() {
        return spec.type();
    }

    /** Its labels, by name. */
    public SortedMap<String, String> labels() {
        return spec.attributes().labels();
    }

    /** Its headers, by name. */
    public SortedMap<String, String> headers() {
        return spec.attributes().headers();
    }

    public List<String> gates() {
        return spec.lane().gates();
    }
}

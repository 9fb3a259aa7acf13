package dev.headgate.server.api;

import dev.headgate.Headgate;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobStatus;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/** The jobs that hold a gate, and the head of its line: the first few of each. Lists of jobs have them all. */
public record GateJobs(String gate, List<JobStatus> holders, List<JobStatus> next) {
    private static final int SHOWN_MAX = 5;

    public static GateJobs read(Headgate headgate, String gate) {
        JobFilter few = JobFilter.all().limit(SHOWN_MAX);
        return new GateJobs(
                gate,
                headgate.page(few.holding(gate)).jobs(),
                headgate.page(few.waiting(gate)).jobs());
    }

    /** Adds them to the JSON of the gate. */
    public void put(JsonWriter json) {
        json.put("holders", holders.stream().map(GateJobs::holder).toList());
        json.put("next", next.stream().map(GateJobs::waiter).toList());
    }

    private static JsonWriter holder(JobStatus job) {
        return JsonWriter.object()
                .put("id", job.id().value())
                .put("type", job.type())
                .put("worker", job.leases().worker())
                .put("since", started(job));
    }

    private static JsonWriter waiter(JobStatus job) {
        return JsonWriter.object()
                .put("id", job.id().value())
                .put("type", job.type())
                .put("queue", job.queue())
                .put("since", job.times().readySince());
    }

    /** Since when a job holds its places. */
    public static Instant started(JobStatus job) {
        return Objects.requireNonNullElse(job.times().startedAt(), job.times().readySince());
    }

    /** Whether there are no more of either. */
    public boolean isAll() {
        return holders.size() < SHOWN_MAX && next.size() < SHOWN_MAX;
    }
}

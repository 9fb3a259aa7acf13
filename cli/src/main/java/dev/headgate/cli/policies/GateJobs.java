package dev.headgate.cli.policies;

import dev.headgate.Headgate;
import dev.headgate.cli.display.Table;
import dev.headgate.cli.display.Wording;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobStatus;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/** The jobs that hold a gate, and the head of its line, as rows and as JSON. */
final class GateJobs {
    /** As many of each are shown; {@code headgate jobs} lists them all. */
    private static final int SHOWN_MAX = 5;

    private final String gate;
    private final List<JobStatus> holders;
    private final List<JobStatus> next;

    private GateJobs(String gate, List<JobStatus> holders, List<JobStatus> next) {
        this.gate = gate;
        this.holders = holders;
        this.next = next;
    }

    static GateJobs read(Headgate headgate, String gate) {
        JobFilter few = JobFilter.all().limit(SHOWN_MAX);
        return new GateJobs(
                gate,
                headgate.page(few.holding(gate)).jobs(),
                headgate.page(few.waiting(gate)).jobs());
    }

    void put(JsonWriter json) {
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

    private static Instant started(JobStatus job) {
        return Objects.requireNonNullElse(job.times().startedAt(), job.times().readySince());
    }

    boolean hasHolders() {
        return !holders.isEmpty();
    }

    boolean hasLine() {
        return !next.isEmpty();
    }

    Table holders(Instant now) {
        Table table = new Table(">HOLDER", "TYPE", "WORKER", "SINCE");
        holders.forEach(job -> table.row(
                job.id(),
                job.type(),
                Objects.requireNonNullElse(job.leases().worker(), ""),
                Wording.from(now, started(job))));
        return table;
    }

    Table next(Instant now) {
        Table table = new Table(">NEXT IN LINE", "TYPE", "QUEUE", "WAITS SINCE");
        next.forEach(job -> table.row(
                job.id(), job.type(), job.queue(), Wording.from(now, job.times().readySince())));
        return table;
    }

    /** Where the rest of them is to be found; empty if all are shown. */
    String more() {
        return holders.size() < SHOWN_MAX && next.size() < SHOWN_MAX
                ? ""
                : "all: headgate jobs --gate %s --holding, or --waiting".formatted(gate);
    }
}

package dev.headgate.cli.policies;

import dev.headgate.cli.display.Table;
import dev.headgate.cli.display.Wording;
import dev.headgate.server.api.GateJobs;
import java.time.Instant;
import java.util.Objects;

/** The jobs that hold a gate, and the head of its line, as rows. */
final class GateJobRows {
    private GateJobRows() {}

    static Table holders(GateJobs jobs, Instant now) {
        Table table = new Table(">HOLDER", "TYPE", "WORKER", "SINCE");
        jobs.holders()
                .forEach(job -> table.row(
                        job.id(),
                        job.type(),
                        Objects.requireNonNullElse(job.leases().worker(), ""),
                        Wording.from(now, GateJobs.started(job))));
        return table;
    }

    static Table next(GateJobs jobs, Instant now) {
        Table table = new Table(">NEXT IN LINE", "TYPE", "QUEUE", "WAITS SINCE");
        jobs.next()
                .forEach(job -> table.row(
                        job.id(),
                        job.type(),
                        job.queue(),
                        Wording.from(now, job.times().readySince())));
        return table;
    }

    /** Where the rest of them is to be found; empty if all are shown. */
    static String more(GateJobs jobs) {
        return jobs.isAll() ? "" : "all: headgate jobs --gate %s --holding, or --waiting".formatted(jobs.gate());
    }
}

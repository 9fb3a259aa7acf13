package dev.headgate.cli;

import dev.headgate.cli.text.Json;
import dev.headgate.cli.text.Spoken;
import dev.headgate.cli.text.Table;
import dev.headgate.transition.Overview;
import java.util.List;

/** Workers as rows and as JSON. */
final class WorkerShape {
    private WorkerShape() {}

    static List<Json> json(Overview overview) {
        return overview.workers().stream()
                .map(worker -> Json.object()
                        .put("id", worker.id())
                        .put("name", worker.name())
                        .put("queues", worker.queues())
                        .put("slots", worker.slots())
                        .put("busy", worker.busy())
                        .put("startedAt", worker.startedAt())
                        .put("leaseUntil", worker.leaseUntil()))
                .toList();
    }

    static Table table(Overview overview) {
        Table table = new Table("WORKER", "NAME", ">BUSY", "STARTED", "LEASE", "QUEUES");
        overview.workers()
                .forEach(worker -> table.row(
                        worker.id(),
                        worker.name(),
                        "%d of %d".formatted(worker.busy(), worker.slots()),
                        Spoken.from(overview.at(), worker.startedAt()),
                        worker.leaseUntil().isAfter(overview.at())
                                ? "ends " + Spoken.from(overview.at(), worker.leaseUntil())
                                : "ended " + Spoken.from(overview.at(), worker.leaseUntil()),
                        String.join(", ", worker.queues())));
        return table;
    }
}

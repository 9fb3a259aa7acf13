package dev.headgate.cli.workers;

import dev.headgate.cli.display.Table;
import dev.headgate.cli.display.Wording;
import dev.headgate.internal.time.Micros;
import dev.headgate.resource.Capacity;
import dev.headgate.resource.Needs;
import dev.headgate.status.Overview;
import java.util.StringJoiner;

/** Workers as rows. */
public final class WorkerRows {
    private WorkerRows() {}

    public static Table table(Overview overview) {
        Table table = new Table("WORKER", "NAME", ">BUSY", "STARTED", "LEASE", "FREE", "QUEUES");
        overview.workers()
                .forEach(worker -> table.row(
                        worker.id(),
                        worker.name(),
                        "%d of %d".formatted(worker.busy(), worker.slots()),
                        Wording.from(overview.at(), worker.startedAt()),
                        worker.leaseUntil().isAfter(overview.at())
                                ? "ends " + Wording.from(overview.at(), worker.leaseUntil())
                                : "ended " + Wording.from(overview.at(), worker.leaseUntil()),
                        free(worker.room()),
                        String.join(", ", worker.queues())));
        return table;
    }

    private static String free(Capacity room) {
        StringJoiner text = new StringJoiner(", ");
        room.levels().forEach((name, level) -> {
            if (name.equals(Capacity.TIME)) {
                text.add("ends in " + Wording.span(Micros.duration(level.free())));
            } else if (!name.equals(Needs.CPU) || level.free() < level.whole()) {
                text.add("%s %s of %s"
                        .formatted(name, Needs.spoken(name, level.free()), Needs.spoken(name, level.whole())));
            }
        });
        return text.length() == 0 ? "-" : text.toString();
    }
}

package dev.headgate.cli.policies;

import dev.headgate.cli.display.Table;
import dev.headgate.cli.display.Wording;
import dev.headgate.job.JobState;
import dev.headgate.server.api.QueueFigures;
import dev.headgate.status.Totals.Oldest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Queues with their jobs by state and the workers that serve them, as rows. */
public final class QueueRows {
    private QueueRows() {}

    public static Table table(QueueFigures queues) {
        List<String> headings = new ArrayList<>(List.of("QUEUE"));
        for (JobState state : JobState.values()) {
            headings.add(">" + state.name());
        }
        headings.add(">WORKERS");
        headings.add(">OLDEST");
        Table table = new Table(headings.toArray(String[]::new));
        for (String queue : queues.names()) {
            List<Object> cells = new ArrayList<>(List.of(queue));
            for (JobState state : JobState.values()) {
                cells.add(queues.jobs(queue, state) + (queues.isRough(queue, state) ? "+" : ""));
            }
            cells.add(queues.workers(queue));
            cells.add(age(queues, queue));
            table.row(cells.toArray());
        }
        return table;
    }

    /** For how long the job that has waited longest has waited. */
    public static String age(QueueFigures queues, String queue) {
        Oldest first = queues.oldest(queue);
        return first == null
                ? "-"
                : Wording.span(Duration.between(first.since(), queues.at())) + (first.isAtLeast() ? "+" : "");
    }
}

package dev.headgate.cli.workers;

import dev.headgate.status.QueueBacklog;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** Backlogs in the text format of Prometheus: one gauge, with the queue and what its jobs wait for as labels. */
public final class PrometheusText {
    private static final String JOBS = "headgate_backlog_jobs";
    private static final String MORE = "headgate_backlog_is_more";

    private PrometheusText() {}

    public static List<String> of(List<QueueBacklog> backlogs) {
        Map<String, ToLongFunction<QueueBacklog>> states = new LinkedHashMap<>();
        states.put("admissible", QueueBacklog::admissible);
        states.put("blocked", QueueBacklog::blocked);
        states.put("unjudged", QueueBacklog::unjudged);
        states.put("paused", QueueBacklog::paused);
        states.put("scheduled", QueueBacklog::scheduled);
        states.put("awaiting", QueueBacklog::awaiting);
        states.put("parked", QueueBacklog::parked);
        states.put("running", QueueBacklog::running);
        List<String> lines = new ArrayList<>();
        lines.add("# HELP %s Live jobs by queue and by what they wait for; admissible ones only for a free slot."
                .formatted(JOBS));
        lines.add("# TYPE %s gauge".formatted(JOBS));
        for (QueueBacklog backlog : backlogs) {
            states.forEach((state, jobs) -> lines.add("%s{queue=\"%s\",state=\"%s\"} %d"
                    .formatted(JOBS, escaped(backlog.queue()), state, jobs.applyAsLong(backlog))));
        }
        lines.add("# HELP %s Whether admissible jobs were counted only so far, and there may be more.".formatted(MORE));
        lines.add("# TYPE %s gauge".formatted(MORE));
        for (QueueBacklog backlog : backlogs) {
            lines.add("%s{queue=\"%s\"} %d".formatted(MORE, escaped(backlog.queue()), backlog.isMore() ? 1 : 0));
        }
        return lines;
    }

    private static String escaped(String label) {
        return label.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
}

package dev.headgate.server.api;

import dev.headgate.internal.json.JsonWriter;
import dev.headgate.internal.json.PairsText;
import dev.headgate.job.JobSpec;
import dev.headgate.schedule.ScheduleStatus;
import dev.headgate.schedule.ScheduleTerms;
import dev.headgate.schedule.ScheduledRun;

/** Schedules as JSON, for the HTTP API and the command line. */
public final class ScheduleJson {
    private ScheduleJson() {}

    /** Without the payload: a list is looked at for other reasons, and by more people. */
    public static JsonWriter listed(ScheduleStatus schedule) {
        ScheduleTerms terms = schedule.terms();
        JobSpec job = terms.job();
        return JsonWriter.object()
                .put("name", schedule.name())
                .put("timing", terms.timing())
                .put("missed", terms.missed())
                .put("overlap", terms.overlap())
                .put("paused", schedule.isPaused())
                .put("nextAt", schedule.nextAt())
                .put("lastAt", schedule.lastAt())
                .put("note", schedule.note())
                .put("createdAt", schedule.createdAt())
                .put("type", job.type())
                .put("queue", job.lane().queue())
                .put("gates", job.lane().gates())
                .put("cost", job.cost().text())
                .put("priority", job.order().priority())
                .put("attemptsMax", job.tries().attemptsMax())
                .put("labels", job.attributes().labels())
                .putRaw("headers", PairsText.shown(job.attributes().headers()))
                .put("delayMs", terms.delay());
    }

    /** One run. */
    public static JsonWriter run(ScheduledRun run) {
        return JsonWriter.object()
                .put("at", run.at())
                .put("firedAt", run.firedAt())
                .put("job", run.job().value())
                .put("state", run.state());
    }
}

package dev.headgate.cli.schedule;

import dev.headgate.Headgate;
import dev.headgate.cli.Complaint;
import dev.headgate.cli.Exit;
import dev.headgate.cli.Shell;
import dev.headgate.cli.text.Json;
import dev.headgate.cli.text.Near;
import dev.headgate.cli.text.Spoken;
import dev.headgate.cli.text.Table;
import dev.headgate.internal.schedule.ScheduleStore.Put;
import dev.headgate.job.JobSpec;
import dev.headgate.schedule.ScheduleStatus;
import dev.headgate.schedule.ScheduleTerms;
import java.time.Instant;
import java.util.List;

/** Schedules as rows and as JSON. */
final class ScheduleShape {
    private ScheduleShape() {}

    /** The schedule of this name, or a complaint with names that come near. */
    static ScheduleStatus require(Headgate headgate, String name) {
        return headgate.schedules().find(name).orElseThrow(() -> {
            List<String> names = headgate.schedules().list().stream()
                    .map(ScheduleStatus::name)
                    .toList();
            return Complaint.bad("schedule '%s': no such schedule%s".formatted(name, Near.hint(name, names)));
        });
    }

    static int list(Shell shell) {
        try (Headgate headgate = shell.open()) {
            List<ScheduleStatus> all = headgate.schedules().list();
            if (shell.isJson()) {
                shell.say(Json.object()
                        .put(
                                "schedules",
                                all.stream().map(ScheduleShape::listed).toList()));
            } else if (all.isEmpty()) {
                shell.say("no schedules");
            } else {
                shell.say(table(all, headgate.overview().at()));
            }
        }
        return Exit.OK;
    }

    private static Table table(List<ScheduleStatus> all, Instant now) {
        Table table = new Table("NAME", "TIMING", "TYPE", "QUEUE", "NEXT", "LAST", "NOTE");
        for (ScheduleStatus each : all) {
            Instant next = each.nextAt();
            Instant last = each.lastAt();
            String note = each.note();
            table.row(
                    each.name(),
                    each.terms().timing(),
                    each.terms().job().type(),
                    each.terms().job().lane().queue(),
                    next == null ? next(each) : Spoken.from(now, next),
                    last == null ? "-" : Spoken.from(now, last),
                    note == null ? "-" : note);
        }
        return table;
    }

    /** Why there is no next run. */
    static String next(ScheduleStatus schedule) {
        return schedule.isPaused() ? "paused" : "done";
    }

    static Json json(ScheduleStatus schedule) {
        return listed(schedule).putJson("payload", schedule.terms().job().payload());
    }

    /** Without the payload: a list is looked at for other reasons, and by more people. */
    private static Json listed(ScheduleStatus schedule) {
        ScheduleTerms terms = schedule.terms();
        JobSpec job = terms.job();
        return Json.object()
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
                .put("priority", job.priority())
                .put("attemptsMax", job.attemptsMax())
                .put("delayMs", terms.delay());
    }

    /** What came of an add or edit. */
    static void tell(Shell shell, Headgate headgate, String name, Put put) {
        ScheduleStatus status = require(headgate, name);
        if (shell.isJson()) {
            shell.say(json(status).put("answer", put));
            return;
        }
        Instant next = status.nextAt();
        String when = next == null ? next(status) : "next run " + next;
        shell.say("schedule '%s': %s; %s".formatted(name, Spoken.word(put), when));
    }
}

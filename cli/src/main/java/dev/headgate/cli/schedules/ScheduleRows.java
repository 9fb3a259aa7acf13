package dev.headgate.cli.schedules;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.CommandException;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.display.Table;
import dev.headgate.cli.display.Wording;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.internal.json.PairsText;
import dev.headgate.internal.text.NearestName;
import dev.headgate.schedule.Schedule.PutResult;
import dev.headgate.schedule.ScheduleStatus;
import dev.headgate.server.api.ScheduleJson;
import java.time.Instant;
import java.util.List;

/** Schedules as rows and as JSON. */
final class ScheduleRows {
    private ScheduleRows() {}

    /** The schedule of this name, or a complaint with names that come near. */
    static ScheduleStatus require(Headgate headgate, String name) {
        return headgate.schedules().find(name).orElseThrow(() -> {
            List<String> names = headgate.schedules().list().stream()
                    .map(ScheduleStatus::name)
                    .toList();
            return CommandException.bad(
                    "schedule '%s': no such schedule%s".formatted(name, NearestName.hint(name, names)));
        });
    }

    static int list(CommandContext shell) {
        try (Headgate headgate = shell.open()) {
            List<ScheduleStatus> all = headgate.schedules().list();
            if (shell.isJson()) {
                shell.say(JsonWriter.object()
                        .put("schedules", all.stream().map(ScheduleJson::listed).toList()));
            } else if (all.isEmpty()) {
                shell.say("no schedules");
            } else {
                shell.say(table(all, headgate.overview().at()));
            }
        }
        return ExitCode.OK;
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
                    next == null ? next(each) : Wording.from(now, next),
                    last == null ? "-" : Wording.from(now, last),
                    note == null ? "-" : note);
        }
        return table;
    }

    /** Why there is no next run. */
    static String next(ScheduleStatus schedule) {
        return schedule.isPaused() ? "paused" : "done";
    }

    static JsonWriter json(ScheduleStatus schedule) {
        return ScheduleJson.listed(schedule)
                .putJson(
                        "headers",
                        PairsText.json(schedule.terms().job().attributes().headers()))
                .putJson("payload", schedule.terms().job().payload());
    }

    /** What came of an add or edit. */
    static void tell(CommandContext shell, Headgate headgate, String name, PutResult put) {
        ScheduleStatus status = require(headgate, name);
        if (shell.isJson()) {
            shell.say(json(status).put("answer", put));
            return;
        }
        Instant next = status.nextAt();
        String when = next == null ? next(status) : "next run " + next;
        shell.say("schedule '%s': %s; %s".formatted(name, Wording.word(put), when));
    }
}

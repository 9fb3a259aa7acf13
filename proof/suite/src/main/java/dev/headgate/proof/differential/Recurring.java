package dev.headgate.proof.differential;

import dev.headgate.internal.schedule.ScheduleStore;
import dev.headgate.internal.schedule.ScheduleStore.Fired;
import dev.headgate.proof.Rig;
import dev.headgate.schedule.ScheduleStatus;
import dev.headgate.schedule.ScheduledRun;
import java.util.ArrayList;
import java.util.List;

/** The schedules of a world. */
final class Recurring {
    private static final int RUNS_MAX = 1_000;

    private final Rig rig;
    private final Numbers numbers;

    Recurring(Rig rig, Numbers numbers) {
        this.rig = rig;
        this.numbers = numbers;
    }

    String change(String name, Command.Switch how) {
        ScheduleStore schedules = rig.schedules();
        return how + " "
                + switch (how) {
                    case PAUSE -> schedules.pause(name);
                    case RESUME -> schedules.resume(name);
                    case REMOVE -> schedules.remove(name);
                };
    }

    String fire() {
        Fired fired = rig.schedules().fire();
        return "%s %s".formatted(fired, lines());
    }

    /** All there is to know of them, with jobs by their numbers. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (ScheduleStatus each : rig.schedules().list()) {
            lines.add("schedule " + each);
            for (ScheduledRun run : rig.schedules().runs(each.name(), RUNS_MAX).reversed()) {
                lines.add("run %s %s job #%d %s"
                        .formatted(run.at(), run.firedAt(), numbers.of(run.job().value()), run.state()));
            }
        }
        return lines;
    }
}

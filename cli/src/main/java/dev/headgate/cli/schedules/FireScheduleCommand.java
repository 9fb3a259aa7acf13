package dev.headgate.cli.schedules;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.CommandException;
import dev.headgate.cli.ExitCode;
import dev.headgate.schedule.ScheduledRun;
import dev.headgate.server.api.ScheduleJson;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Starts a run now. */
@Command(
        name = "fire",
        description = "Start a run now, whatever its timing says, also while it is paused; when it is due next stays.")
final class FireScheduleCommand implements Callable<Integer> {
    private final CommandContext shell;

    @Parameters(paramLabel = "NAME", description = "the schedule")
    private String name = "";

    FireScheduleCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        try (Headgate headgate = shell.openToChange()) {
            ScheduleRows.require(headgate, name);
            ScheduledRun run = headgate.schedules()
                    .fireNow(name)
                    .orElseThrow(() -> CommandException.bad(
                            "schedule '%s': nothing was started, because an earlier run has not ended"
                                    .formatted(name)));
            if (shell.isJson()) {
                shell.say(ScheduleJson.run(run));
            } else {
                shell.say("schedule '%s': enqueued job %s".formatted(name, run.job()));
            }
        }
        return ExitCode.OK;
    }
}

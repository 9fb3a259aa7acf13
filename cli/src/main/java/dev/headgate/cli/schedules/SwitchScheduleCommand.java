package dev.headgate.cli.schedules;

import dev.headgate.Headgate;
import dev.headgate.Schedules;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.ExitCode;
import dev.headgate.internal.json.JsonWriter;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Pauses, resumes or removes a schedule. */
@Command(
        description = "Pause, resume or remove a schedule. Jobs that it has enqueued stay; what falls into a pause is"
                + " left out.")
final class SwitchScheduleCommand implements Callable<Integer> {
    private final CommandContext shell;
    private final String done;
    private final BiConsumer<Schedules, String> change;

    @Parameters(paramLabel = "NAME", description = "the schedule")
    private String name = "";

    SwitchScheduleCommand(CommandContext shell, String done, BiConsumer<Schedules, String> change) {
        this.shell = shell;
        this.done = done;
        this.change = change;
    }

    @Override
    public Integer call() {
        try (Headgate headgate = shell.openToChange()) {
            ScheduleRows.require(headgate, name);
            change.accept(headgate.schedules(), name);
            if (shell.isJson()) {
                shell.say(JsonWriter.object().put("name", name).put("answer", done));
            } else {
                shell.say("schedule '%s': %s".formatted(name, done));
            }
        }
        return ExitCode.OK;
    }
}

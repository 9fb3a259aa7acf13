package dev.headgate.cli.policies;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.CommandException;
import dev.headgate.cli.ExitCode;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.limit.Pause;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Ends a pause. */
@Command(name = "resume", description = "Let a paused queue, gate or job type start again.")
public final class ResumeCommand implements Callable<Integer> {
    private final CommandContext shell;

    @Parameters(index = "0", paramLabel = "KIND", description = "queue, gate or type")
    private Pause.@Nullable Kind kind;

    @Parameters(index = "1", paramLabel = "NAME", description = "its name or pattern, as it was paused")
    private String name = "";

    public ResumeCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        Pause pause = new Pause(java.util.Objects.requireNonNull(kind), name);
        try (Headgate headgate = shell.openToChange()) {
            if (!headgate.controls().resume(pause)) {
                throw CommandException.bad("%s: is not paused; 'headgate pause' lists what is".formatted(pause));
            }
            shell.say(
                    shell.isJson()
                            ? JsonWriter.object()
                                    .put("kind", pause.kind().text())
                                    .put("name", name)
                                    .put("paused", false)
                                    .toString()
                            : "%s: resumed".formatted(pause));
        }
        return ExitCode.OK;
    }
}

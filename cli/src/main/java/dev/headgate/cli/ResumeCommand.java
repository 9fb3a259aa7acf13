package dev.headgate.cli;

import dev.headgate.Headgate;
import dev.headgate.cli.text.Json;
import dev.headgate.limit.Pause;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Ends a pause. */
@Command(name = "resume", description = "Let a paused queue, gate or job type start again.")
final class ResumeCommand implements Callable<Integer> {
    private final Shell shell;

    @Parameters(index = "0", paramLabel = "KIND", description = "queue, gate or type")
    private Pause.@Nullable Kind kind;

    @Parameters(index = "1", paramLabel = "NAME", description = "its name or pattern, as it was paused")
    private String name = "";

    ResumeCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        Pause pause = new Pause(java.util.Objects.requireNonNull(kind), name);
        try (Headgate headgate = shell.openToChange()) {
            if (!headgate.controls().resume(pause)) {
                throw Complaint.bad("%s: is not paused; 'headgate pause' lists what is".formatted(pause));
            }
            shell.say(
                    shell.isJson()
                            ? Json.object()
                                    .put("kind", pause.kind().text())
                                    .put("name", name)
                                    .put("paused", false)
                                    .toString()
                            : "%s: resumed".formatted(pause));
        }
        return Exit.OK;
    }
}

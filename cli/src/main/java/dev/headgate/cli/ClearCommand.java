package dev.headgate.cli;

import dev.headgate.Headgate;
import dev.headgate.cli.text.Json;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Opens a gate as if it were new. */
@Command(
        name = "clear",
        description = "End its hold and back-off, and forget what was spent. What is in use stays in use.")
final class ClearCommand implements Callable<Integer> {
    private final Shell shell;

    @Parameters(paramLabel = "NAME", description = "the gate")
    private String name = "";

    ClearCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        try (Headgate headgate = shell.openToChange()) {
            headgate.controls().clear(name);
            shell.say(
                    shell.isJson()
                            ? Json.object()
                                    .put("name", name)
                                    .put("cleared", true)
                                    .toString()
                            : "gate %s: cleared".formatted(name));
        }
        return Exit.OK;
    }
}

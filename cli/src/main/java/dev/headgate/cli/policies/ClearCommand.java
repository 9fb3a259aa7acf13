package dev.headgate.cli.policies;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.CommandException;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.display.JsonWriter;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GateKey.Scope;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Opens a gate or queue as if it were new. */
@Command(
        name = "clear",
        description =
                "End its hold and back-off, and forget what was spent: more may start than its limits allow. 'release' only ends a hold.")
public final class ClearCommand implements Callable<Integer> {
    private final CommandContext shell;
    private final Scope scope;

    @Parameters(paramLabel = "NAME", description = "its name")
    private String name = "";

    public ClearCommand(CommandContext shell, Scope scope) {
        this.shell = shell;
        this.scope = scope;
    }

    @Override
    public Integer call() {
        try (Headgate headgate = shell.openToChange()) {
            GateKey key = new GateKey(scope, name);
            boolean isCleared = headgate.controls().clear(key);
            if (!isCleared) {
                KnownNames.remark(headgate, key).ifPresent(unknown -> {
                    throw CommandException.bad(unknown);
                });
            }
            if (shell.isJson()) {
                shell.say(JsonWriter.object().put("name", name).put("cleared", isCleared));
            } else {
                shell.say(key + (isCleared ? ": cleared" : ": nothing to forget, nothing was spent yet"));
            }
        }
        return ExitCode.OK;
    }
}

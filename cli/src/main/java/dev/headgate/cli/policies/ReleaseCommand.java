package dev.headgate.cli.policies;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.display.JsonWriter;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GateKey.Scope;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Ends a hold of a gate or queue. */
@Command(
        name = "release",
        description = "End its hold and back-off. What was spent stays spent, so its limits are kept.")
public final class ReleaseCommand implements Callable<Integer> {
    private final CommandContext shell;
    private final Scope scope;

    @Parameters(paramLabel = "NAME", description = "its name")
    private String name = "";

    public ReleaseCommand(CommandContext shell, Scope scope) {
        this.shell = shell;
        this.scope = scope;
    }

    @Override
    public Integer call() {
        try (Headgate headgate = shell.openToChange()) {
            GateKey key = new GateKey(scope, name);
            boolean wasHeld = headgate.controls().release(key);
            if (!wasHeld) {
                KnownNames.remark(headgate, key).ifPresent(shell::note);
            }
            if (shell.isJson()) {
                shell.say(JsonWriter.object().put("name", name).put("released", wasHeld));
            } else {
                shell.say(key + (wasHeld ? ": released" : ": was not held"));
            }
        }
        return ExitCode.OK;
    }
}

package dev.headgate.cli;

import dev.headgate.Headgate;
import dev.headgate.cli.text.Json;
import dev.headgate.limit.GateKey.Scope;
import dev.headgate.limit.GateKey;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Ends a hold of a gate or queue. */
@Command(
        name = "release",
        description = "End its hold and back-off. What was spent stays spent, so its limits are kept.")
final class ReleaseCommand implements Callable<Integer> {
    private final Shell shell;
    private final Scope scope;

    @Parameters(paramLabel = "NAME", description = "its name")
    private String name = "";

    ReleaseCommand(Shell shell, Scope scope) {
        this.shell = shell;
        this.scope = scope;
    }

    @Override
    public Integer call() {
        try (Headgate headgate = shell.openToChange()) {
            GateKey key = new GateKey(scope, name);
            boolean wasHeld = headgate.controls().release(key);
            if (!wasHeld) {
                Known.remark(headgate, key).ifPresent(shell::note);
            }
            if (shell.isJson()) {
                shell.say(Json.object().put("name", name).put("released", wasHeld));
            } else {
                shell.say(key + (wasHeld ? ": released" : ": was not held"));
            }
        }
        return Exit.OK;
    }
}

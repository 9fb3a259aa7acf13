package dev.headgate.cli;

import dev.headgate.Headgate;
import dev.headgate.cli.text.Json;
import dev.headgate.limit.GateKey.Scope;
import dev.headgate.limit.GateKey;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Opens a gate or queue as if it were new. */
@Command(
        name = "clear",
        description =
                "End its hold and back-off, and forget what was spent: more may start than its limits allow. 'release' only ends a hold.")
final class ClearCommand implements Callable<Integer> {
    private final Shell shell;
    private final Scope scope;

    @Parameters(paramLabel = "NAME", description = "its name")
    private String name = "";

    ClearCommand(Shell shell, Scope scope) {
        this.shell = shell;
        this.scope = scope;
    }

    @Override
    public Integer call() {
        try (Headgate headgate = shell.openToChange()) {
            GateKey key = new GateKey(scope, name);
            boolean isCleared = headgate.controls().clear(key);
            if (!isCleared) {
                Known.remark(headgate, key).ifPresent(unknown -> {
                    throw Complaint.bad(unknown);
                });
            }
            if (shell.isJson()) {
                shell.say(Json.object().put("name", name).put("cleared", isCleared));
            } else {
                shell.say(key + (isCleared ? ": cleared" : ": nothing to forget, nothing was spent yet"));
            }
        }
        return Exit.OK;
    }
}

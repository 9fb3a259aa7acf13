package dev.headgate.cli.policies;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.CommandException;
import dev.headgate.cli.ExitCode;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GateKey.Scope;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Ends a hold of a gate or queue ({@code release}), or also forgets what was used ({@code clear}). */
@Command
public final class ReopenCommand implements Callable<Integer> {
    private final CommandContext shell;
    private final Scope scope;
    private final boolean isClear;

    @Parameters(paramLabel = "NAME", description = "its name")
    private String name = "";

    private ReopenCommand(CommandContext shell, Scope scope, boolean isClear) {
        this.shell = shell;
        this.scope = scope;
        this.isClear = isClear;
    }

    public static CommandLine release(CommandContext shell, Scope scope) {
        return commandLine(
                new ReopenCommand(shell, scope, false),
                "release",
                "End its hold and back-off. What was spent stays spent, so its limits are kept.");
    }

    public static CommandLine clear(CommandContext shell, Scope scope) {
        return commandLine(
                new ReopenCommand(shell, scope, true),
                "clear",
                "End its hold and back-off, and forget what was spent: more may start than its limits allow. 'release' only ends a hold.");
    }

    private static CommandLine commandLine(ReopenCommand command, String name, String description) {
        CommandLine line = new CommandLine(command).setCommandName(name);
        line.getCommandSpec().usageMessage().description(description);
        return line;
    }

    @Override
    public Integer call() {
        try (Headgate headgate = shell.openToChange()) {
            GateKey key = new GateKey(scope, name);
            boolean isDone = isClear
                    ? headgate.controls().clear(key)
                    : headgate.controls().release(key);
            if (!isDone) {
                NameChecks.remark(headgate, key, isClear ? "clear" : "release").ifPresent(this::unknown);
            }
            String done = isClear ? "cleared" : "released";
            String nothing = isClear ? "nothing to forget, nothing was spent yet" : "was not held";
            if (shell.isJson()) {
                shell.say(JsonWriter.object().put("name", name).put(done, isDone));
            } else {
                shell.say("%s: %s".formatted(key, isDone ? done : nothing));
            }
        }
        return ExitCode.OK;
    }

    private void unknown(String remark) {
        if (isClear) {
            throw CommandException.bad(remark);
        }
        shell.note(remark);
    }
}

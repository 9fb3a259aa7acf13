package dev.headgate.cli.policies;

import dev.headgate.cli.CommandContext;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GateKey.Scope;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Lifts the limits of a gate or queue. */
@Command(name = "remove", description = "Remove its own limits; a pattern that covers it applies again, else nothing.")
public final class RemovePolicyCommand implements Callable<Integer> {
    private final CommandContext shell;
    private final Scope scope;

    @Parameters(paramLabel = "NAME", description = "its name, or a pattern such as 'tenant:*'")
    private String name = "";

    @Mixin
    private RemoveOptions choices = new RemoveOptions();

    public RemovePolicyCommand(CommandContext shell, Scope scope) {
        this.shell = shell;
        this.scope = scope;
    }

    @Override
    public Integer call() {
        return choices.remove(shell, new GateKey(scope, name));
    }
}

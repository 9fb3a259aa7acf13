package dev.headgate.cli.policies;

import dev.headgate.cli.CommandContext;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GateKey.Scope;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Removes one policy, or only its override. */
@Command(
        name = "remove",
        description =
                "Remove what is stored for a gate, queue or job type; a pattern that covers it applies again, else nothing.")
final class RemovePoliciesCommand implements Callable<Integer> {
    private final CommandContext shell;

    @Parameters(
            index = "0",
            paramLabel = "gate|queue|type",
            completionCandidates = PolicyCommand.Kinds.class,
            description = "whose limits; of a job type, which gates it requires and its defaults")
    private String kind = "";

    @Parameters(index = "1", paramLabel = "NAME", description = "its name, or a pattern such as 'tenant:*'")
    private String name = "";

    @Mixin
    private RemoveOptions choices = new RemoveOptions();

    RemovePoliciesCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        return choices.remove(shell, new GateKey(Scope.parse(kind), name));
    }
}

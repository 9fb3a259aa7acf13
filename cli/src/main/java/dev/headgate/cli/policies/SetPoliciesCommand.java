package dev.headgate.cli.policies;

import dev.headgate.cli.CommandContext;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GateKey.Scope;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Stores one policy. */
@Command(
        name = "set",
        description =
                "Store the limits of a gate or queue, or what a job type requires and defaults to, instead of what is stored, or for a time with --until.",
        footer = {
            "",
            "Examples:",
            "  headgate policy set gate openai \"concurrency 8\"",
            "  headgate policy set type ask \"requires provider, tenant:*\"",
            "  headgate policy set type ask \"defaults queue=llm gate=provider cost=5 timeout=20s\"",
            "Of a job type, what is required and the defaults are set apart: one leaves the other as it is.",
            "'headgate help queue-policies' tells how limits are written."
        })
final class SetPoliciesCommand implements Callable<Integer> {
    private final CommandContext shell;

    @Parameters(
            index = "0",
            paramLabel = "gate|queue|type",
            completionCandidates = PolicyCommand.Kinds.class,
            description = "whose limits; of a job type, which gates it requires or its defaults")
    private String kind = "";

    @Parameters(index = "1", paramLabel = "NAME", description = "its name, or a pattern such as 'tenant:*'")
    private String name = "";

    @Parameters(index = "2..*", arity = "1..*", paramLabel = "LIMIT", description = "one or more, each in quotes")
    private List<String> limits = List.of();

    @Mixin
    private LimitOptions choices = new LimitOptions();

    SetPoliciesCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        return choices.set(shell, new GateKey(Scope.parse(kind), name), limits);
    }
}

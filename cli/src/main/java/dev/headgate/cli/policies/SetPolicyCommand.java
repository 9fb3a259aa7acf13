package dev.headgate.cli.policies;

import dev.headgate.cli.CommandContext;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GateKey.Scope;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Stores the limits of a gate or queue. */
@Command(
        name = "set",
        description = "Store its limits, instead of those it has. They hold for every worker at once.",
        footer = {
            "",
            "Limits:",
            "  concurrency 3               at most 3 at once",
            "  budget 100                  at most 100 units of cost at once",
            "  rate 20/1s burst 5          20 starts a second, up to 5 together",
            "  window 50/1m                at most 50 starts in any minute",
            "  window 90000/1m by-cost     90,000 units of cost in any minute, such as tokens",
            "  spaced 10/10s               every two starts at least a second apart",
            "  quota 1000/day Europe/Berlin  at most 1,000 in each calendar day",
            "  adaptive 1..20              as many at once as the other side bears",
            "Also: backlog 1000 reject, back-off 1s x2 max 10m, shadow LIMIT, journal 7d, retention 30d; see 'headgate help queue-policies'.",
            "rate, window, spaced and quota count a start until its margin is over or its handler has ended. What is not said is",
            "margin auto; margin 50ms, margin end (always until the handler has ended) and margin none come after the limit.",
            "",
            "A name that ends in * covers every name with that beginning, each with limits of its own."
        })
public final class SetPolicyCommand implements Callable<Integer> {
    private final CommandContext shell;
    private final Scope scope;

    @Parameters(index = "0", paramLabel = "NAME", description = "its name, or a pattern such as 'tenant:*'")
    private String name = "";

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "LIMIT", description = "one or more, each in quotes")
    private List<String> limits = List.of();

    @Mixin
    private LimitOptions choices = new LimitOptions();

    public SetPolicyCommand(CommandContext shell, Scope scope) {
        this.shell = shell;
        this.scope = scope;
    }

    @Override
    public Integer call() {
        return choices.set(shell, new GateKey(scope, name), limits);
    }
}

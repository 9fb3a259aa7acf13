package dev.headgate.cli;

import dev.headgate.Headgate;
import dev.headgate.admission.GateKey;
import dev.headgate.admission.GateKey.Scope;
import dev.headgate.cli.text.Json;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
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
            "  rate 90000/1m by-cost       90,000 units of cost a minute",
            "",
            "A name that ends in * covers every name with that beginning, each with limits of its own."
        })
final class SetPolicyCommand implements Callable<Integer> {
    private static final Pattern KIND =
            Pattern.compile("[\\s;]+(concurrency|budget|rate)\\s", Pattern.CASE_INSENSITIVE);

    private final Shell shell;
    private final Scope scope;

    @Parameters(index = "0", paramLabel = "NAME", description = "its name, or a pattern such as 'tenant:*'")
    private String name = "";

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "LIMIT", description = "one or more, each in quotes")
    private List<String> limits = List.of();

    SetPolicyCommand(Shell shell, Scope scope) {
        this.shell = shell;
        this.scope = scope;
    }

    /** Whoever leaves the quotes out means the same: a limit begins with its kind. */
    private String text() {
        boolean isQuoted = limits.stream().allMatch(limit -> limit.strip().indexOf(' ') > 0);
        return isQuoted
                ? String.join("; ", limits)
                : KIND.matcher(String.join(" ", limits)).replaceAll("; $1 ");
    }

    @Override
    public Integer call() {
        GateKey key = new GateKey(scope, name);
        String text = text();
        try (Headgate headgate = shell.openOrCreate()) {
            if (scope == Scope.QUEUE) {
                headgate.policies().replacing().queue(name, policy -> policy.limits(text));
            } else {
                headgate.policies().replacing().gate(name, policy -> policy.limits(text));
            }
            var stored = headgate.policies().all().get(key);
            if (shell.isJson()) {
                shell.say(Json.object()
                        .put("kind", scope.text())
                        .put("name", name)
                        .put("limits", GateShape.limits(stored)));
            } else {
                shell.say("%s: %s".formatted(key, GateShape.text(stored)));
            }
        }
        return Exit.OK;
    }
}

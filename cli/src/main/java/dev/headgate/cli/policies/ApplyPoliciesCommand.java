package dev.headgate.cli.policies;

import dev.headgate.Headgate;
import dev.headgate.Policies;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.display.Wording;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.server.policy.PolicyDiff;
import java.io.IOException;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Stores the policies of a file, all of them as one version. */
@Command(
        name = "apply",
        description = "Store the policies of a YAML file: all of them as one version, or none. Prints what changes.",
        footer = {
            "",
            "queues:",
            "  mail: { limits: [concurrency 20, rate 100/1m burst 10] }",
            "gates:",
            "  \"tenant:*\": { limits: [concurrency 3] }"
        })
final class ApplyPoliciesCommand implements Callable<Integer> {
    private final CommandContext shell;

    @Parameters(paramLabel = "FILE", description = "a YAML file; - reads standard input")
    private Path file = Path.of("-");

    @Option(names = "--prune", description = "also remove stored policies that are not in the file")
    private boolean isPruning;

    @Option(names = "--dry-run", description = "only print what would change")
    private boolean isDry;

    @Mixin
    private ChangeAuthor signature = new ChangeAuthor();

    ApplyPoliciesCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() throws IOException {
        SortedMap<GateKey, GatePolicy> wanted = PolicyFiles.read(file.toString(), shell.in());
        try (Headgate headgate =
                isDry ? shell.openOrImagine() : shell.openOrCreate(imagined -> apply(imagined, wanted))) {
            Policies policies = signature.on(headgate);
            PolicyDiff diff = PolicyDiff.of(policies.all(), wanted, isPruning);
            if (!shell.isJson()) {
                diff.lines().forEach(shell::say);
                if (diff.untouched() > 0) {
                    shell.note("%s not in the file; --prune removes them"
                            .formatted(Wording.count(diff.untouched(), "stored policy")
                                    .replace("policys", "policies")));
                }
            }
            boolean hasChanged = !isDry && !policies.change(diff.edits()).isEmpty();
            long version = policies.version();
            if (shell.isJson()) {
                shell.say(JsonWriter.object()
                        .put("changes", diff.json())
                        .put("applied", hasChanged)
                        .put("version", version));
            } else if (diff.isEmpty()) {
                shell.say("nothing to change; version %d".formatted(version));
            } else {
                shell.say(isDry ? "nothing was changed (--dry-run)" : "stored as version %d".formatted(version));
            }
        }
        return ExitCode.OK;
    }

    private void apply(Headgate headgate, SortedMap<GateKey, GatePolicy> wanted) {
        Policies policies = signature.on(headgate);
        policies.change(PolicyDiff.of(policies.all(), wanted, isPruning).edits());
    }
}

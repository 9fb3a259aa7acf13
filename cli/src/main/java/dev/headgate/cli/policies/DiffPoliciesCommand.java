package dev.headgate.cli.policies;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.ExitCode;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.server.policy.PolicyDiff;
import java.io.IOException;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Compares a file with what is stored. */
@Command(name = "diff", description = "Compare a YAML file with what is stored, both ways. Exit code 1 if they differ.")
final class DiffPoliciesCommand implements Callable<Integer> {
    private final CommandContext shell;

    @Parameters(paramLabel = "FILE", description = "a YAML file; - reads standard input")
    private Path file = Path.of("-");

    DiffPoliciesCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() throws IOException {
        SortedMap<GateKey, GatePolicy> wanted = PolicyFiles.read(file.toString(), shell.in());
        try (Headgate headgate = shell.open()) {
            PolicyDiff diff = PolicyDiff.of(headgate.policies().all(), wanted, true);
            if (shell.isJson()) {
                shell.say(JsonWriter.object()
                        .put("changes", diff.json())
                        .put("version", headgate.policies().version()));
            } else if (diff.isEmpty()) {
                shell.say("the file and the store agree");
            } else {
                diff.lines().forEach(shell::say);
            }
            return diff.isEmpty() ? ExitCode.OK : ExitCode.BAD;
        }
    }
}

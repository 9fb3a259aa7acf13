package dev.headgate.cli.policies;

import dev.headgate.Headgate;
import dev.headgate.Policies;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.ExitCode;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.server.policy.PolicyYaml;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Prints what is stored as a file. */
@Command(
        name = "export",
        description = "Print stored policies as YAML that 'policy apply' takes. Overrides are remarks: they pass.")
final class ExportPoliciesCommand implements Callable<Integer> {
    private final CommandContext shell;

    ExportPoliciesCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        try (Headgate headgate = shell.open()) {
            Policies policies = headgate.policies();
            String yaml = PolicyYaml.write(policies.version(), policies.entries());
            if (shell.isJson()) {
                shell.say(JsonWriter.object().put("version", policies.version()).put("yaml", yaml));
            } else {
                shell.out().print(yaml);
                shell.out().flush();
            }
        }
        return ExitCode.OK;
    }
}

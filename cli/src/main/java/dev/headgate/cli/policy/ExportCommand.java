package dev.headgate.cli.policy;

import dev.headgate.Headgate;
import dev.headgate.Policies;
import dev.headgate.cli.Exit;
import dev.headgate.cli.Shell;
import dev.headgate.cli.text.Json;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Prints what is stored as a file. */
@Command(
        name = "export",
        description = "Print stored policies as YAML that 'policy apply' takes. Overrides are remarks: they pass.")
final class ExportCommand implements Callable<Integer> {
    private final Shell shell;

    ExportCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        try (Headgate headgate = shell.open()) {
            Policies policies = headgate.policies();
            String yaml = PolicyYaml.write(policies.version(), policies.entries());
            if (shell.isJson()) {
                shell.say(Json.object().put("version", policies.version()).put("yaml", yaml));
            } else {
                shell.out().print(yaml);
                shell.out().flush();
            }
        }
        return Exit.OK;
    }
}

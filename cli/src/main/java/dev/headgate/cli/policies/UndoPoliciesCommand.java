package dev.headgate.cli.policies;

import dev.headgate.Headgate;
import dev.headgate.Policies;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.ExitCode;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.policy.PolicyChange;
import dev.headgate.server.api.PolicyJson;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Restores an older version as a new one. */
@Command(
        name = "undo",
        description = "Take the latest change back, or restore an older version; either makes a new version.")
final class UndoPoliciesCommand implements Callable<Integer> {
    private final CommandContext shell;

    @Option(names = "--to", paramLabel = "VERSION", description = "restore what was stored then; 0 is nothing")
    private @Nullable Long version;

    @Mixin
    private ChangeAuthor signature = new ChangeAuthor();

    UndoPoliciesCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        try (Headgate headgate = shell.openToChange()) {
            Policies policies = signature.on(headgate);
            List<PolicyChange> changes = version == null ? policies.undo() : policies.undoTo(version);
            long now = policies.version();
            if (shell.isJson()) {
                shell.say(JsonWriter.object()
                        .put("changes", PolicyJson.changes(changes))
                        .put("version", now));
            } else {
                PolicyHistoryCommand.lines(changes).forEach(shell::say);
                shell.say(
                        changes.isEmpty()
                                ? "nothing to change; version %d".formatted(now)
                                : "stored as version %d".formatted(now));
            }
        }
        return ExitCode.OK;
    }
}

package dev.headgate.cli.policies;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.CommandException;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.display.Table;
import dev.headgate.cli.display.Wording;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.policy.PolicyChange;
import dev.headgate.policy.PolicyVersion;
import dev.headgate.server.api.PolicyJson;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists changes with author, time and reason. */
@Command(name = "history", description = "List changes of policies, newest first: who, when, why, from what to what.")
final class PolicyHistoryCommand implements Callable<Integer> {
    private static final int LIMIT_MAX = 10_000;

    private final CommandContext shell;

    @Option(names = "--limit", paramLabel = "N", description = "so many versions at most; default: ${DEFAULT-VALUE}")
    private int limit = 20;

    PolicyHistoryCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        if (limit < 1 || limit > LIMIT_MAX) {
            throw CommandException.usage("--limit: expected 1 to %d, got %d".formatted(LIMIT_MAX, limit));
        }
        try (Headgate headgate = shell.open()) {
            List<PolicyVersion> versions = headgate.policies().history(limit);
            if (shell.isJson()) {
                shell.say(JsonWriter.object()
                        .put(
                                "versions",
                                versions.stream().map(PolicyJson::version).toList()));
            } else if (versions.isEmpty()) {
                shell.say("no policy was ever stored");
            } else {
                Table table = new Table(">VERSION", "AT", "BY", "POLICY OF", "CHANGE", "FROM", "TO", "REASON");
                versions.forEach(version -> version.changes().forEach(change -> row(table, version, change)));
                shell.say(table);
            }
        }
        return ExitCode.OK;
    }

    private static void row(Table table, PolicyVersion version, PolicyChange change) {
        table.row(
                version.version(),
                version.at(),
                version.author(),
                change.key(),
                Wording.word(change.kind()),
                text(change.before().text()),
                text(change.after().text()),
                version.reason());
    }

    private static String text(String limits) {
        return limits.isEmpty() ? "-" : limits;
    }

    /** One line for each change, for commands that have just made it. */
    static List<String> lines(List<PolicyChange> changes) {
        return changes.stream()
                .map(change -> "~ %s: %s -> %s"
                        .formatted(
                                change.key(),
                                text(change.before().text()),
                                text(change.after().text())))
                .toList();
    }
}

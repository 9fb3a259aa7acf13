package dev.headgate.cli.policies;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.display.Table;
import dev.headgate.cli.display.Wording;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.limit.GateKey;
import dev.headgate.policy.PolicyEntry;
import dev.headgate.policy.PolicyOverride;
import dev.headgate.server.api.PolicyJson;
import java.time.Instant;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Lists what is stored; its subcommands change it, as single policies or as a file. */
@Command(
        name = "policy",
        aliases = "policies",
        description = "List stored policies; set, remove or override one; apply, diff or export a file; history, undo.",
        footer = {
            "",
            "Examples:",
            "  headgate policy set gate openai \"concurrency 8\" --because \"new contract\"",
            "  headgate policy set gate openai \"concurrency 1\" --until 2h",
            "  headgate policy set type ask \"requires provider, tenant:*\"",
            "  headgate policy export > limits.yaml",
            "  headgate policy apply limits.yaml --dry-run",
            "  headgate policy undo"
        })
public final class PolicyCommand implements Callable<Integer> {
    private final CommandContext shell;

    /** What can have a policy, for the completion of a shell. */
    static final class Kinds implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(GateKey.Scope.values())
                    .map(GateKey.Scope::text)
                    .sorted()
                    .iterator();
        }
    }

    public PolicyCommand(CommandContext shell) {
        this.shell = shell;
    }

    /** The command with all its subcommands. */
    public static CommandLine commandLine(CommandContext shell) {
        return new CommandLine(new PolicyCommand(shell))
                .addSubcommand(new ListCommand(shell))
                .addSubcommand(new SetPoliciesCommand(shell))
                .addSubcommand(new RemovePoliciesCommand(shell))
                .addSubcommand(new ApplyPoliciesCommand(shell))
                .addSubcommand(new DiffPoliciesCommand(shell))
                .addSubcommand(new ExportPoliciesCommand(shell))
                .addSubcommand(new PolicyHistoryCommand(shell))
                .addSubcommand(new UndoPoliciesCommand(shell));
    }

    @Override
    public Integer call() {
        return list(shell);
    }

    static int list(CommandContext shell) {
        try (Headgate headgate = shell.open()) {
            SortedMap<GateKey, PolicyEntry> entries = headgate.policies().entries();
            Instant now = headgate.overview().at();
            if (shell.isJson()) {
                List<JsonWriter> policies = entries.entrySet().stream()
                        .map(entry -> PolicyJson.of(entry.getKey(), entry.getValue()))
                        .toList();
                shell.say(JsonWriter.object()
                        .put("version", headgate.policies().version())
                        .put("policies", policies));
            } else if (entries.isEmpty()) {
                shell.say("no policies; store one with: headgate policy set gate NAME \"concurrency 3\"");
            } else {
                Table table = new Table("POLICY OF", "LIMITS", "OVERRIDE");
                entries.forEach((key, entry) ->
                        table.row(key, limits(entry.lasting().text()), override(entry.override(), now)));
                shell.say(table);
            }
        }
        return ExitCode.OK;
    }

    static String limits(String text) {
        return text.isEmpty() ? "none" : text;
    }

    static String override(@Nullable PolicyOverride override, Instant now) {
        return override == null
                ? "-"
                : "%s, ends %s".formatted(limits(override.policy().text()), Wording.from(now, override.ends()));
    }

    /** {@code list}, the same as the command without a subcommand. */
    @Command(name = "list", description = "List stored policies, with their overrides.")
    static final class ListCommand implements Callable<Integer> {
        private final CommandContext shell;

        ListCommand(CommandContext shell) {
            this.shell = shell;
        }

        @Override
        public Integer call() {
            return list(shell);
        }
    }
}

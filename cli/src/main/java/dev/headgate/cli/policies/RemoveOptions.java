package dev.headgate.cli.policies;

import dev.headgate.Headgate;
import dev.headgate.Policies;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.CommandException;
import dev.headgate.cli.ExitCode;
import dev.headgate.internal.text.NearestName;
import dev.headgate.limit.GateKey;
import dev.headgate.policy.PolicyEdit;
import dev.headgate.policy.PolicyEntry;
import dev.headgate.server.api.GateJson;
import dev.headgate.server.api.PolicyJson;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What {@code gate remove}, {@code queue remove} and {@code policy remove} share. */
public final class RemoveOptions {
    @Option(names = "--override", description = "only end its override; what is stored to last is back in force")
    private boolean isOverrideOnly;

    @Mixin
    private ChangeAuthor signature = new ChangeAuthor();

    public int remove(CommandContext shell, GateKey key) {
        try (Headgate headgate = shell.openToChange()) {
            Policies policies = signature.on(headgate);
            SortedMap<GateKey, PolicyEntry> entries = policies.entries();
            PolicyEntry stored = entries.getOrDefault(key, PolicyEntry.NOTHING);
            if (isOverrideOnly ? stored.override() == null : stored.isNothing()) {
                throw CommandException.bad("%s '%s': no %s stored under this name%s"
                        .formatted(
                                key.scope().text(),
                                key.name(),
                                isOverrideOnly ? "override is" : "limits are",
                                stored.isNothing() ? NearestName.hint(key.name(), names(key, entries)) : ""));
            }
            policies.change(Map.of(key, isOverrideOnly ? new PolicyEdit.EndOverride() : new PolicyEdit.Remove()));
            tell(shell, key, policies.entries());
        }
        return ExitCode.OK;
    }

    private static void tell(CommandContext shell, GateKey key, SortedMap<GateKey, PolicyEntry> entries) {
        Optional<GateKey> cover = GateJson.cover(key, entries.keySet());
        if (shell.isJson()) {
            shell.say(PolicyJson.left(key, entries));
        } else {
            String left =
                    entries.getOrDefault(key, PolicyEntry.NOTHING).lasting().text();
            boolean isType = key.scope() == GateKey.Scope.TYPE;
            String now = cover.map(
                            name -> (isType ? "now as " : "now limited by ") + (left.isEmpty() ? name.name() : left))
                    .orElse(
                            isType
                                    ? "now without a policy: no gate is required, and no defaults are stored"
                                    : "now without limits");
            shell.say("%s: %s".formatted(key, now));
        }
    }

    private static List<String> names(GateKey key, SortedMap<GateKey, PolicyEntry> entries) {
        return entries.keySet().stream()
                .filter(name -> name.scope() == key.scope())
                .map(GateKey::name)
                .toList();
    }
}

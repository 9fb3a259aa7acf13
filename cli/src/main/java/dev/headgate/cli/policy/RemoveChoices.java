package dev.headgate.cli.policy;

import dev.headgate.Headgate;
import dev.headgate.Policies;
import dev.headgate.cli.Complaint;
import dev.headgate.cli.Exit;
import dev.headgate.cli.Shell;
import dev.headgate.cli.text.Json;
import dev.headgate.cli.text.Near;
import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.limit.GateKey;
import dev.headgate.policy.PolicyEdit;
import dev.headgate.policy.PolicyEntry;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What {@code gate remove}, {@code queue remove} and {@code policy remove} share. */
public final class RemoveChoices {
    @Option(names = "--override", description = "only end its override; what is stored to last is back in force")
    private boolean isOverrideOnly;

    @Mixin
    private Signature signature = new Signature();

    public int remove(Shell shell, GateKey key) {
        try (Headgate headgate = shell.openToChange()) {
            Policies policies = signature.on(headgate);
            SortedMap<GateKey, PolicyEntry> entries = policies.entries();
            PolicyEntry stored = entries.getOrDefault(key, PolicyEntry.NOTHING);
            if (isOverrideOnly ? stored.override() == null : stored.isNothing()) {
                throw Complaint.bad("%s '%s': no %s stored under this name%s"
                        .formatted(
                                key.scope().text(),
                                key.name(),
                                isOverrideOnly ? "override is" : "limits are",
                                stored.isNothing() ? Near.hint(key.name(), names(key, entries)) : ""));
            }
            policies.change(Map.of(key, isOverrideOnly ? new PolicyEdit.EndOverride() : new PolicyEdit.Remove()));
            tell(shell, key, policies.entries());
        }
        return Exit.OK;
    }

    private static void tell(Shell shell, GateKey key, SortedMap<GateKey, PolicyEntry> entries) {
        Optional<GateKey> cover = entries.keySet().stream()
                .filter(name -> PolicyBook.covers(name, key))
                .max(Comparator.comparing((GateKey name) -> name.equals(key))
                        .thenComparingInt(name -> name.name().length()));
        if (shell.isJson()) {
            shell.say(Json.object()
                    .put("kind", key.scope().text())
                    .put("name", key.name())
                    .put(
                            "limits",
                            cover.map(name -> PolicyCommand.parts(entries.getOrDefault(name, PolicyEntry.NOTHING)
                                            .lasting()
                                            .text()))
                                    .orElse(List.of()))
                    .put("policy", cover.map(GateKey::name).orElse(null)));
        } else {
            String left =
                    entries.getOrDefault(key, PolicyEntry.NOTHING).lasting().text();
            String now = cover.map(name -> "now limited by " + (left.isEmpty() ? name.name() : left))
                    .orElse("now without limits");
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

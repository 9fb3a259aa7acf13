package dev.headgate.cli;

import dev.headgate.Headgate;
import dev.headgate.admission.GateKey;
import dev.headgate.admission.GateKey.Scope;
import dev.headgate.admission.GatePolicy;
import dev.headgate.cli.text.Json;
import dev.headgate.cli.text.Near;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Lifts the limits of a gate or queue. */
@Command(name = "remove", description = "Remove its own limits; a pattern that covers it applies again, else nothing.")
final class RemovePolicyCommand implements Callable<Integer> {
    private final Shell shell;
    private final Scope scope;

    @Parameters(paramLabel = "NAME", description = "its name, or a pattern such as 'tenant:*'")
    private String name = "";

    RemovePolicyCommand(Shell shell, Scope scope) {
        this.shell = shell;
        this.scope = scope;
    }

    @Override
    public Integer call() {
        GateKey key = new GateKey(scope, name);
        try (Headgate headgate = shell.open()) {
            Map<GateKey, GatePolicy> policies = headgate.policies().all();
            if (!policies.containsKey(key)) {
                throw Complaint.bad("%s '%s': no limits are stored under this name%s"
                        .formatted(scope.text(), name, Near.hint(name, stored(policies))));
            }
            if (scope == Scope.QUEUE) {
                headgate.policies().removeQueue(name);
            } else {
                headgate.policies().removeGate(name);
            }
            Optional<GateKey> cover =
                    GateShape.cover(key, headgate.policies().all().keySet());
            if (shell.isJson()) {
                shell.say(Json.object()
                        .put("kind", scope.text())
                        .put("name", name)
                        .put("limits", GateShape.limits(cover.map(policies::get).orElse(null)))
                        .put("policy", cover.map(GateKey::name).orElse(null)));
            } else {
                shell.say("%s: %s"
                        .formatted(
                                key,
                                cover.map(stored -> "now limited by " + stored.name())
                                        .orElse("now without limits")));
            }
        }
        return Exit.OK;
    }

    private List<String> stored(Map<GateKey, GatePolicy> policies) {
        return policies.keySet().stream()
                .filter(key -> key.scope() == scope)
                .map(GateKey::name)
                .toList();
    }
}

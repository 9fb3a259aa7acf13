package dev.headgate.cli.policies;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.display.Table;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GateKey.Scope;
import dev.headgate.limit.GatePolicy;
import dev.headgate.server.api.GateJson;
import dev.headgate.status.Overview;
import dev.headgate.status.Overview.GateView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists gates; its subcommands show and change one. */
@Command(
        name = "gates",
        aliases = "gate",
        description = "List gates with their limits and figures; 'gate show|set|remove|hold|release|clear' for one.")
public final class GatesCommand implements Callable<Integer> {
    private final CommandContext shell;

    @Mixin
    private final CountOptions counting = new CountOptions();

    public GatesCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        try (Headgate headgate = shell.open()) {
            Overview overview = counting.read(headgate);
            Map<GateKey, GatePolicy> policies = headgate.policies().all();
            GateRows shape = new GateRows(policies, overview.at());
            List<GateView> gates = new ArrayList<>(overview.gates());
            gates.removeIf(gate -> gate.key().scope() != Scope.GATE);
            List<String> open = OpenGates.in(headgate, policies.keySet()).keySet().stream()
                    .filter(name ->
                            gates.stream().noneMatch(gate -> gate.key().name().equals(name)))
                    .toList();
            List<GateKey> patterns = policies.keySet().stream()
                    .filter(key -> key.scope() == Scope.GATE && key.isPattern())
                    .toList();
            if (shell.isJson()) {
                shell.say(JsonWriter.object()
                        .put("at", overview.at())
                        .put("gates", gates.stream().map(shape::json).toList())
                        .put(
                                "patterns",
                                patterns.stream()
                                        .map(key -> GateJson.pattern(key, policies.get(key)))
                                        .toList())
                        .put("withoutLimits", open));
                return ExitCode.OK;
            }
            if (gates.isEmpty() && patterns.isEmpty() && open.isEmpty()) {
                shell.say("no gates; store one with: headgate gate set NAME \"concurrency 3\"");
            }
            if (!gates.isEmpty()) {
                shell.say(shape.table(gates));
                GateRows.lateLine(gates).ifPresent(shell::say);
            }
            if (!patterns.isEmpty()) {
                shell.say(gates.isEmpty() ? "" : "\n");
                Table table = new Table("PATTERN", "LIMITS OF EACH GATE IT COVERS");
                patterns.forEach(key -> table.row(key.name(), GateRows.text(policies.get(key))));
                shell.say(table);
            }
            if (!open.isEmpty()) {
                shell.say("without limits, named by waiting jobs: " + String.join(", ", open));
            }
        }
        return ExitCode.OK;
    }
}

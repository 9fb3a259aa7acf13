package dev.headgate.cli.policies;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.ExitCode;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GateKey.Scope;
import dev.headgate.limit.GatePolicy;
import dev.headgate.server.api.KnownNames;
import dev.headgate.server.api.QueueFigures;
import dev.headgate.status.Overview;
import dev.headgate.status.Overview.GateView;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists queues; its subcommands show and change one. */
@Command(
        name = "queues",
        aliases = "queue",
        description =
                "List queues with their jobs and limits; 'queue show|set|remove|hold|release|clear' for one of them.")
public final class QueuesCommand implements Callable<Integer> {
    private final CommandContext shell;

    @Mixin
    private final CountOptions counting = new CountOptions();

    public QueuesCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        try (Headgate headgate = shell.open()) {
            Overview overview = counting.read(headgate);
            Map<GateKey, GatePolicy> policies = headgate.policies().all();
            QueueFigures queues =
                    new QueueFigures(overview, counting.totals(headgate).oldest());
            new KnownNames(overview, policies.keySet()).queues().forEach(queues::include);
            List<GateView> limited = overview.gates().stream()
                    .filter(gate ->
                            gate.key().scope() == Scope.QUEUE && (!gate.policy().isEmpty() || gate.shut() != null))
                    .toList();
            GateRows shape = new GateRows(policies, overview.at());
            if (shell.isJson()) {
                shell.say(JsonWriter.object()
                        .put("at", overview.at())
                        .put("queues", queues.json())
                        .put("limits", limited.stream().map(shape::json).toList()));
                return ExitCode.OK;
            }
            if (queues.isEmpty()) {
                shell.say("no queues; the first job makes one: headgate enqueue echo '{}' --queue mail");
                return ExitCode.OK;
            }
            shell.say(QueueRows.table(queues));
            if (!limited.isEmpty()) {
                shell.say("");
                shell.say(shape.table(limited));
            }
        }
        return ExitCode.OK;
    }
}

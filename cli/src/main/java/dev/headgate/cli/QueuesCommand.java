package dev.headgate.cli;

import dev.headgate.Headgate;
import dev.headgate.cli.text.Json;
import dev.headgate.limit.GateKey.Scope;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.status.Overview.GateView;
import dev.headgate.status.Overview;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Lists queues; its subcommands show and change one. */
@Command(
        name = "queues",
        aliases = "queue",
        description =
                "List queues with their jobs and limits; 'queue show|set|remove|hold|release|clear' for one of them.")
final class QueuesCommand implements Callable<Integer> {
    private final Shell shell;

    QueuesCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        try (Headgate headgate = shell.open()) {
            Overview overview = headgate.overview();
            Map<GateKey, GatePolicy> policies = headgate.policies().all();
            QueueShape queues = new QueueShape(overview);
            new Known(overview, policies.keySet()).queues().forEach(queues::include);
            List<GateView> limited = overview.gates().stream()
                    .filter(gate ->
                            gate.key().scope() == Scope.QUEUE && (!gate.policy().isEmpty() || gate.shut() != null))
                    .toList();
            GateShape shape = new GateShape(policies, overview.at());
            if (shell.isJson()) {
                shell.say(Json.object()
                        .put("at", overview.at())
                        .put("queues", queues.json())
                        .put("limits", limited.stream().map(shape::json).toList()));
                return Exit.OK;
            }
            if (queues.isEmpty()) {
                shell.say("no queues; the first job makes one: headgate enqueue echo '{}' --queue mail");
                return Exit.OK;
            }
            shell.say(queues.table());
            if (!limited.isEmpty()) {
                shell.say("");
                shell.say(shape.table(limited));
            }
        }
        return Exit.OK;
    }
}

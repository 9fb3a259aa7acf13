package dev.headgate.cli;

import dev.headgate.Headgate;
import dev.headgate.cli.text.Json;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.status.Overview;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Everything at a glance. */
@Command(
        name = "status",
        description = "Show jobs by queue and state, what every gate has in use and left, and the workers.")
final class StatusCommand implements Callable<Integer> {
    /** As many gates as one look takes in; see {@link Headgate#overview}. */
    static final int GATES_MAX = 1_000;

    private final Shell shell;

    StatusCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        try (Headgate headgate = shell.open()) {
            Overview overview = headgate.overview();
            Map<GateKey, GatePolicy> policies = headgate.policies().all();
            GateShape gates = new GateShape(policies, overview.at());
            QueueShape queues = new QueueShape(overview);
            if (shell.isJson()) {
                shell.say(Json.object()
                        .put("store", headgate.describe())
                        .put("at", overview.at())
                        .put("policyVersion", overview.policyVersion())
                        .put("queues", queues.json())
                        .put("gates", overview.gates().stream().map(gates::json).toList())
                        .put("workers", WorkerShape.json(overview)));
                return Exit.OK;
            }
            shell.say(headgate.describe());
            print(overview, queues, gates);
        }
        return Exit.OK;
    }

    private void print(Overview overview, QueueShape queues, GateShape gates) {
        shell.say("");
        if (queues.isEmpty()) {
            shell.say("no jobs");
        } else {
            shell.say(queues.table());
        }
        shell.say("");
        if (overview.gates().isEmpty()) {
            shell.say("no gates");
        } else {
            shell.say(gates.table(overview.gates()));
            if (overview.gates().size() >= GATES_MAX) {
                shell.say("… these are the first %d".formatted(GATES_MAX));
            }
            GateShape.lateLine(overview.gates()).ifPresent(shell::say);
        }
        shell.say("");
        if (overview.workers().isEmpty()) {
            shell.say("no workers");
        } else {
            shell.say(WorkerShape.table(overview));
        }
    }
}

package dev.headgate.cli.store;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.policies.GateRows;
import dev.headgate.cli.policies.QueueRows;
import dev.headgate.cli.workers.WorkerRows;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.status.Overview;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Shows everything in brief. */
@Command(
        name = "status",
        description = "Show jobs by queue and state, what every gate has in use and left, and the workers.")
public final class StatusCommand implements Callable<Integer> {
    /** The most gates that one read returns; see {@link Headgate#overview}. */
    public static final int GATES_MAX = 1_000;

    private final CommandContext shell;

    public StatusCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        try (Headgate headgate = shell.open()) {
            Overview overview = headgate.overview();
            Map<GateKey, GatePolicy> policies = headgate.policies().all();
            GateRows gates = new GateRows(policies, overview.at());
            QueueRows queues = new QueueRows(overview);
            if (shell.isJson()) {
                shell.say(JsonWriter.object()
                        .put("store", headgate.describe())
                        .put("at", overview.at())
                        .put("policyVersion", overview.policyVersion())
                        .put("queues", queues.json())
                        .put("gates", overview.gates().stream().map(gates::json).toList())
                        .put("workers", WorkerRows.json(overview)));
                return ExitCode.OK;
            }
            shell.say(headgate.describe());
            print(overview, queues, gates);
        }
        return ExitCode.OK;
    }

    private void print(Overview overview, QueueRows queues, GateRows gates) {
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
            GateRows.lateLine(overview.gates()).ifPresent(shell::say);
        }
        shell.say("");
        if (overview.workers().isEmpty()) {
            shell.say("no workers");
        } else {
            shell.say(WorkerRows.table(overview));
        }
    }
}

package dev.headgate.cli.store;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.policies.CountOptions;
import dev.headgate.cli.policies.GateRows;
import dev.headgate.cli.policies.QueueRows;
import dev.headgate.cli.workers.WorkerRows;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.server.api.QueueFigures;
import dev.headgate.server.api.StatusJson;
import dev.headgate.status.Overview;
import dev.headgate.status.Totals;
import dev.headgate.status.Totals.Counted;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows everything in brief. */
@Command(
        name = "status",
        description = "Show jobs by queue and state, what every gate has in use and left, and the workers.")
public final class StatusCommand implements Callable<Integer> {
    /** The most gates that one read returns; see {@link Headgate#overview}. */
    public static final int GATES_MAX = 1_000;

    private final CommandContext shell;

    @Mixin
    private final CountOptions counting = new CountOptions();

    public StatusCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        try (Headgate headgate = shell.open()) {
            Overview overview = counting.read(headgate);
            Map<GateKey, GatePolicy> policies = headgate.policies().all();
            GateRows gates = new GateRows(policies, overview.at());
            Totals totals = counting.totals(headgate);
            QueueFigures queues = new QueueFigures(overview, totals.oldest());
            if (shell.isJson()) {
                shell.say(StatusJson.status(headgate.describe(), overview, totals, policies.keySet()));
                return ExitCode.OK;
            }
            shell.say(headgate.describe());
            print(overview, totals, queues, gates);
        }
        return ExitCode.OK;
    }

    private static String text(Counted figure) {
        return "%,d%s".formatted(figure.count(), figure.isMore() ? "+" : "");
    }

    private void print(Overview overview, Totals totals, QueueFigures queues, GateRows gates) {
        shell.say("");
        if (queues.isEmpty()) {
            shell.say("no jobs");
        } else {
            shell.say(QueueRows.table(queues));
        }
        shell.say("results of jobs: %s, runs of workflows: %s, artifacts: %s"
                .formatted(text(totals.results()), text(totals.runs()), text(totals.artifacts())));
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

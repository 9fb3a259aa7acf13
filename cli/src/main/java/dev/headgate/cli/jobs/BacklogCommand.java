package dev.headgate.cli.jobs;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.CommandException;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.display.Table;
import dev.headgate.cli.workers.PrometheusText;
import dev.headgate.internal.text.Served;
import dev.headgate.server.api.StatusJson;
import dev.headgate.status.QueueBacklog;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows how much work waits, for people and for autoscalers. */
@Command(
        name = "backlog",
        description = "Show how much there is to do in each queue, and how much of it more workers would help with.",
        footer = {
            "",
            "Examples:",
            "  headgate backlog",
            "  headgate backlog mail 'site:*' --json",
            "  headgate backlog --prometheus",
            "",
            "ADMISSIBLE could start at once if there were a free slot: scale by this one. BLOCKED waits for a limit, a hold",
            "or a paused gate, PAUSED for its queue to be resumed, SCHEDULED for its time, AWAITING for other jobs; PARKED",
            "was set aside. More workers would not start any of these sooner. UNJUDGED: no worker has looked at these jobs",
            "yet, and they were too many to be judged here; they may turn out to be admissible or blocked."
        })
public final class BacklogCommand implements Callable<Integer> {
    private static final int COUNT_MAX = 1_000;

    private final CommandContext shell;

    @Parameters(paramLabel = "QUEUE", description = "of these queues only; else all that have jobs")
    private List<String> queues = List.of();

    @Option(
            names = "--max",
            paramLabel = "N",
            description = "how far admissible jobs of each queue are counted; 1000 if not given")
    private int max = COUNT_MAX;

    @Option(names = "--prometheus", description = "answer in the text format that Prometheus reads")
    private boolean isPrometheus;

    public BacklogCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        if (isPrometheus && shell.isJson()) {
            throw CommandException.usage("expected one of --json and --prometheus, got both");
        }
        queues.forEach(Served::check);
        try (Headgate headgate = shell.open()) {
            List<QueueBacklog> backlogs = headgate.demand().byQueue(max, queues.toArray(String[]::new));
            if (isPrometheus) {
                PrometheusText.of(backlogs).forEach(shell.out()::println);
                shell.out().flush();
            } else if (shell.isJson()) {
                shell.say(StatusJson.backlog(backlogs));
            } else if (backlogs.isEmpty()) {
                shell.say("no jobs");
            } else {
                shell.say(table(backlogs));
            }
        }
        return ExitCode.OK;
    }

    private static Table table(List<QueueBacklog> backlogs) {
        Table table = new Table(
                "QUEUE",
                ">ADMISSIBLE",
                ">BLOCKED",
                ">UNJUDGED",
                ">PAUSED",
                ">SCHEDULED",
                ">AWAITING",
                ">PARKED",
                ">RUNNING");
        for (QueueBacklog backlog : backlogs) {
            String more = backlog.isAtLeast() ? "+" : "";
            table.row(
                    backlog.queue(),
                    backlog.admissible() + (backlog.isMore() ? "+" : ""),
                    backlog.blocked() + more,
                    backlog.unjudged() + more,
                    backlog.paused() + more,
                    backlog.scheduled() + more,
                    backlog.awaiting() + more,
                    backlog.parked() + more,
                    backlog.running());
        }
        return table;
    }
}

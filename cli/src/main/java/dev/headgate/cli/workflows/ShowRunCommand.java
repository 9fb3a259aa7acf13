package dev.headgate.cli.workflows;

import dev.headgate.Headgate;
import dev.headgate.UnknownJobException;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.display.Wording;
import dev.headgate.cli.jobs.JobRows;
import dev.headgate.internal.json.PairsText;
import dev.headgate.run.Guardrail;
import dev.headgate.run.RunId;
import dev.headgate.run.RunStatus;
import dev.headgate.run.RunStatus.Children;
import dev.headgate.run.RunStatus.Work;
import dev.headgate.server.api.RunJson;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows where a run stands, and its whole budget. */
@Command(
        name = "show",
        aliases = "status",
        description = "Show one run, branch or item: where it stands, its data, and the budget of its whole tree.")
final class ShowRunCommand implements Callable<Integer> {
    private final CommandContext shell;

    @Parameters(paramLabel = "RUN", description = "the number that 'workflow start' printed")
    private RunId id = RunId.of(1);

    ShowRunCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        try (Headgate headgate = shell.open()) {
            RunStatus run = headgate.workflows().status(id);
            List<Work> steps = headgate.workflows().work(id);
            if (shell.isJson()) {
                shell.say(RunJson.whole(run)
                        .put("steps", steps.stream().map(RunJson::work).toList()));
            } else {
                print(run, steps, why(headgate, run), headgate.overview().at());
            }
        }
        return ExitCode.OK;
    }

    /** What the job that it waits for does, in full. */
    private static @Nullable String why(Headgate headgate, RunStatus run) {
        Work work = run.position().work();
        try {
            return work == null
                    ? null
                    : "%s: %s"
                            .formatted(work.job(), headgate.explain(work.job()).summary());
        } catch (UnknownJobException endedMeanwhile) {
            return null;
        }
    }

    private void print(RunStatus run, List<Work> steps, @Nullable String why, Instant now) {
        String step = run.position().step();
        shell.say("run %s: %s%s"
                .formatted(
                        run.id(),
                        RunRows.word(run),
                        step == null || run.life().endedAt() != null ? "" : " at step '%s'".formatted(step)));
        field(
                "workflow",
                "%s@%d".formatted(run.origin().workflow(), run.origin().version()));
        field("key", run.origin().key());
        field("labels", JobRows.labels(run.origin().attributes().labels()));
        field("headers", shell.excerpt(PairsText.of(run.origin().attributes().headers())));
        RunId parent = run.origin().parent();
        field(
                "part of",
                parent == null
                        ? null
                        : "%s, as %s %d"
                                .formatted(
                                        parent,
                                        RunRows.isRun(run)
                                                ? "child run"
                                                : run.origin().name(),
                                        run.origin().place()));
        field("step", step);
        field(
                "started",
                "%s, %s"
                        .formatted(
                                run.life().startedAt(),
                                Wording.from(now, run.life().startedAt())));
        Instant ended = run.life().endedAt();
        field("ended", ended == null ? null : "%s, after %s".formatted(ended, Wording.span(RunRows.took(run, now))));
        Instant until = run.position().until();
        field("until", until == null ? null : "%s, %s".formatted(until, Wording.from(now, until)));
        field("waits for", run.position().awaits());
        Children children = run.position().children();
        field("children", children == null ? null : RunRows.children(children, false));
        field("job", why);
        field("steps", steps.isEmpty() || children == null ? null : RunRows.counts(steps, now));
        field("detail", run.life().detail());
        field("stopped by", stoppedBy(run));
        field(ended == null ? "data" : "result", shell.excerpt(run.position().json()));
        if (!run.budget().isEmpty()) {
            shell.say("");
            shell.say(BudgetRows.table(run));
        }
    }

    private static @Nullable String stoppedBy(RunStatus run) {
        List<String> titles =
                run.life().stoppedBy().stream().sorted().map(Guardrail::title).toList();
        return titles.isEmpty()
                ? null
                : "%s; raise it with 'workflow top-up %s %s=… --resume'"
                        .formatted(String.join(", ", titles), run.id(), String.join("=… ", titles));
    }

    private void field(String name, @Nullable Object value) {
        shell.field(name, value);
    }
}

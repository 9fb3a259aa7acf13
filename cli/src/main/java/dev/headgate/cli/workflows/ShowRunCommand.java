package dev.headgate.cli.workflows;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.display.Wording;
import dev.headgate.run.Guardrail;
import dev.headgate.run.RunId;
import dev.headgate.run.RunStatus;
import dev.headgate.run.RunStatus.Children;
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
            if (shell.isJson()) {
                shell.say(RunRows.json(run));
            } else {
                print(run, headgate.overview().at());
            }
        }
        return ExitCode.OK;
    }

    private void print(RunStatus run, Instant now) {
        String step = run.position().step();
        shell.say("run %s: %s%s"
                .formatted(
                        run.id(),
                        Wording.word(run.state()),
                        step == null || run.life().endedAt() != null ? "" : " at step '%s'".formatted(step)));
        field(
                "workflow",
                "%s@%d".formatted(run.origin().workflow(), run.origin().version()));
        field("key", run.origin().key());
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

package dev.headgate.cli.workflows;

import dev.headgate.Headgate;
import dev.headgate.Workflows;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.CommandException;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.workflows.Drawing.Knot;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.run.RunId;
import dev.headgate.run.RunStatus;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Draws a run. */
@Command(
        name = "draw",
        aliases = "tree",
        description = "Draw a run: what is done, where it stands, what is to come; as a tree, or as a Mermaid chart.")
final class DrawCommand implements Callable<Integer> {
    private static final int CHILDREN_MAX = 10_000;

    private final CommandContext shell;

    @Parameters(paramLabel = "RUN", description = "the run's number")
    private RunId id = RunId.of(1);

    @Option(names = "--mermaid", description = "as a Mermaid flowchart, for pages that draw it")
    private boolean isMermaid;

    @Option(
            names = "--children",
            paramLabel = "N",
            description =
                    "draw so many branches, items or child runs of each step, and count the rest; 20 if not given")
    private int childrenMax = 20;

    DrawCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        if (childrenMax < 1 || childrenMax > CHILDREN_MAX) {
            throw CommandException.usage("--children: expected 1 to %d, got %d".formatted(CHILDREN_MAX, childrenMax));
        }
        try (Headgate headgate = shell.open()) {
            Workflows workflows = headgate.workflows();
            RunStatus run = workflows.status(id);
            Knot top = new Drawing(
                            workflows.tree(id),
                            workflows.timeline(id),
                            workflows.definitions(),
                            headgate.overview().at(),
                            childrenMax)
                    .of(run);
            print(top);
        }
        return ExitCode.OK;
    }

    private void print(Knot top) {
        if (!isMermaid) {
            if (shell.isJson()) {
                shell.say(json(top));
            } else {
                TextTree.lines(top, shell.terminal().columns()).forEach(shell::say);
            }
            return;
        }
        List<String> chart = Mermaid.lines(top);
        if (shell.isJson()) {
            shell.say(JsonWriter.object().put("mermaid", String.join("\n", chart)));
        } else {
            chart.forEach(shell::say);
        }
    }

    private static JsonWriter json(Knot knot) {
        return JsonWriter.object()
                .put("name", knot.name())
                .put("look", knot.look())
                .put("note", knot.note())
                .put("below", knot.below().stream().map(DrawCommand::json).toList());
    }
}

package dev.headgate.cli.workflows;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.CommandException;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.jobs.AttributeOptions;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.internal.text.Names;
import dev.headgate.internal.text.NearestName;
import dev.headgate.run.RunFilter;
import dev.headgate.run.RunId;
import dev.headgate.run.RunPage;
import dev.headgate.run.RunState;
import dev.headgate.run.RunStatus;
import dev.headgate.run.WorkflowDefinition;
import dev.headgate.server.api.RunJson;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which runs to list. */
final class RunListOptions {
    @Option(
            names = "--workflow",
            paramLabel = "NAME",
            description = "only of this workflow; with those that other runs started")
    private @Nullable String workflow;

    @Option(
            names = "--state",
            paramLabel = "STATE",
            description = "only in this state: running, sleeping, awaiting, joining, paused, budget_exceeded,"
                    + " cancelling, succeeded, failed, cancelled")
    private @Nullable RunState state;

    @Option(
            names = "--label",
            paramLabel = "NAME=VALUE",
            description = "only with this label; give it again for more, which they must all have")
    private List<String> labels = List.of();

    @Option(names = "--limit", paramLabel = "N", description = "at most so many, 1 to 1000; 20 if not given")
    private int limit = 20;

    @Option(names = "--before", paramLabel = "ID", description = "only runs older than this one: the next page")
    private @Nullable RunId before;

    int list(CommandContext shell) {
        RunFilter filter = filter();
        try (Headgate headgate = shell.open()) {
            RunPage page = headgate.workflows().page(filter);
            List<RunStatus> runs = page.runs();
            if (runs.isEmpty() && workflow != null) {
                requireKnown(headgate, workflow);
            }
            Long next = page.next() == null ? null : Long.valueOf(page.next().value());
            if (shell.isJson()) {
                shell.say(JsonWriter.object()
                        .put("runs", runs.stream().map(RunJson::listed).toList())
                        .put("next", next)
                        .put("partial", page.isPartial()));
                return ExitCode.OK;
            }
            if (runs.isEmpty()) {
                shell.say(next == null ? "no such runs" : "no such runs so far");
            } else {
                shell.say(RunRows.table(runs, headgate.overview().at()));
            }
            if (next != null) {
                shell.note("%s: --before %d"
                        .formatted(
                                page.isPartial()
                                        ? "many runs were looked at and few matched; go on with"
                                        : "there may be more",
                                next));
            }
        }
        return ExitCode.OK;
    }

    /** An unknown name must not look like an idle one. */
    private static void requireKnown(Headgate headgate, String workflow) {
        List<String> names = headgate.workflows().definitions().stream()
                .map(WorkflowDefinition::name)
                .toList();
        if (!names.contains(workflow)) {
            throw CommandException.bad("workflow '%s': never registered on this store%s"
                    .formatted(workflow, NearestName.hint(workflow, names)));
        }
    }

    private RunFilter filter() {
        RunFilter filter = RunFilter.all().limit(limit);
        if (workflow != null) {
            filter = filter.workflow(Names.check("workflow", workflow));
        }
        if (state != null) {
            filter = filter.state(state);
        }
        for (Map.Entry<String, String> label :
                AttributeOptions.pairs("--label", labels).entrySet()) {
            filter = filter.label(label.getKey(), label.getValue());
        }
        return before == null ? filter : filter.before(before);
    }
}

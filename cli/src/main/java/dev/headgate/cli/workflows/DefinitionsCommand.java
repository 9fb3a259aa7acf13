package dev.headgate.cli.workflows;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.display.Table;
import dev.headgate.cli.display.Wording;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.run.WorkflowDefinition;
import dev.headgate.server.api.RunJson;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Lists the workflows that were registered on a store, or shows the steps of one. */
@Command(
        name = "definitions",
        description = "List the workflows that were ever registered on this store, or show the steps of one.")
final class DefinitionsCommand implements Callable<Integer> {
    private final CommandContext shell;

    @Parameters(
            arity = "0..1",
            paramLabel = "WORKFLOW",
            description = "show this one: NAME in its newest version, or NAME@VERSION")
    private @Nullable String workflow;

    DefinitionsCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        try (Headgate headgate = shell.open()) {
            StartCommand.Definitions definitions = StartCommand.Definitions.of(headgate);
            if (workflow != null) {
                show(definitions.named(workflow));
            } else {
                list(definitions.all(), headgate.overview().at());
            }
        }
        return ExitCode.OK;
    }

    private void show(WorkflowDefinition definition) {
        if (shell.isJson()) {
            shell.say(RunJson.definition(definition));
            return;
        }
        shell.say("%s, since %s, steps wait in queue %s".formatted(definition, definition.since(), definition.queue()));
        if (!definition.budget().limits().isEmpty()) {
            shell.say("budget of a run, and the most of a start: " + BudgetRows.text(definition.budget()));
        }
        definition.steps().forEach(line -> shell.say("  " + line));
    }

    private void list(List<WorkflowDefinition> all, Instant now) {
        if (shell.isJson()) {
            shell.say(JsonWriter.object()
                    .put("definitions", all.stream().map(RunJson::definition).toList()));
        } else if (all.isEmpty()) {
            shell.say("no workflow was ever registered on this store");
        } else {
            Table table = new Table("WORKFLOW", ">VERSION", "QUEUE", ">STEPS", "BUDGET", "REGISTERED");
            all.forEach(each -> table.row(
                    each.name(),
                    each.version(),
                    each.queue(),
                    each.steps().size(),
                    BudgetRows.text(each.budget()),
                    Wording.from(now, each.since())));
            shell.say(table);
        }
    }
}

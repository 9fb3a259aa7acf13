package dev.headgate.cli.workflows;

import dev.headgate.Headgate;
import dev.headgate.RunOptions;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.CommandException;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.jobs.AttributeOptions;
import dev.headgate.cli.jobs.TextOption;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.internal.text.Names;
import dev.headgate.internal.text.NearestName;
import dev.headgate.run.Guardrail;
import dev.headgate.run.Started;
import dev.headgate.run.WorkflowDefinition;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Starts a run of a workflow that a worker has registered on this store. */
@Command(
        name = "start",
        description = "Start a run; a worker that has the workflow takes it from there.",
        footer = {
            "",
            "Budgets: maxTransitions, maxCostUnits, maxAttempts, maxFanOutItems, maxStateBytes,",
            "maxChildRuns, maxDepth, maxWallTime (a span). Children are charged to the run.",
            "A workflow may have a budget of its own, see 'workflow definitions': a start can ask for less,",
            "never for more; 'workflow top-up' raises the budget of a run.",
            "",
            "  headgate workflow start ship@2 @order.json --budget maxCostUnits=500 --budget maxWallTime=1h"
        })
final class StartCommand implements Callable<Integer> {
    private final CommandContext shell;

    @Parameters(index = "0", paramLabel = "WORKFLOW", description = "its name, in its newest version; or NAME@VERSION")
    private String workflow = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "JSON",
            description = "what it begins with; {} if not given; @FILE reads it from a file, @- from standard input")
    private String input = "{}";

    @Option(
            names = "--key",
            paramLabel = "KEY",
            description = "as long as a run of this workflow with this key is known, answer that run")
    private @Nullable String key;

    @Option(
            names = "--budget",
            paramLabel = "NAME=VALUE",
            description = "what the run may spend, its children included; give it again for more")
    private List<String> budget = List.of();

    @Option(names = "--priority", paramLabel = "N", description = "of jobs that only steer the run, -1000 to 1000")
    private int priority;

    @Mixin
    private AttributeOptions attributes = new AttributeOptions();

    StartCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        Map<Guardrail, Long> limits = BudgetRows.read("--budget", budget);
        String json = new TextOption(shell.in()).text("JSON", input);
        try (Headgate headgate = shell.openToChange()) {
            WorkflowDefinition definition = Definitions.of(headgate).named(workflow);
            Started started = headgate.workflows()
                    .startJson(definition.name(), definition.version(), json, run -> options(run, limits));
            if (shell.isJson()) {
                shell.say(JsonWriter.object()
                        .put("id", started.id().value())
                        .put("workflow", definition.name())
                        .put("version", definition.version())
                        .put("new", started.isNew()));
            } else if (started.isNew()) {
                shell.say("run %s of %s started".formatted(started.id(), definition));
            } else {
                shell.say("run %s has the key '%s'; nothing was started".formatted(started.id(), key));
            }
        }
        return ExitCode.OK;
    }

    private void options(RunOptions run, Map<Guardrail, Long> limits) {
        run.priority(priority).budget(start -> {
            var changed = start;
            for (Map.Entry<Guardrail, Long> limit : limits.entrySet()) {
                changed = changed.with(limit.getKey(), limit.getValue());
            }
            return changed;
        });
        attributes.apply(run::label, run::header);
        if (key != null) {
            run.key(key);
        }
    }

    /** The definitions that a store knows. */
    record Definitions(List<WorkflowDefinition> all) {
        static Definitions of(Headgate headgate) {
            return new Definitions(headgate.workflows().definitions());
        }

        WorkflowDefinition named(String asked) {
            int at = asked.lastIndexOf('@');
            String name = Names.check("workflow", at > 0 ? asked.substring(0, at) : asked);
            List<WorkflowDefinition> versions =
                    all.stream().filter(each -> each.name().equals(name)).toList();
            if (versions.isEmpty()) {
                throw CommandException.bad(
                        "workflow '%s': never registered on this store%s; a program that registers it must run first"
                                .formatted(
                                        name,
                                        NearestName.hint(
                                                name,
                                                all.stream()
                                                        .map(WorkflowDefinition::name)
                                                        .toList())));
            }
            return at > 0 ? version(versions, name, asked.substring(at + 1)) : versions.getLast();
        }

        private static WorkflowDefinition version(List<WorkflowDefinition> versions, String name, String version) {
            return versions.stream()
                    .filter(each -> Integer.toString(each.version()).equals(version))
                    .findFirst()
                    .orElseThrow(() -> CommandException.bad("workflow '%s': expected one of its versions %s, got '%s'"
                            .formatted(
                                    name,
                                    versions.stream()
                                            .map(WorkflowDefinition::version)
                                            .toList(),
                                    version)));
        }
    }
}

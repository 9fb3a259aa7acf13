package dev.headgate.cli.workflows;

import dev.headgate.Headgate;
import dev.headgate.Workflows;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.CommandException;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.display.Wording;
import dev.headgate.cli.policies.ChangeAuthor;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.job.OperationResult;
import dev.headgate.run.BudgetLine;
import dev.headgate.run.Guardrail;
import dev.headgate.run.RunId;
import dev.headgate.run.RunStatus;
import dev.headgate.server.api.RunJson;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Raises limits of a run's budget. */
@Command(
        name = "top-up",
        description =
                "Raise limits of a run's budget, also above what its workflow allows a start; a run that it stopped goes on with"
                        + " --resume or 'workflow resume'.",
        footer = {"", "  headgate workflow top-up 12 maxCostUnits=100 maxWallTime=30m --resume --because \"worth it\""})
final class TopUpCommand implements Callable<Integer> {
    private final CommandContext shell;

    @Parameters(index = "0", paramLabel = "RUN", description = "the run's number, or that of anything below it")
    private RunId id = RunId.of(1);

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "NAME=BY",
            description = "a guardrail and by how much its limit rises")
    private List<String> raises = List.of();

    @Option(names = "--resume", description = "let the run go on if it has stopped")
    private boolean isResumed;

    @Mixin
    private ChangeAuthor signature = new ChangeAuthor();

    TopUpCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        Map<Guardrail, Long> by = BudgetRows.read("top-up", raises);
        try (Headgate headgate = shell.openToChange()) {
            Workflows workflows = headgate.workflows();
            RunStatus before = workflows.status(id);
            by.forEach((guardrail, amount) -> raise(workflows, before, guardrail, amount));
            boolean goesOn = isResumed && workflows.resume(id, signature.line()) == OperationResult.DONE;
            RunStatus after = workflows.status(id);
            List<BudgetLine> raised = after.budget().stream()
                    .filter(line -> by.containsKey(line.guardrail()))
                    .toList();
            if (shell.isJson()) {
                shell.say(JsonWriter.object()
                        .put("id", id.value())
                        .put("state", after.state())
                        .put("resumed", goesOn)
                        .put("budget", raised.stream().map(RunJson::budget).toList()));
            } else {
                shell.say(BudgetRows.table(raised, after.life().stoppedBy()));
                shell.say("run %s: %s".formatted(id, goesOn ? "goes on" : Wording.word(after.state())));
            }
        }
        return ExitCode.OK;
    }

    private void raise(Workflows workflows, RunStatus before, Guardrail guardrail, long amount) {
        OperationResult answer = workflows.topUp(id, guardrail, amount, signature.line());
        if (answer != OperationResult.DONE) {
            throw CommandException.bad("run %s: expected one under way, found it %s; %s was not raised"
                    .formatted(id, Wording.word(before.state()), guardrail.title()));
        }
    }
}

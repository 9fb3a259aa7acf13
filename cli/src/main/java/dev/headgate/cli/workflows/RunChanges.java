package dev.headgate.cli.workflows;

import dev.headgate.Headgate;
import dev.headgate.Workflows;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.CommandException;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.display.Wording;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.job.OperationResult;
import dev.headgate.run.RunId;
import dev.headgate.run.RunState;
import java.util.function.Function;

/** Requests a change of a run and prints the result. */
final class RunChanges {
    private final CommandContext shell;
    private final RunId id;

    RunChanges(CommandContext shell, RunId id) {
        this.shell = shell;
        this.id = id;
    }

    /**
     * @param done what to print if it was done
     * @param expected the states that allow the change, if it was not
     */
    int ask(String done, String expected, Function<Workflows, OperationResult> change) {
        try (Headgate headgate = shell.openToChange()) {
            Workflows workflows = headgate.workflows();
            OperationResult answer = change.apply(workflows);
            RunState state = workflows.status(id).state();
            if (answer == OperationResult.WRONG_STATE) {
                throw CommandException.bad("run %s: expected %s, found it %s; nothing was changed"
                        .formatted(id, expected, Wording.word(state)));
            }
            if (shell.isJson()) {
                shell.say(JsonWriter.object()
                        .put("id", id.value())
                        .put("answer", answer)
                        .put("state", state));
            } else {
                shell.say("run %s: %s".formatted(id, done));
            }
        }
        return ExitCode.OK;
    }
}

package dev.headgate.cli.workflows;

import dev.headgate.Headgate;
import dev.headgate.Workflows;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.CommandException;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.display.Wording;
import dev.headgate.cli.policies.ChangeAuthor;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.run.RunId;
import dev.headgate.run.RunStatus;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Approves or rejects what a run waits for; it is added once under either name. */
@Command(
        description =
                "Approve what a run waits for, or reject it: then its step fails, unless the workflow says otherwise.")
final class ApprovalCommand implements Callable<Integer> {
    private final CommandContext shell;
    private final Choice choice;

    /** What can be said. */
    enum Choice {
        APPROVED,
        REJECTED
    }

    @Parameters(index = "0", paramLabel = "RUN", description = "the run's number")
    private RunId id = RunId.of(1);

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "NAME",
            description = "the approval that the workflow waits for; what the run waits for now if not given")
    private @Nullable String name;

    @Mixin
    private ChangeAuthor signature = new ChangeAuthor();

    ApprovalCommand(CommandContext shell, Choice choice) {
        this.shell = shell;
        this.choice = choice;
    }

    @Override
    public Integer call() {
        try (Headgate headgate = shell.openToChange()) {
            RunStatus run = headgate.workflows().status(id);
            String approval = name == null ? run.position().awaits() : name;
            if (approval == null) {
                throw CommandException.bad(
                        "run %s: expected one that waits for an approval, found it %s; name the approval"
                                .formatted(id, Wording.word(run.state())));
            }
            send(headgate.workflows(), approval);
            if (shell.isJson()) {
                shell.say(JsonWriter.object()
                        .put("id", id.value())
                        .put("approval", approval)
                        .put("choice", choice)
                        .put("by", signature.author()));
            } else {
                shell.say("run %s: '%s' %s by %s".formatted(id, approval, Wording.word(choice), signature.author()));
            }
        }
        return ExitCode.OK;
    }

    private void send(Workflows workflows, String approval) {
        switch (choice) {
            case APPROVED -> workflows.approve(id, approval, signature.author(), signature.reason());
            case REJECTED -> workflows.reject(id, approval, signature.author(), signature.reason());
        }
    }
}

package dev.headgate.cli.jobs;

import dev.headgate.Headgate;
import dev.headgate.UnknownJobException;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.display.Wording;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.job.JobId;
import dev.headgate.job.OperationResult;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Requests the same change of several jobs and prints the result of each. */
final class JobChanges {
    private final CommandContext shell;
    private final String done;
    private final String expected;

    /**
     * @param done what to print of a job that was changed
     * @param expected the states that allow the change, for a job that was not
     */
    JobChanges(CommandContext shell, String done, String expected) {
        this.shell = shell;
        this.done = done;
        this.expected = expected;
    }

    int ask(Headgate headgate, List<JobId> ids, Function<JobId, OperationResult> change) {
        int exit = ExitCode.OK;
        List<JsonWriter> answers = new ArrayList<>();
        for (JobId id : ids) {
            JsonWriter answer = JsonWriter.object().put("id", id.value());
            try {
                OperationResult result = change.apply(id);
                answer.put("answer", result);
                exit = result == OperationResult.WRONG_STATE ? ExitCode.BAD : exit;
                if (!shell.isJson()) {
                    tell(headgate, id, result);
                }
            } catch (UnknownJobException unknown) {
                answer.put("answer", "not_found"); // the other jobs get their change all the same
                exit = ExitCode.BAD;
                if (!shell.isJson()) {
                    shell.note("headgate: " + unknown.getMessage());
                }
            }
            answers.add(answer);
        }
        if (shell.isJson()) {
            shell.say(JsonWriter.object().put("answers", answers));
        }
        return exit;
    }

    private void tell(Headgate headgate, JobId id, OperationResult answer) {
        switch (answer) {
            case DONE -> shell.say("job %s: %s".formatted(id, done));
            case REQUESTED -> shell.say("job %s: runs; its worker has been asked to stop it".formatted(id));
            case WRONG_STATE -> {
                String state =
                        headgate.find(id).map(job -> Wording.word(job.state())).orElse("gone");
                shell.note("headgate: job %s: expected one that is %s, found it %s; nothing was changed"
                        .formatted(id, expected, state));
            }
        }
    }
}

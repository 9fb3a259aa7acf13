package dev.headgate.cli.workflows;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.CommandException;
import dev.headgate.cli.ExitCode;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.internal.text.NearestName;
import dev.headgate.run.RunId;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Lists what the steps of a run have kept, or shows one of it. */
@Command(
        name = "artifacts",
        aliases = "artifact",
        description = "List the artifacts that the steps of a run have kept, or show the content of one.")
final class ArtifactsCommand implements Callable<Integer> {
    private final CommandContext shell;

    @Parameters(index = "0", paramLabel = "RUN", description = "the run's number")
    private RunId id = RunId.of(1);

    @Parameters(index = "1", arity = "0..1", paramLabel = "NAME", description = "show this one")
    private @Nullable String name;

    ArtifactsCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        try (Headgate headgate = shell.open()) {
            List<String> names = headgate.workflows().artifacts(id);
            if (name != null) {
                show(headgate, name, names);
            } else if (shell.isJson()) {
                shell.say(JsonWriter.object().put("id", id.value()).put("artifacts", names));
            } else if (names.isEmpty()) {
                shell.say("run %s has no artifacts".formatted(id));
            } else {
                names.forEach(shell::say);
            }
        }
        return ExitCode.OK;
    }

    private void show(Headgate headgate, String wanted, List<String> names) {
        String content = headgate.workflows()
                .findArtifact(id, wanted)
                .orElseThrow(() -> CommandException.bad(
                        "run %s: no artifact '%s'%s".formatted(id, wanted, NearestName.hint(wanted, names))));
        if (shell.isJson()) {
            shell.say(JsonWriter.object()
                    .put("id", id.value())
                    .put("name", wanted)
                    .put("content", content));
        } else {
            shell.say(content);
        }
    }
}

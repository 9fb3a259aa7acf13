package dev.headgate.cli.policies;

import dev.headgate.Controls;
import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.CommandException;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.display.Table;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.limit.Pause;
import dev.headgate.server.api.KnownNames;
import dev.headgate.server.api.StatusJson;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Pauses a queue, a gate or a job type; alone it lists what is paused. */
@Command(
        name = "pause",
        description = "Let nothing of a queue, gate or job type start until 'resume'. Alone: list what is paused.")
public final class PauseCommand implements Callable<Integer> {
    private final CommandContext shell;

    @Parameters(index = "0", arity = "0..1", paramLabel = "KIND", description = "queue, gate or type")
    private Pause.@Nullable Kind kind;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "NAME",
            description = "its name, or for queues and gates a pattern such as 'tenant:*'")
    private @Nullable String name;

    @Mixin
    private ChangeAuthor signature = new ChangeAuthor();

    public PauseCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        Pause.Kind paused = kind;
        String called = name;
        if (paused == null) {
            try (Headgate headgate = shell.open()) {
                list(headgate.controls().paused());
            }
            return ExitCode.OK;
        }
        if (called == null) {
            throw CommandException.usage(
                    "pause %s: expected a name; see headgate pause --help".formatted(paused.text()));
        }
        Pause pause = new Pause(paused, called);
        try (Headgate headgate = shell.openToChange()) {
            KnownNames.remark(headgate, pause).ifPresent(shell::note);
            headgate.controls().by(signature.author()).pause(pause, signature.reason());
            shell.say(
                    shell.isJson()
                            ? JsonWriter.object()
                                    .put("kind", paused.text())
                                    .put("name", called)
                                    .put("paused", true)
                                    .toString()
                            : "%s: paused; what runs goes on".formatted(pause));
        }
        return ExitCode.OK;
    }

    private void list(List<Controls.Paused> paused) {
        if (shell.isJson()) {
            shell.say(JsonWriter.object().put("paused", StatusJson.paused(paused)));
        } else if (paused.isEmpty()) {
            shell.say("nothing is paused");
        } else {
            Table table = new Table("PAUSED", "SINCE", "BY", "REASON");
            paused.forEach(each -> table.row(each.what(), each.since(), each.author(), each.reason()));
            shell.say(table);
        }
    }
}

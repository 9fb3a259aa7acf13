package dev.headgate.cli;

import dev.headgate.Controls;
import dev.headgate.Headgate;
import dev.headgate.cli.policy.Signature;
import dev.headgate.cli.text.Json;
import dev.headgate.cli.text.Table;
import dev.headgate.limit.Pause;
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
final class PauseCommand implements Callable<Integer> {
    private final Shell shell;

    @Parameters(index = "0", arity = "0..1", paramLabel = "KIND", description = "queue, gate or type")
    private Pause.@Nullable Kind kind;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "NAME",
            description = "its name, or for queues and gates a pattern such as 'tenant:*'")
    private @Nullable String name;

    @Mixin
    private Signature signature = new Signature();

    PauseCommand(Shell shell) {
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
            return Exit.OK;
        }
        if (called == null) {
            throw Complaint.usage("pause %s: expected a name; see headgate pause --help".formatted(paused.text()));
        }
        Pause pause = new Pause(paused, called);
        try (Headgate headgate = shell.openToChange()) {
            Known.remark(headgate, pause).ifPresent(shell::note);
            headgate.controls().as(signature.author()).pause(pause, signature.reason());
            shell.say(
                    shell.isJson()
                            ? Json.object()
                                    .put("kind", paused.text())
                                    .put("name", called)
                                    .put("paused", true)
                                    .toString()
                            : "%s: paused; what runs goes on".formatted(pause));
        }
        return Exit.OK;
    }

    private void list(List<Controls.Paused> paused) {
        if (shell.isJson()) {
            shell.say(Json.object()
                    .put(
                            "paused",
                            paused.stream()
                                    .map(each -> Json.object()
                                            .put("kind", each.what().kind().text())
                                            .put("name", each.what().name())
                                            .put("since", each.since())
                                            .put("author", each.author())
                                            .put("reason", each.reason()))
                                    .toList()));
        } else if (paused.isEmpty()) {
            shell.say("nothing is paused");
        } else {
            Table table = new Table("PAUSED", "SINCE", "BY", "REASON");
            paused.forEach(each -> table.row(each.what(), each.since(), each.author(), each.reason()));
            shell.say(table);
        }
    }
}

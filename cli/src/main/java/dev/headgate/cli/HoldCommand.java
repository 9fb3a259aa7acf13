package dev.headgate.cli;

import dev.headgate.Headgate;
import dev.headgate.admission.GateKey;
import dev.headgate.admission.Spans;
import dev.headgate.cli.text.Json;
import dev.headgate.cli.text.Near;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shuts a gate for a time. */
@Command(
        name = "hold",
        description = "Shut it for a time, for every worker at once; what runs goes on. The later of two ends counts.")
final class HoldCommand implements Callable<Integer> {
    private final Shell shell;

    @Parameters(index = "0", paramLabel = "NAME", description = "the gate")
    private String name = "";

    @Parameters(index = "1", paramLabel = "SPAN", description = "for how long, such as 30s or 10m")
    private Duration span = Duration.ZERO;

    @Option(names = "--because", paramLabel = "TEXT", description = "shown to everyone who asks why a job waits")
    private String reason = "held by an operator";

    HoldCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        try (Headgate headgate = shell.openToChange()) {
            noteIfUnknown(headgate);
            boolean isNew = headgate.controls().hold(name, span, reason);
            if (shell.isJson()) {
                shell.say(Json.object().put("name", name).put("held", isNew));
            } else {
                shell.say(
                        isNew
                                ? "gate %s: shut for %s".formatted(name, Spans.text(span))
                                : "gate %s: is shut for longer already".formatted(name));
            }
        }
        return Exit.OK;
    }

    /** Jobs that name it may come later, so it is held all the same; more often the name is misspelt. */
    private void noteIfUnknown(Headgate headgate) {
        Set<GateKey> policies = headgate.policies().all().keySet();
        Set<String> gates = new Known(headgate.overview(), policies).gates();
        if (!gates.contains(name)
                && GateShape.cover(GateKey.gate(name), policies).isEmpty()) {
            shell.note("gate '%s': no policy of this store covers it, and no job has come to it yet%s"
                    .formatted(name, Near.names(name, gates).isEmpty() ? "" : Near.hint(name, gates)));
        }
    }
}

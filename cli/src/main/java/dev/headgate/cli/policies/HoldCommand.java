package dev.headgate.cli.policies;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.TimeOption;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GateKey.Scope;
import dev.headgate.limit.Spans;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shuts a gate or queue for a time. */
@Command(
        name = "hold",
        description = "Shut it for a time, for every worker at once; what runs goes on. The later of two ends counts.")
public final class HoldCommand implements Callable<Integer> {
    private final CommandContext shell;
    private final Scope scope;

    @Parameters(index = "0", paramLabel = "NAME", description = "its name")
    private String name = "";

    @Parameters(
            index = "1",
            paramLabel = "WHEN",
            description = "for how long, such as 30s or 10m, or until when, such as 2030-01-31T09:00")
    private TimeOption when = new TimeOption.In(Duration.ZERO);

    @Option(names = "--because", paramLabel = "TEXT", description = "shown to everyone who asks why a job waits")
    private String reason = "held by an operator";

    public HoldCommand(CommandContext shell, Scope scope) {
        this.shell = shell;
        this.scope = scope;
    }

    @Override
    public Integer call() {
        try (Headgate headgate = shell.openToChange()) {
            GateKey key = new GateKey(scope, name);
            NameChecks.remark(headgate, key, "hold").ifPresent(shell::note);
            boolean isNew = hold(headgate, key);
            if (shell.isJson()) {
                shell.say(JsonWriter.object().put("name", name).put("held", isNew));
            } else {
                shell.say(isNew ? "%s: shut %s".formatted(key, text()) : key + ": is shut for longer already");
            }
        }
        return ExitCode.OK;
    }

    private boolean hold(Headgate headgate, GateKey key) {
        return switch (when) {
            case TimeOption.In(Duration span) -> headgate.controls().hold(key, span, reason);
            case TimeOption.At(Instant until) -> headgate.controls().holdUntil(key, until, reason);
        };
    }

    private String text() {
        return switch (when) {
            case TimeOption.In(Duration span) -> "for " + Spans.text(span);
            case TimeOption.At(Instant until) -> "until " + until;
        };
    }
}

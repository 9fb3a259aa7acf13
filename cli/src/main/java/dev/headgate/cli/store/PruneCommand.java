package dev.headgate.cli.store;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.display.Wording;
import dev.headgate.internal.json.JsonWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Deletes old history. */
@Command(
        name = "prune",
        description = "Delete jobs that ended longer ago than this. Workers do it by themselves after 7 days.")
public final class PruneCommand implements Callable<Integer> {
    private final CommandContext shell;

    @Option(names = "--older-than", required = true, paramLabel = "SPAN", description = "such as 12h or 30d")
    private Duration olderThan = Duration.ZERO;

    public PruneCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        try (Headgate headgate = shell.openToChange()) {
            int pruned = headgate.prune(olderThan);
            if (shell.isJson()) {
                shell.say(JsonWriter.object().put("pruned", pruned));
            } else {
                shell.say("%s deleted".formatted(Wording.count(pruned, "ended job")));
            }
        }
        return ExitCode.OK;
    }
}

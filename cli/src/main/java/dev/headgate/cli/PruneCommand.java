package dev.headgate.cli;

import dev.headgate.Headgate;
import dev.headgate.cli.text.Json;
import dev.headgate.cli.text.Spoken;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Deletes old history. */
@Command(
        name = "prune",
        description = "Delete jobs that ended longer ago than this. Workers do it by themselves after 7 days.")
final class PruneCommand implements Callable<Integer> {
    private final Shell shell;

    @Option(names = "--older-than", required = true, paramLabel = "SPAN", description = "such as 12h or 30d")
    private Duration olderThan = Duration.ZERO;

    PruneCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        try (Headgate headgate = shell.openToChange()) {
            int pruned = headgate.prune(olderThan);
            if (shell.isJson()) {
                shell.say(Json.object().put("pruned", pruned));
            } else {
                shell.say("%s deleted".formatted(Spoken.count(pruned, "ended job")));
            }
        }
        return Exit.OK;
    }
}

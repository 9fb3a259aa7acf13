package dev.headgate.cli.jobs;

import dev.headgate.Enqueuer;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.CommandException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How jobs are loaded from a file. */
final class LoadOptions {
    private static final int BATCH_DEFAULT = 5_000;

    @Option(
            names = "--from",
            paramLabel = "FILE",
            description =
                    "one job for each line, such as {\"type\":\"echo\",\"payload\":{},\"queue\":\"mail\"}; - reads standard input."
                            + " All lines are checked first; then whole batches are stored, in order")
    private @Nullable Path from;

    @Option(names = "--skip", paramLabel = "N", description = "leave out the first N lines, to go on after a stop")
    private @Nullable Long skip;

    @Option(
            names = "--batch",
            paramLabel = "N",
            description =
                    "jobs in one transaction, 1 to " + Enqueuer.BATCH_MAX + "; " + BATCH_DEFAULT + " if not given")
    private @Nullable Integer batch;

    @Option(names = "--dry-run", description = "check all lines and store nothing")
    private boolean isDryRun;

    /** Whether jobs come from a file. */
    boolean isUsed() {
        if (from == null && (skip != null || batch != null || isDryRun)) {
            throw CommandException.usage("--skip, --batch, --dry-run: expected --from FILE beside them, got none");
        }
        if (skip != null && skip < 0) {
            throw CommandException.usage("--skip: expected 0 or more lines, got %d".formatted(skip));
        }
        if (batch != null && (batch < 1 || batch > Enqueuer.BATCH_MAX)) {
            throw CommandException.usage("--batch: expected 1 to %d, got %d".formatted(Enqueuer.BATCH_MAX, batch));
        }
        return from != null;
    }

    boolean isDryRun() {
        return isDryRun;
    }

    JobFile open(InputStream standardInput) throws IOException {
        return JobFile.open(String.valueOf(from), standardInput);
    }

    JobFileLoad loading(CommandContext shell, JobFile file, JobLine reader) {
        return new JobFileLoad(shell, file, reader, skip == null ? 0 : skip, batch == null ? BATCH_DEFAULT : batch);
    }
}

package dev.headgate.cli.jobs;

import dev.headgate.Enqueued;
import dev.headgate.Enqueuer;
import dev.headgate.Headgate;
import dev.headgate.JobOptions;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.CommandException;
import dev.headgate.cli.display.ProgressBar;
import dev.headgate.job.JobType;
import dev.headgate.store.StoreUnavailableException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import tools.jackson.databind.util.RawValue;

/** Enqueues any number of jobs, as many in one transaction as a store takes, and shows progress if it takes long. */
final class BulkEnqueue {
    private final CommandContext shell;
    private final Headgate headgate;
    /** Payloads are checked JSON text already and go to the store as they are. */
    private final JobType<RawValue> type;

    private final Consumer<JobOptions> options;
    private final List<Enqueued> done = new ArrayList<>();

    BulkEnqueue(CommandContext shell, Headgate headgate, String type, Consumer<JobOptions> options) {
        this.shell = shell;
        this.headgate = headgate;
        this.type = JobType.of(type, RawValue.class);
        this.options = options;
    }

    List<Enqueued> enqueue(Payloads payloads) throws IOException {
        List<RawValue> chunk = new ArrayList<>();
        try (ProgressBar gauge = new ProgressBar(shell, "stored", "job", payloads.size())) {
            payloads.each(payload -> {
                chunk.add(new RawValue(payload));
                if (chunk.size() == Enqueuer.BATCH_MAX) {
                    store(chunk, payloads.size());
                    gauge.show(done.size());
                }
            });
            store(chunk, payloads.size());
            gauge.done();
        }
        return done;
    }

    private void store(List<RawValue> chunk, long size) {
        try {
            done.addAll(headgate.enqueueAll(type, List.copyOf(chunk), (payload, job) -> options.accept(job)));
            chunk.clear();
        } catch (StoreUnavailableException unavailable) {
            if (done.isEmpty()) {
                throw unavailable;
            }
            throw CommandException.store("%s; the first %d of %d jobs are stored, up to job %s"
                    .formatted(
                            unavailable.getMessage(),
                            done.size(),
                            size,
                            done.getLast().id()));
        }
    }
}

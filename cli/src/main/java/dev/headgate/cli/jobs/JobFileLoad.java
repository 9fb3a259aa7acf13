package dev.headgate.cli.jobs;

import dev.headgate.Enqueued;
import dev.headgate.Headgate;
import dev.headgate.JsonJob;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.CommandException;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.display.ProgressBar;
import dev.headgate.cli.display.Wording;
import dev.headgate.internal.json.JsonCodec;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.job.JobId;
import dev.headgate.store.StoreUnavailableException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Stores the jobs of a file. All lines are checked before the first is stored. Then batch after batch is stored whole,
 * in order, so at any moment the jobs of all lines up to some line are stored and none behind it. If it ends early, the
 * message names that line, and {@code --skip} continues from there.
 */
final class JobFileLoad {
    private static final int FAULTS_SHOWN = 10;

    private final CommandContext shell;
    private final JobFile file;
    private final JobLine reader;
    private final JsonCodec codec = new JsonCodec();
    private final BuiltInPayloadCheck known = new BuiltInPayloadCheck(codec);
    private final long skip;
    private final int batchSize;

    private final List<String> faults = new ArrayList<>();
    private long faulty;
    private long jobs;
    private long lines;

    private final List<JsonJob> batch = new ArrayList<>();
    private final List<Long> batchLines = new ArrayList<>();
    private long batchFrom;
    private long batchTo;
    private long storedTo;
    private long stored;
    private long existing;
    private @Nullable JobId first;
    private @Nullable JobId last;
    private final AtomicInteger stopExit = new AtomicInteger();

    /** @param skip how many lines at the beginning of the file to leave out */
    JobFileLoad(CommandContext shell, JobFile file, JobLine reader, long skip, int batchSize) {
        this.shell = shell;
        this.file = file;
        this.reader = reader;
        this.skip = skip;
        this.batchSize = batchSize;
        this.storedTo = skip;
    }

    /**
     * Checks all lines; reports those that are no jobs, with their numbers.
     *
     * @param headgate the store whose policies they have to meet; absent if there is none yet
     */
    void check(@Nullable Headgate headgate) throws IOException {
        lines = file.each(skip, (number, text, isTooLong) -> check(headgate, number, text, isTooLong));
        if (faulty > 0) {
            faults.forEach(shell::note);
            throw CommandException.usage("%s: expected a job on each line, found %s that %s none%s; nothing was stored"
                    .formatted(
                            file.name(),
                            Wording.count(faulty, "line"),
                            faulty == 1 ? "is" : "are",
                            faulty > faults.size() ? " (the first %d are above)".formatted(faults.size()) : ""));
        }
        if (jobs == 0) {
            throw CommandException.usage(
                    skip == 0
                            ? "%s: expected a job on each line, found no line".formatted(file.name())
                            : "%s: expected lines behind the first %d, found none".formatted(file.name(), skip));
        }
    }

    private boolean check(@Nullable Headgate headgate, long number, String text, boolean isTooLong) {
        try {
            if (isTooLong) {
                throw new IllegalArgumentException(
                        "expected at most %d bytes of payload, got a line that is longer; keep large content elsewhere and pass where it is"
                                .formatted(JsonCodec.BYTES_MAX));
            }
            JsonJob job = reader.read(text);
            if (headgate == null) {
                job.check();
            } else {
                job.check(headgate.policies());
            }
            known.check("payload of '%s'".formatted(job.type()), job.type(), job.json());
            jobs++;
        } catch (IllegalArgumentException | CommandException wrong) {
            faulty++;
            if (faults.size() < FAULTS_SHOWN) {
                faults.add("%s, line %d: %s".formatted(file.name(), number, wrong.getMessage()));
            }
        }
        return true;
    }

    /** Says what would be stored. */
    int tellOnly() {
        if (shell.isJson()) {
            tellInJson(true);
        } else {
            shell.say("%s in lines %d to %d; nothing was stored, because this is a dry run"
                    .formatted(Wording.count(jobs, "good job"), skip + 1, lines));
        }
        return ExitCode.OK;
    }

    int store(Headgate headgate) throws IOException {
        shell.signals().onFirst(stopExit::set);
        try (ProgressBar gauge = new ProgressBar(shell, "stored", "job", jobs)) {
            file.each(skip, (number, text, isTooLong) -> add(headgate, gauge, number, text));
            if (stopExit.get() == 0) {
                store(headgate, gauge);
                gauge.done();
            }
        }
        tell();
        return stopExit.get();
    }

    private boolean add(Headgate headgate, ProgressBar gauge, long number, String text) {
        if (batch.isEmpty()) {
            batchFrom = number;
        }
        batchTo = number;
        batch.add(reader.read(text));
        batchLines.add(number);
        if (batch.size() == batchSize) {
            store(headgate, gauge);
        }
        return stopExit.get() == 0;
    }

    private void store(Headgate headgate, ProgressBar gauge) {
        if (batch.isEmpty()) {
            return;
        }
        try {
            for (Enqueued job : headgate.enqueueAllJson(batch)) {
                if (job.isNew()) {
                    first = first == null ? job.id() : first;
                    last = job.id();
                    stored++;
                } else {
                    existing++;
                }
            }
        } catch (StoreUnavailableException unavailable) {
            throw CommandException.store(
                    "%s; %s; lines %d to %d may be stored or not: look, then go on with --skip %d or --skip %d"
                            .formatted(unavailable.getMessage(), soFar(), batchFrom, batchTo, storedTo, batchTo));
        } catch (IllegalArgumentException refused) {
            String message = "%s, %s: %s; %s; mend the line and go on with --skip %d"
                    .formatted(file.name(), refusedLines(headgate), refused.getMessage(), soFar(), storedTo);
            throw stored + existing == 0 ? CommandException.usage(message) : CommandException.bad(message);
        }
        batch.clear();
        batchLines.clear();
        storedTo = batchTo;
        gauge.show(stored + existing);
    }

    /** Where the job is that was refused: policies have changed since the lines were checked. */
    private String refusedLines(Headgate headgate) {
        for (int i = 0; i < batch.size(); i++) {
            try {
                batch.get(i).check(headgate.policies());
            } catch (IllegalArgumentException wrong) {
                return "line %d".formatted(batchLines.get(i));
            }
        }
        return "lines %d to %d".formatted(batchFrom, batchTo);
    }

    private String soFar() {
        return stored + existing == 0
                ? "none of the lines before is stored by this run"
                : "%s of the lines up to %d are stored".formatted(Wording.count(stored + existing, "job"), storedTo);
    }

    private void tell() {
        if (shell.isJson()) {
            tellInJson(false);
        } else {
            shell.say("%s stored%s%s"
                    .formatted(
                            Wording.count(stored, "job"),
                            ids(),
                            existing == 0
                                    ? ""
                                    : "; %,d not stored again, because a live job carries the same dedup key"
                                            .formatted(existing)));
        }
        if (stopExit.get() != 0) {
            shell.note("stopped behind line %d of %s; go on with --skip %d".formatted(storedTo, file.name(), storedTo));
        }
    }

    private String ids() {
        if (first == null || last == null) {
            return "";
        }
        return first.equals(last) ? ": " + first : ": %s to %s".formatted(first, last);
    }

    private void tellInJson(boolean isDryRun) {
        shell.say(JsonWriter.object()
                .put("jobs", jobs)
                .put("new", stored)
                .put("existing", existing)
                .put("skipped", skip)
                .put("storedToLine", isDryRun ? null : storedTo)
                .put("firstId", first == null ? null : first.value())
                .put("lastId", last == null ? null : last.value())
                .put("dryRun", isDryRun));
    }
}

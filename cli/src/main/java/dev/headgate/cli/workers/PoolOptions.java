package dev.headgate.cli.workers;

import dev.headgate.cli.CommandException;
import dev.headgate.resource.PoolBounds;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How many jobs a worker runs at once, and in how many processes. */
final class PoolOptions {
    private static final int SLOTS_DEFAULT = 10;
    private static final int PROCESSES_MAX = 1_000;
    private static final Pattern RANGE = Pattern.compile("(\\d{1,9})(?:\\.\\.(\\d{1,9}))?");

    @Option(names = "--slots", paramLabel = "N", description = "how many jobs it runs at once; 10 if not given")
    private @Nullable Integer slots;

    @Option(
            names = "--min-slots",
            paramLabel = "N",
            description = "with --max-slots: at least so many at once, more while more could start; 1 if not given")
    private @Nullable Integer minSlots;

    @Option(names = "--max-slots", paramLabel = "N", description = "at most so many at once")
    private @Nullable Integer maxSlots;

    @Option(
            names = "--processes",
            paramLabel = "N|MIN..MAX",
            description = "run so many processes of this worker, each with its slots: 4, or 2..6 as there is to do")
    private @Nullable String processes;

    @Option(
            names = "--scale-every",
            paramLabel = "SPAN",
            description = "how often slots and processes are adjusted; 5s if not given")
    private @Nullable Duration every;

    @Option(
            names = "--idle-grace",
            paramLabel = "SPAN",
            description = "how long fewer must have been enough before there are fewer; 1m if not given")
    private @Nullable Duration idleGrace;

    PoolBounds slots() {
        if (minSlots == null && maxSlots == null) {
            return timed(PoolBounds.fixed(slots == null ? SLOTS_DEFAULT : slots));
        }
        if (slots != null) {
            throw CommandException.usage("expected --slots, or --min-slots and --max-slots, got both");
        }
        if (maxSlots == null) {
            throw CommandException.usage(
                    "--min-slots: expected --max-slots with it, got none; for a fixed number take --slots");
        }
        return timed(PoolBounds.between(minSlots == null ? 1 : minSlots, maxSlots));
    }

    /** Absent if it runs in this process. */
    @Nullable
    PoolBounds processes() {
        if (processes == null) {
            return null;
        }
        Matcher range = RANGE.matcher(processes);
        if (!range.matches()) {
            throw CommandException.usage(
                    "--processes: expected a number or a range such as 2..6, got '%s'".formatted(processes));
        }
        int min = Integer.parseInt(range.group(1));
        PoolBounds bounds =
                timed(PoolBounds.between(min, range.group(2) == null ? min : Integer.parseInt(range.group(2))));
        List<String> faults = bounds.faults("--processes", PROCESSES_MAX);
        if (!faults.isEmpty()) {
            throw CommandException.usage(String.join("; ", faults));
        }
        return bounds;
    }

    private PoolBounds timed(PoolBounds bounds) {
        PoolBounds timed = every == null ? bounds : bounds.every(every);
        return idleGrace == null ? timed : timed.idleGrace(idleGrace);
    }
}

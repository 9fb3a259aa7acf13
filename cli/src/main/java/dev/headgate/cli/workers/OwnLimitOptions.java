package dev.headgate.cli.workers;

import dev.headgate.WorkerBuilder;
import dev.headgate.cli.CommandException;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Limit;
import dev.headgate.limit.Margin;
import dev.headgate.limit.Quota;
import dev.headgate.limit.Rate;
import dev.headgate.limit.Spaced;
import dev.headgate.limit.Window;
import dev.headgate.limiter.Limiter;
import dev.headgate.resource.Headroom;
import dev.headgate.resource.Needs;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a worker limits by itself, for its own process: starts, memory and other resources. */
final class OwnLimitOptions {
    private static final Pattern SIZE = Pattern.compile("(\\d{1,9})\\s*(k|m|g)b?");

    @Option(
            names = "--limit",
            paramLabel = "LIMIT",
            description =
                    "a limit of this worker alone, such as \"window 10/1s\", in the words of 'gate set'; may be given"
                            + " several times. Limits over all workers belong to gates and queues")
    private List<String> limits = List.of();

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            description = "its jobs get no more memory than this, such as 512MB or 2GB; all of the heap if not given")
    private @Nullable String memory;

    @Option(
            names = "--margin",
            paramLabel = "SIZE",
            description = "so much of the heap is kept free of jobs; an eighth of it if not given")
    private @Nullable String margin;

    @Option(
            names = "--amount",
            paramLabel = "NAME=N",
            description = "so much of a resource that jobs need, such as gpu=2; may be given several times")
    private List<String> amounts = List.of();

    @Option(
            names = "--ignore-room",
            description = "start whatever the gates let pass, whether or not it fits the memory")
    private boolean isRoomIgnored;

    /** Complains about what cannot be, before anything is opened. */
    void check() {
        limiter();
        headroom();
    }

    /** With several processes, each has these limits for itself. */
    WorkerBuilder on(WorkerBuilder worker) {
        GatePolicy own = limiter();
        WorkerBuilder roomy = worker.headroom(headroom());
        return own.limits().isEmpty() ? roomy : roomy.limiter(Limiter.inProcess(own));
    }

    private GatePolicy limiter() {
        try {
            List<Limit> all = new ArrayList<>();
            for (String each : limits) {
                List<Limit> read = Limit.parseAll(each);
                if (read.isEmpty()) {
                    throw new IllegalArgumentException(
                            "expected a limit such as \"window 10/1s\" or \"concurrency 3\", got nothing");
                }
                read.forEach(OwnLimitOptions::refuseMargin);
                all.addAll(read);
            }
            return GatePolicy.of(all.toArray(Limit[]::new));
        } catch (IllegalArgumentException wrong) {
            throw CommandException.usage("--limit: %s".formatted(wrong.getMessage()));
        }
    }

    /** A worker counts a start when its handler is entered, so there is no way that a margin could cover. */
    private static void refuseMargin(Limit limit) {
        Margin margin =
                switch (limit) {
                    case Rate rate -> rate.margin();
                    case Window window -> window.margin();
                    case Spaced spaced -> spaced.margin();
                    case Quota quota -> quota.margin();
                    default -> Margin.AUTO;
                };
        if (!margin.equals(Margin.AUTO)) {
            throw new IllegalArgumentException(
                    "expected no margin, got 'margin %s'; a worker counts a start when its handler is entered, so leave it out"
                            .formatted(margin.text()));
        }
    }

    private Headroom headroom() {
        if (isRoomIgnored) {
            String other =
                    memory != null ? "--memory" : margin != null ? "--margin" : amounts.isEmpty() ? "" : "--amount";
            if (!other.isEmpty()) {
                throw CommandException.usage("expected one of --ignore-room and %s, got both".formatted(other));
            }
            return Headroom.ignored();
        }
        Headroom room = Headroom.system();
        if (memory != null) {
            room = room.memory(bytes("--memory", memory));
        }
        if (margin != null) {
            long heap = Runtime.getRuntime().maxMemory();
            long kept = bytes("--margin", margin);
            if (kept >= heap) {
                throw CommandException.usage(
                        "--margin: expected less than the heap of %s, of which nothing would be left for jobs, got '%s'; a larger heap: HEADGATE_JAVA_OPTS=-Xmx4g"
                                .formatted(Needs.spoken(Needs.MEMORY, heap), margin));
            }
            room = room.margin(kept);
        }
        for (String each : amounts) {
            int sign = each.lastIndexOf('=');
            try {
                room = room.amount(each.substring(0, Math.max(0, sign)), Long.parseLong(each.substring(sign + 1)));
            } catch (NumberFormatException notWhole) {
                throw CommandException.usage(
                        "--amount: expected NAME=N with a whole number, such as gpu=2, got '%s'".formatted(each));
            } catch (IllegalArgumentException wrong) {
                throw CommandException.usage("--amount: %s".formatted(wrong.getMessage()));
            }
        }
        return room;
    }

    private static long bytes(String option, String text) {
        Matcher size = SIZE.matcher(text.strip().toLowerCase(Locale.ROOT));
        long number = size.matches() ? Long.parseLong(size.group(1)) : 0;
        if (number == 0) {
            throw CommandException.usage("%s: expected a size such as 512MB or 2GB, got '%s'".formatted(option, text));
        }
        int shift =
                switch (size.group(2)) {
                    case "k" -> 10;
                    case "m" -> 20;
                    default -> 30;
                };
        return number << shift;
    }
}

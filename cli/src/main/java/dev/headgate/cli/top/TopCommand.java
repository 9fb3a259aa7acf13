package dev.headgate.cli.top;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.CommandException;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.display.Table;
import dev.headgate.cli.policies.ChangeAuthor;
import dev.headgate.cli.policies.GateRows;
import dev.headgate.cli.top.Section.Row;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.server.api.QueueFigures;
import dev.headgate.server.api.StatusJson;
import dev.headgate.server.api.WorkerJson;
import dev.headgate.store.StoreUnavailableException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows the store live. */
@Command(
        name = "top",
        description =
                "Show queues, gates, workers and the longest waits, refreshed in place; keys sort, filter, pause and"
                        + " explain. Prints them once where the output is no terminal.",
        footerHeading = "%nKeys:%n",
        footer = {
            "  tab the next list, up and down a row, s sort by the next column, r reverse, / filter,",
            "  p pause or resume the queue or gate, e explain the job, space refresh, h help, q quit"
        })
public final class TopCommand implements Callable<Integer> {
    private static final Duration EVERY_MIN = Duration.ofMillis(100);

    private final CommandContext shell;

    @Option(names = "--every", paramLabel = "SPAN", description = "how often to look; 2s if not given, 100ms at least")
    private Duration every = Duration.ofSeconds(2);

    @Option(names = "--once", description = "print one picture and end")
    private boolean isOnce;

    @Option(names = "--filter", paramLabel = "TEXT", description = "only rows with this text in any cell")
    private String filter = "";

    @Mixin
    private ChangeAuthor signature = new ChangeAuthor();

    public TopCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() throws InterruptedException {
        if (every.compareTo(EVERY_MIN) < 0) {
            throw CommandException.usage("--every: expected 100ms or more, got %d ms".formatted(every.toMillis()));
        }
        if (shell.isJson() && !filter.isEmpty()) {
            throw CommandException.usage("expected one of --filter and --json, got both; --json has every row");
        }
        shell.sayNothingMeanwhile();
        try (Headgate headgate = shell.open()) {
            if (shell.isJson()) {
                return isOnce ? json(headgate) : stream(headgate);
            }
            if (!isOnce && shell.terminal().isLive()) {
                try {
                    return new LiveTop(shell, every, filter)
                            .run(headgate, new StoreReader.Signature(signature.author(), signature.reason()));
                } catch (IOException unusable) {
                    shell.note("top: cannot read keys from this terminal (%s), so this is one picture"
                            .formatted(unusable.getMessage()));
                }
            }
            print(Reading.of(headgate));
        }
        return ExitCode.OK;
    }

    private void print(Reading reading) {
        shell.say(reading.store());
        List<Section> sections = Sections.of(reading);
        for (int i = 0; i < sections.size(); i++) {
            Section section = sections.get(i);
            List<Row> rows = section.shown(filter, Sections.usualOrder().get(i), false);
            shell.say("");
            if (rows.isEmpty()) {
                shell.say("no %s%s".formatted(section.about(), filter.isEmpty() ? "" : " match '" + filter + "'"));
            } else {
                Table table = new Table(
                        section.columns().stream().map(Section.Column::heading).toArray(String[]::new));
                rows.forEach(row ->
                        table.row(row.cells().stream().map(Section.Cell::text).toArray()));
                shell.say(table);
            }
        }
    }

    /** A document for each look, until a signal or until the reader has gone. */
    private int stream(Headgate headgate) throws InterruptedException {
        AtomicInteger exit = new AtomicInteger(ExitCode.OK);
        CountDownLatch end = new CountDownLatch(1);
        shell.signals().onFirst(code -> {
            exit.set(code);
            end.countDown();
        });
        long rest;
        do {
            long start = System.nanoTime();
            try {
                json(headgate);
            } catch (StoreUnavailableException away) {
                shell.note("headgate: %s; it goes on looking".formatted(away.getMessage()));
            }
            rest = StoreReader.rest(every, System.nanoTime() - start);
        } while (!shell.out().checkError() && !end.await(rest, TimeUnit.NANOSECONDS));
        return exit.get();
    }

    private int json(Headgate headgate) {
        Reading reading = Reading.of(headgate);
        GateRows gates = new GateRows(reading.policies(), reading.overview().at());
        QueueFigures queues = new QueueFigures(reading.overview(), reading.oldest());
        shell.say(JsonWriter.object()
                .put("store", reading.store())
                .put("at", reading.overview().at())
                .put("queues", queues.json())
                .put(
                        "gates",
                        reading.overview().gates().stream().map(gates::json).toList())
                .put("workers", WorkerJson.all(reading.overview().workers()))
                .put("paused", StatusJson.paused(reading.paused()))
                .put(
                        "waits",
                        reading.waits().stream()
                                .map(wait ->
                                        StatusJson.wait(wait, reading.overview().at()))
                                .toList()));
        return ExitCode.OK;
    }
}

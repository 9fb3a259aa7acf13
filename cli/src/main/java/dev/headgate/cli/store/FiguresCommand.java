package dev.headgate.cli.store;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.CommandException;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.display.Sparkline;
import dev.headgate.cli.display.Table;
import dev.headgate.cli.display.Wording;
import dev.headgate.figure.FigureFilter;
import dev.headgate.figure.FigurePoint;
import dev.headgate.figure.FigurePoint.Counts;
import dev.headgate.figure.FigureReport;
import dev.headgate.figure.FigureSeries;
import dev.headgate.figure.Histogram;
import dev.headgate.limit.Spans;
import dev.headgate.server.api.FigureJson;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows figures over time. */
@Command(
        name = "figures",
        description = "Show what happened over time, by queue, job type and gate.",
        footer = {
            "",
            "Examples:",
            "  headgate figures",
            "  headgate figures --queue mail --since 15m --step 1m",
            "  headgate figures --gate 'tenant:*' --since 7d --json",
            "",
            "Without a name each row is a queue, job type or gate, with what happened in all and a bar for each step;",
            "with one, each row is a step. Gates behind a pattern are counted under its name; with --gate and the pattern",
            "the busiest of them follow, as key. '*' is all that have no series of their own.",
            "FAILED are attempts that failed, also if they are tried again. BACK came back without having counted.",
            "WAITED and RAN are times that 95 of 100 did not exceed. What happened less than about twenty seconds ago may",
            "be missing, and so may the last seconds of a process that was killed: 'headgate verify-history' proves,",
            "figures do not."
        })
public final class FiguresCommand implements Callable<Integer> {
    private static final int LONG = 95;

    private final CommandContext shell;

    @Option(names = "--queue", paramLabel = "NAME", description = "only this queue, step by step")
    private @Nullable String queue;

    @Option(names = "--type", paramLabel = "NAME", description = "only this job type, step by step")
    private @Nullable String type;

    @Option(names = "--gate", paramLabel = "NAME", description = "only this gate or pattern of gates, step by step")
    private @Nullable String gate;

    @Option(names = "--since", paramLabel = "SPAN", description = "how far back, up to 30d; 1h if not given")
    private String since = "1h";

    @Option(
            names = "--step",
            paramLabel = "SPAN",
            description = "how long each step is: a multiple of 10s, of 10m for what is older than 24h")
    private @Nullable String step;

    public FiguresCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        FigureFilter filter = filter();
        try (Headgate headgate = shell.open()) {
            FigureReport report = headgate.figures().read(filter);
            if (shell.isJson()) {
                shell.say(FigureJson.of(report));
            } else if (report.series().isEmpty()) {
                shell.say("nothing was counted in this time");
            } else if (filter.name() == null) {
                shell.say(overview(report.series()));
            } else {
                steps(report.series());
            }
        }
        return ExitCode.OK;
    }

    private FigureFilter filter() {
        int names = (queue == null ? 0 : 1) + (type == null ? 0 : 1) + (gate == null ? 0 : 1);
        if (names > 1) {
            throw CommandException.usage("expected one of --queue, --type and --gate, got more");
        }
        FigureFilter filter = FigureFilter.last(Spans.parse(since));
        if (queue != null) {
            filter = filter.queue(queue);
        } else if (type != null) {
            filter = filter.type(type);
        } else if (gate != null) {
            filter = filter.gate(gate);
        }
        return step == null ? filter : filter.step(Spans.parse(step));
    }

    private static Table overview(List<FigureSeries> all) {
        Table table = new Table(
                "KIND",
                "NAME",
                ">ENQUEUED",
                ">STARTED",
                ">SUCCEEDED",
                ">FAILED",
                ">LOST",
                ">BACK",
                ">REFUSED",
                ">IN USE",
                "STARTED");
        for (FigureSeries series : all) {
            table.row(
                    series.kind().text(),
                    series.name(),
                    sum(series, Counts::enqueued),
                    sum(series, Counts::started),
                    sum(series, Counts::succeeded),
                    sum(series, FiguresCommand::failed),
                    sum(series, Counts::lost),
                    sum(series, Counts::handedBack),
                    "%,d"
                            .formatted(series.points().stream()
                                    .mapToLong(FigurePoint::refusals)
                                    .sum()),
                    "%,d"
                            .formatted(series.points().stream()
                                    .mapToLong(FigurePoint::inUse)
                                    .max()
                                    .orElse(0)),
                    Sparkline.of(series.points().stream()
                            .map(point -> point.counts().started())
                            .toList()));
        }
        return table;
    }

    private static long failed(Counts counts) {
        return counts.failed() + counts.retried();
    }

    private static String sum(FigureSeries series, ToLongFunction<Counts> which) {
        return "%,d"
                .formatted(series.points().stream()
                        .mapToLong(point -> which.applyAsLong(point.counts()))
                        .sum());
    }

    private void steps(List<FigureSeries> all) {
        for (FigureSeries series : all) {
            if (all.size() > 1) {
                shell.say("%s %s".formatted(series.kind().text(), series.name()));
            }
            shell.say(steps(series));
        }
    }

    private static Table steps(FigureSeries series) {
        Table table = new Table(
                "FROM",
                ">ENQUEUED",
                ">STARTED",
                ">SUCCEEDED",
                ">FAILED",
                ">LOST",
                ">BACK",
                ">REFUSED",
                ">IN USE",
                ">WAITED",
                ">RAN",
                "STARTED");
        long most = series.points().stream()
                .mapToLong(point -> point.counts().started())
                .max()
                .orElse(0);
        for (FigurePoint point : series.points()) {
            Counts counts = point.counts();
            table.row(
                    point.at(),
                    "%,d".formatted(counts.enqueued()),
                    "%,d".formatted(counts.started()),
                    "%,d".formatted(counts.succeeded()),
                    "%,d".formatted(failed(counts)),
                    "%,d".formatted(counts.lost()),
                    "%,d".formatted(counts.handedBack()),
                    "%,d".formatted(point.refusals()),
                    "%,d".formatted(point.inUse()),
                    span(point.waited()),
                    span(point.ran()),
                    Sparkline.bar(counts.started(), most));
        }
        return table;
    }

    private static String span(Histogram times) {
        Duration high = times.percentile(LONG);
        return times.count() == 0 ? "-" : "≤ " + Wording.span(high);
    }
}

package dev.headgate.cli.simulation;

import dev.headgate.Headgate;
import dev.headgate.Simulation;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.CommandException;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.display.ProgressBar;
import dev.headgate.cli.display.Table;
import dev.headgate.cli.display.Wording;
import dev.headgate.cli.policies.PolicyFiles;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.server.simulation.ArrivalPattern;
import dev.headgate.server.simulation.RunTimes;
import dev.headgate.server.simulation.WhatIf;
import dev.headgate.simulate.Forecast;
import dev.headgate.simulate.Forecast.KeyForecast;
import dev.headgate.simulate.Forecast.LimitUse;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Simulates the backlog, or future jobs, under policies in virtual time. */
@Command(
        name = "simulate",
        description =
                "Play the backlog, or jobs to come, against stored policies or a file's, in virtual time, with the"
                        + " code that decides for real. Changes nothing.",
        footer = {
            "",
            "Examples:",
            "  headgate simulate                                     when will the backlog have started?",
            "  headgate simulate --policy limits.yaml                … and with these limits?",
            "  headgate simulate --arrivals \"50/1s for 2m gate openai cost 3 run 400ms\" --slots 100"
        })
public final class SimulateCommand implements Callable<Integer> {
    private static final int KEYS_SHOWN_MAX = 20;

    private final CommandContext shell;

    @Option(
            names = "--policy",
            paramLabel = "FILE",
            description = "laid over the stored policies; - for standard input")
    private @Nullable Path file;

    @Option(names = "--backlog", description = "play what waits and runs in the store; the default without --arrivals")
    private boolean isBacklog;

    @Option(
            names = "--arrivals",
            paramLabel = "SPEC",
            description = "jobs to come: N at once, or N/SPAN for SPAN; then queue, gate, cost, run, after")
    private List<String> arrivals = List.of();

    @Option(names = "--slots", paramLabel = "N", description = "jobs at once; default: those of live workers, else 10")
    private @Nullable Integer slots;

    @Option(names = "--duration", paramLabel = "SPAN", description = "how far to look; default: ${DEFAULT-VALUE}")
    private Duration longest = Duration.ofDays(7);

    @Option(
            names = "--run",
            paramLabel = "SPAN",
            description = "how long jobs run; default: as the latest of their type in history, else 1s")
    private @Nullable Duration run;

    @Option(
            names = "--turn",
            paramLabel = "SPAN",
            description = "what a worker adds to a run that is told or guessed; history has it already; default: 5ms")
    private Duration turn = Duration.ofMillis(5);

    public SimulateCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() throws IOException {
        List<ArrivalPattern> patterns =
                arrivals.stream().map(ArrivalPattern::parse).toList();
        WhatIf asked = whatIf(patterns);
        Map<GateKey, GatePolicy> laidOver = file == null ? Map.of() : PolicyFiles.read(file.toString(), shell.in());
        try (Headgate headgate = shell.open()) {
            RunTimes times = new RunTimes(headgate, run, turn);
            Simulation simulation = asked.on(headgate, laidOver, times);
            tell(play(simulation), simulation, times);
        }
        return ExitCode.OK;
    }

    private WhatIf whatIf(List<ArrivalPattern> patterns) {
        try {
            return new WhatIf(isBacklog, patterns, slots, longest, run, turn);
        } catch (IllegalArgumentException wrong) {
            throw CommandException.usage("--" + wrong.getMessage());
        }
    }

    private Forecast play(Simulation simulation) {
        try (ProgressBar gauge = new ProgressBar(shell, "played", "job", simulation.jobs())) {
            Forecast forecast = simulation.run(gauge::show);
            gauge.done();
            return forecast;
        }
    }

    private void tell(Forecast forecast, Simulation simulation, RunTimes times) {
        if (shell.isJson()) {
            shell.say(WhatIf.json(forecast, simulation, times));
            return;
        }
        if (!times.guessed().isEmpty()) {
            shell.note("no job of type %s has succeeded yet; each is taken to run %s; --run tells better"
                    .formatted(String.join(", ", times.guessed()), Wording.span(RunTimes.UNKNOWN)));
        }
        Duration last = forecast.lastStart();
        shell.say(
                last == null
                        ? "no job starts"
                        : "%s started with %s, the last after %s"
                                .formatted(
                                        Wording.count(forecast.started(), "job"),
                                        Wording.count(simulation.slots(), "slot"),
                                        Wording.span(last)));
        String assumed = line(times);
        if (assumed != null) {
            shell.say(assumed);
        }
        if (forecast.neverFit() > 0) {
            shell.say("%s can never start: more than a gate can ever give"
                    .formatted(Wording.count(forecast.neverFit(), "job")));
        }
        if (forecast.unstarted() > 0) {
            shell.say("%s not started after %s"
                    .formatted(Wording.count(forecast.unstarted(), "job"), Wording.span(longest)));
        }
        if (!forecast.keys().isEmpty()) {
            shell.say("");
            shell.say(table(forecast));
        }
    }

    private static Table table(Forecast forecast) {
        Table table = new Table("KEY", ">STARTS", ">WAIT P50", ">P95", ">MAX", ">PEAK", "USE OF ITS LIMITS");
        forecast.keys().stream()
                .sorted(Comparator.comparing((KeyForecast key) -> key.waits().max())
                        .reversed()
                        .thenComparing(KeyForecast::key))
                .limit(KEYS_SHOWN_MAX)
                .forEach(key -> table.row(
                        key.key(),
                        key.starts(),
                        Wording.span(key.waits().p50()),
                        Wording.span(key.waits().p95()),
                        Wording.span(key.waits().max()),
                        key.peak(),
                        uses(key)));
        return table;
    }

    private static String uses(KeyForecast key) {
        return key.limits().isEmpty()
                ? "no limits"
                : String.join(
                        "; ", key.limits().stream().map(SimulateCommand::use).toList());
    }

    private static String use(LimitUse use) {
        return use.percent() == null ? use.limit() : "%s: %d %%".formatted(use.limit(), use.percent());
    }

    /** What was assumed of run times, in a line; absent if the backlog was not simulated. */
    private static @Nullable String line(RunTimes times) {
        List<RunTimes.Assumed> assumed = times.assumed();
        if (assumed.isEmpty()) {
            return null;
        }
        Duration told = times.told();
        String each = told != null
                ? "%s for every job".formatted(Wording.span(told))
                : assumed.stream().map(SimulateCommand::text).collect(Collectors.joining(", "));
        boolean isAdded = told != null || !times.guessed().isEmpty();
        return "run times assumed: %s%s"
                .formatted(each, isAdded ? "; and %s for the turn".formatted(Wording.span(times.turn())) : "");
    }

    private static String text(RunTimes.Assumed type) {
        return type.runs() == 0
                ? "%s %s (a guess)".formatted(type.type(), Wording.span(RunTimes.UNKNOWN))
                : "%s as its latest %s, %s in the median with its turns"
                        .formatted(type.type(), Wording.count(type.runs(), "run"), Wording.span(type.median()));
    }
}

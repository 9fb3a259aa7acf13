package dev.headgate.cli.simulation;

import dev.headgate.Headgate;
import dev.headgate.Simulation;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.CommandException;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.display.ProgressBar;
import dev.headgate.cli.display.Table;
import dev.headgate.cli.display.Wording;
import dev.headgate.cli.policies.PolicyFile;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.simulate.Forecast;
import dev.headgate.simulate.Forecast.KeyForecast;
import dev.headgate.simulate.Forecast.LimitUse;
import dev.headgate.status.Overview.WorkerView;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
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
    private static final int JOBS_MAX = 1_000_000;
    private static final int KEYS_SHOWN_MAX = 20;
    private static final int SLOTS_DEFAULT = 10;

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
        long coming = patterns.stream().mapToLong(ArrivalPattern::count).sum();
        if (coming > JOBS_MAX) {
            throw CommandException.usage(
                    "--arrivals: expected at most %d jobs in all, got %d".formatted(JOBS_MAX, coming));
        }
        if (longest.isNegative() || longest.isZero() || longest.compareTo(Duration.ofDays(3660)) > 0) {
            throw CommandException.usage("--duration: expected more than zero and at most 3660d, got " + longest);
        }
        if (run != null && (run.isNegative() || run.compareTo(Duration.ofDays(366)) > 0)) {
            throw CommandException.usage("--run: expected zero to 366d, got " + run);
        }
        if (turn.isNegative() || turn.compareTo(Duration.ofHours(1)) > 0) {
            throw CommandException.usage("--turn: expected zero to 1h, got " + turn);
        }
        Map<GateKey, GatePolicy> laidOver = file == null ? Map.of() : PolicyFile.read(file.toString(), shell.in());
        try (Headgate headgate = shell.open()) {
            RunTimes times = new RunTimes(headgate, run, turn);
            Simulation simulation = headgate.simulate(JOBS_MAX)
                    .slots(slots == null ? slotsOf(headgate) : slots)
                    .longest(longest)
                    .runTime(times::of);
            laidOver.forEach(simulation::policy);
            if (!isBacklog && !patterns.isEmpty()) {
                simulation.withoutBacklog();
            }
            patterns.forEach(pattern -> pattern.addTo(simulation, times.ofArrivals(pattern.run())));
            tell(play(simulation), simulation, times);
        }
        return ExitCode.OK;
    }

    private Forecast play(Simulation simulation) {
        try (ProgressBar gauge = new ProgressBar(shell, "played", "job", simulation.jobs())) {
            Forecast forecast = simulation.run(gauge::show);
            gauge.done();
            return forecast;
        }
    }

    private static int slotsOf(Headgate headgate) {
        int live = headgate.overview().workers().stream()
                .mapToInt(WorkerView::slots)
                .sum();
        return live == 0 ? SLOTS_DEFAULT : live;
    }

    private void tell(Forecast forecast, Simulation simulation, RunTimes times) {
        if (shell.isJson()) {
            shell.say(JsonWriter.object()
                    .put("jobs", simulation.jobs())
                    .put("started", forecast.started())
                    .put("neverFit", forecast.neverFit())
                    .put("unstarted", forecast.unstarted())
                    .put("slots", simulation.slots())
                    .put("lastStartMs", forecast.lastStart())
                    .put("lastEndMs", forecast.lastEnd())
                    .put("runTimes", times.json())
                    .put("turnMs", turn)
                    .put(
                            "keys",
                            forecast.keys().stream().map(SimulateCommand::json).toList()));
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
        String assumed = times.line();
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

    private static JsonWriter json(KeyForecast key) {
        return JsonWriter.object()
                .put("kind", key.key().scope().text())
                .put("name", key.key().name())
                .put("starts", key.starts())
                .put("waitP50Ms", key.waits().p50())
                .put("waitP95Ms", key.waits().p95())
                .put("waitMaxMs", key.waits().max())
                .put("peak", key.peak())
                .put(
                        "limits",
                        key.limits().stream()
                                .map(use -> JsonWriter.object()
                                        .put("limit", use.limit())
                                        .put("percent", use.percent()))
                                .toList());
    }
}

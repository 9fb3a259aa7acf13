package dev.headgate.cli.jobs;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.display.JsonWriter;
import dev.headgate.cli.display.Table;
import dev.headgate.cli.display.Wording;
import dev.headgate.explain.Explanation;
import dev.headgate.explain.Explanation.Forecast;
import dev.headgate.explain.Explanation.GateAnswer;
import dev.headgate.explain.Explanation.Holder;
import dev.headgate.explain.Explanation.Wait;
import dev.headgate.internal.admission.Decision;
import dev.headgate.job.JobId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Says why a job is where it is, and when it can start. */
@Command(name = "explain", description = "Say what a job waits for, at which gate, behind whom, and when it can start.")
public final class ExplainCommand implements Callable<Integer> {
    private final CommandContext shell;

    @Parameters(paramLabel = "ID", description = "the number that enqueue printed")
    private JobId id = JobId.of(1);

    public ExplainCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        try (Headgate headgate = shell.open()) {
            Explanation why = headgate.explain(id);
            if (shell.isJson()) {
                shell.say(json(why));
            } else {
                print(why);
            }
        }
        return ExitCode.OK;
    }

    private static JsonWriter json(Explanation why) {
        return JsonWriter.object()
                .put("id", why.job().value())
                .put("state", why.state())
                .put("summary", why.summary())
                .put("at", why.at())
                .put("since", why.since())
                .put("waitedMs", why.waited())
                .put("ahead", why.ahead())
                .put("earliest", why.earliest())
                .put("expected", json(why.forecast()))
                .put("waits", why.waits().stream().map(ExplainCommand::json).toList())
                .put("gates", why.gates().stream().map(ExplainCommand::json).toList());
    }

    private static @Nullable JsonWriter json(@Nullable Forecast forecast) {
        return forecast == null
                ? null
                : JsonWriter.object()
                        .put("from", forecast.from())
                        .put("to", forecast.to())
                        .put("basis", forecast.basis());
    }

    private static JsonWriter json(Wait wait) {
        return JsonWriter.object().put("where", wait.where()).put("ms", wait.span());
    }

    private static JsonWriter json(Holder holder) {
        return JsonWriter.object()
                .put("id", holder.job().value())
                .put("type", holder.type())
                .put("worker", holder.worker())
                .put("since", holder.since());
    }

    private static JsonWriter json(GateAnswer gate) {
        JsonWriter json = JsonWriter.object()
                .put("kind", gate.gate().scope().text())
                .put("name", gate.gate().name())
                .put("limits", gate.policy())
                .put("overrideUntil", gate.until())
                .put("inUse", gate.leases())
                .put("inLine", gate.isBlocking())
                .put("lanesBefore", gate.lanesBefore())
                .put("share", gate.share() == null ? null : gate.share().key())
                .put("sharesBefore", gate.share() == null ? null : gate.share().sharesBefore())
                .put(
                        "holders",
                        gate.holders().stream().map(ExplainCommand::json).toList());
        return switch (gate.decision()) {
            case Decision.Admitted open ->
                json.put("answer", "open")
                        .put("rule", null)
                        .put("figures", null)
                        .put("opensAt", null);
            case Decision.Blocked blocked ->
                json.put("answer", "blocked")
                        .put("rule", blocked.rule())
                        .put("figures", blocked.figures())
                        .put("opensAt", blocked.next());
            case Decision.NeverFits never ->
                json.put("answer", "never")
                        .put("rule", never.rule())
                        .put("figures", never.reason())
                        .put("opensAt", null);
        };
    }

    private void print(Explanation why) {
        // An error has many lines, and whoever wrote it must not write lines of ours.
        shell.say("job %s: %s".formatted(why.job(), why.summary()).replace("\n", "\n    "));
        List<String> times = new ArrayList<>();
        if (!why.waited().isZero()) {
            times.add("has waited " + Wording.span(why.waited()));
        }
        Instant earliest = why.earliest();
        if (earliest != null && earliest.isAfter(why.at())) {
            times.add("can start %s at the earliest".formatted(Wording.from(why.at(), earliest)));
        }
        if (!times.isEmpty()) {
            shell.say(String.join("; ", times));
        }
        Forecast forecast = why.forecast();
        if (forecast != null) {
            shell.say("expected start: " + expected(forecast, why.at()));
        }
        why.waits().forEach(wait -> shell.say("waited %s %s".formatted(Wording.span(wait.span()), wait.where())));
        if (!why.gates().isEmpty()) {
            shell.say("");
            Table table = new Table("GATE", ">IN USE", ">LANES BEFORE", "ANSWER NOW", "LIMITS");
            why.gates()
                    .forEach(gate -> table.row(
                            gate.gate(),
                            gate.leases(),
                            gate.isBlocking() ? gate.lanesBefore() : "-",
                            answer(gate, why.at()),
                            gate.policy().isEmpty() ? "none" : gate.policy()));
            shell.say(table);
        }
        for (GateAnswer gate : why.gates()) {
            printHolders(gate, why.at());
        }
    }

    private void printHolders(GateAnswer gate, Instant now) {
        if (gate.holders().isEmpty()) {
            return;
        }
        shell.say("");
        Table table = new Table(">HOLDS %s".formatted(gate.gate()), "TYPE", "SINCE", "WORKER");
        gate.holders()
                .forEach(holder ->
                        table.row(holder.job(), holder.type(), Wording.from(now, holder.since()), holder.worker()));
        shell.say(table);
        long more = gate.leases() - gate.holders().size();
        if (more > 0) {
            shell.say("and %d more".formatted(more));
        }
    }

    private static String expected(Forecast forecast, Instant now) {
        Instant from = forecast.from();
        Instant to = forecast.to();
        if (from == null) {
            return forecast.basis();
        }
        String begin = from.isAfter(now) ? Wording.from(now, from) : "now";
        if (to == null) {
            return "%s at the earliest; how much later cannot be said: %s".formatted(begin, forecast.basis());
        }
        String end = to.isAfter(now) ? Wording.from(now, to) : "now";
        return "%s (by %s)".formatted(begin.equals(end) ? begin : begin + " to " + end, forecast.basis());
    }

    private static String answer(GateAnswer gate, Instant now) {
        return switch (gate.decision()) {
            case Decision.Admitted open -> gate.isBlocking() ? "open, in line" : "open";
            case Decision.Blocked blocked -> {
                Instant next = blocked.next();
                yield blocked.figures()
                        + (next == null ? untilRelease(blocked.rule()) : ", opens " + Wording.from(now, next));
            }
            case Decision.NeverFits never -> "never: " + never.reason();
        };
    }

    /** A limit over time with {@code margin end} counts a start on after its handler has ended. */
    private static String untilRelease(String rule) {
        return rule.endsWith(" margin end") ? ", until one ends and counts no more" : ", until one ends";
    }
}

package dev.headgate.cli.jobs;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.display.Table;
import dev.headgate.cli.display.Wording;
import dev.headgate.explain.Decision;
import dev.headgate.explain.Decision.Cause;
import dev.headgate.explain.Explanation;
import dev.headgate.explain.Explanation.Forecast;
import dev.headgate.explain.Explanation.GateAnswer;
import dev.headgate.job.JobId;
import dev.headgate.limit.Margin;
import dev.headgate.server.api.JobJson;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
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
                shell.say(JobJson.explanation(why));
            } else {
                print(shell, why);
            }
        }
        return ExitCode.OK;
    }

    /** For people: why it waits, since when, what to expect, and the answer of each gate. */
    public static void print(CommandContext shell, Explanation why) {
        // An error may have many lines; indented, none of them looks like a line of this command.
        shell.say("job %s: %s".formatted(why.job(), why.summary()).replace("\n", "\n    "));
        List<String> times = new ArrayList<>();
        if (!why.times().waited().isZero()) {
            times.add("has waited " + Wording.span(why.times().waited()));
        }
        Instant earliest = why.times().earliest();
        if (earliest != null && earliest.isAfter(why.times().at())) {
            times.add("can start %s at the earliest"
                    .formatted(Wording.from(why.times().at(), earliest)));
        }
        if (!times.isEmpty()) {
            shell.say(String.join("; ", times));
        }
        Forecast forecast = why.times().forecast();
        if (forecast != null) {
            shell.say("expected start: " + expected(forecast, why.times().at()));
        }
        why.past()
                .waits()
                .forEach(wait -> shell.say("waited %s %s".formatted(Wording.span(wait.span()), wait.where())));
        if (!why.place().gates().isEmpty()) {
            shell.say("");
            Table table = new Table("GATE", ">IN USE", ">LANES BEFORE", "ANSWER NOW", "LIMITS");
            why.place()
                    .gates()
                    .forEach(gate -> table.row(
                            gate.gate(),
                            gate.use().leases(),
                            gate.line().isIn() ? gate.line().lanesBefore() : "-",
                            answer(gate, why.times().at()),
                            gate.policy().text().isEmpty()
                                    ? "none"
                                    : gate.policy().text()));
            shell.say(table);
        }
        for (GateAnswer gate : why.place().gates()) {
            printHolders(shell, gate, why.times().at());
        }
    }

    private static void printHolders(CommandContext shell, GateAnswer gate, Instant now) {
        if (gate.use().holders().isEmpty()) {
            return;
        }
        shell.say("");
        Table table = new Table(">HOLDS %s".formatted(gate.gate()), "TYPE", "SINCE", "WORKER");
        gate.use()
                .holders()
                .forEach(holder ->
                        table.row(holder.job(), holder.type(), Wording.from(now, holder.since()), holder.worker()));
        shell.say(table);
        long more = gate.use().leases() - gate.use().holders().size();
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
            case Decision.Admitted open -> gate.line().isIn() ? "open, in line" : "open";
            case Decision.Blocked blocked -> {
                Instant next = blocked.next();
                yield blocked.cause().figures()
                        + (next == null ? untilRelease(blocked.cause()) : ", opens " + Wording.from(now, next));
            }
            case Decision.NeverFits never -> "never: " + never.reason();
        };
    }

    /** A limit over time with {@code margin end} counts a start on after its handler has ended. */
    private static String untilRelease(Cause cause) {
        return cause instanceof Cause.AtLimit full && full.limit().margin().equals(Margin.END)
                ? ", until one ends and counts no more"
                : ", until one ends";
    }
}

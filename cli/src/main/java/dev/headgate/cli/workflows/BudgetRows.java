package dev.headgate.cli.workflows;

import dev.headgate.cli.CommandException;
import dev.headgate.cli.display.Table;
import dev.headgate.cli.display.Wording;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.Spans;
import dev.headgate.run.BudgetLine;
import dev.headgate.run.Guardrail;
import dev.headgate.run.RunBudget;
import dev.headgate.run.RunStatus;
import dev.headgate.server.api.RunJson;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Budgets of runs: how people write them, and how they are shown. */
final class BudgetRows {
    private BudgetRows() {}

    /** Limits alone, of a definition: {@code maxCostUnits 500, maxWallTime 1h}. */
    static String text(RunBudget budget) {
        return budget.limits().isEmpty()
                ? "-"
                : new TreeMap<>(budget.limits())
                        .entrySet().stream()
                                .map(each ->
                                        "%s %s".formatted(each.getKey().title(), text(each.getKey(), each.getValue())))
                                .collect(Collectors.joining(", "));
    }

    static Table table(RunStatus run) {
        return table(run.budget(), run.life().stoppedBy());
    }

    static Table table(List<BudgetLine> lines, Set<Guardrail> stoppedBy) {
        Table table = new Table("BUDGET", ">LIMIT", ">USED", ">RESERVED", ">LEFT", ">USED %", "");
        for (BudgetLine line : lines) {
            boolean isLimited = line.limit() != Long.MAX_VALUE;
            table.row(
                    line.guardrail().title(),
                    isLimited ? text(line.guardrail(), line.limit()) : "none",
                    text(line.guardrail(), line.used()),
                    text(line.guardrail(), line.reserved()),
                    isLimited ? text(line.guardrail(), line.left()) : "-",
                    isLimited ? RunJson.percent(line) : "-",
                    note(line, stoppedBy));
        }
        return table;
    }

    private static String note(BudgetLine line, Set<Guardrail> stoppedBy) {
        if (stoppedBy.contains(line.guardrail())) {
            return "stopped the run";
        }
        return line.isHigh() ? "warning: at least %d %% are gone".formatted(BudgetLine.WARN_PERCENT) : "";
    }

    static String text(Guardrail guardrail, long figure) {
        return guardrail == Guardrail.WALL_TIME ? Wording.span(Micros.duration(figure)) : "%,d".formatted(figure);
    }

    /**
     * The guardrail that has stopped the run, or else that of which the largest part is gone, in a word: {@code maxCostUnits
     * 86 %}.
     */
    static String tightest(RunStatus run) {
        Set<Guardrail> stoppedBy = run.life().stoppedBy();
        return run.budget().stream()
                .filter(line -> stoppedBy.isEmpty() || stoppedBy.contains(line.guardrail()))
                .filter(line -> line.limit() != Long.MAX_VALUE)
                .max(Comparator.comparingLong(RunJson::percent))
                .map(line -> "%s %d %%".formatted(line.guardrail().title(), RunJson.percent(line)))
                .orElse("-");
    }

    /** Reads {@code maxCostUnits=500} and {@code maxWallTime=1h}, as often as they were given. */
    static Map<Guardrail, Long> read(String option, List<String> given) {
        Map<Guardrail, Long> read = new TreeMap<>();
        for (String text : given) {
            int equals = text.indexOf('=');
            if (equals < 1) {
                throw CommandException.usage(
                        "%s: expected NAME=VALUE such as maxCostUnits=500 or maxWallTime=1h, got '%s'"
                                .formatted(option, text));
            }
            Guardrail guardrail = guardrail(option, text.substring(0, equals));
            if (read.put(guardrail, figure(option, guardrail, text.substring(equals + 1))) != null) {
                throw CommandException.usage("%s: expected %s once, got it twice".formatted(option, guardrail.title()));
            }
        }
        return read;
    }

    private static Guardrail guardrail(String option, String title) {
        try {
            return Guardrail.titled(title);
        } catch (IllegalArgumentException unknown) {
            throw CommandException.usage("%s: %s".formatted(option, unknown.getMessage()));
        }
    }

    private static long figure(String option, Guardrail guardrail, String text) {
        @Nullable Long figure = null;
        try {
            figure = guardrail == Guardrail.WALL_TIME ? Micros.of(Spans.parse(text)) : Long.parseLong(text.strip());
        } catch (IllegalArgumentException unreadable) {
            // reported below, with the name of the guardrail
        }
        if (figure == null || figure < 1) {
            throw CommandException.usage("%s %s: expected %s, got '%s'"
                    .formatted(
                            option,
                            guardrail.title(),
                            guardrail == Guardrail.WALL_TIME ? "a span such as 90s or 1h" : "a number from 1 on",
                            text));
        }
        return figure;
    }
}

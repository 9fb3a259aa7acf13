package dev.headgate.examples;

import dev.headgate.run.BudgetLine;
import dev.headgate.run.Guardrail;
import dev.headgate.run.RunStatus;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** Prints what a run was allowed to spend, and what it has spent. */
final class BudgetSummary {
    private BudgetSummary() {}

    static void print(String title, RunStatus run) {
        System.out.println("budget of %s, run %s, %s".formatted(title, run.id(), run.state()));
        run.budget().stream().filter(line -> line.limit() != Long.MAX_VALUE).forEach(BudgetSummary::print);
    }

    private static void print(BudgetLine line) {
        System.out.println("  %-20s %14s of %14s%s"
                .formatted(
                        line.guardrail().title(),
                        figure(line.guardrail(), line.used() + line.reserved()),
                        figure(line.guardrail(), line.limit()),
                        line.isHigh() ? "  warning: above 80 %" : ""));
    }

    private static String figure(Guardrail guardrail, long figure) {
        return guardrail == Guardrail.WALL_TIME
                ? "%,d ms".formatted(Duration.of(figure, ChronoUnit.MICROS).toMillis())
                : "%,d".formatted(figure);
    }
}

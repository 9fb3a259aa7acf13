package dev.headgate;

import dev.headgate.internal.run.Program;
import dev.headgate.internal.time.Micros;
import dev.headgate.machine.Machine;
import dev.headgate.run.Guardrail;
import dev.headgate.run.RunBudget;
import dev.headgate.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A workflow as the store keeps it: its queue, its deadline, its budget and its first step, so that it can be started without its
 * code, and its steps as lines, so that a change of them is seen.
 *
 * @param budget may not change without a new version
 * @param steps may not change without a new version
 */
record WorkflowShape(String queue, @Nullable Duration deadline, String first, RunBudget budget, List<String> steps) {
    private static final int HEADER_LINES = 3;

    /** No entry of a workflow and no part of a machine is of this kind. */
    private static final String BUDGET = "budget ";

    static WorkflowShape of(Workflow<?, ?> workflow) {
        return new WorkflowShape(
                workflow.queue(),
                Program.of(workflow).definition().deadline(),
                workflow.firstStep(),
                workflow.budget(),
                workflow.shape());
    }

    static WorkflowShape of(Machine<?> machine) {
        return new WorkflowShape(machine.queue(), null, machine.initial(), machine.budget(), machine.shape());
    }

    static WorkflowShape parse(String text) {
        List<String> lines = text.lines().toList();
        String deadline = lines.get(1);
        boolean hasBudget = lines.getLast().startsWith(BUDGET);
        return new WorkflowShape(
                lines.get(0),
                deadline.isEmpty() ? null : Micros.duration(Long.parseLong(deadline)),
                lines.get(2),
                hasBudget ? budget(lines.getLast().substring(BUDGET.length())) : RunBudget.STANDARD,
                lines.subList(HEADER_LINES, lines.size() - (hasBudget ? 1 : 0)));
    }

    private static RunBudget budget(String text) {
        RunBudget budget = RunBudget.STANDARD;
        for (String each : text.split(" ", -1)) {
            int sign = each.indexOf('=');
            budget = budget.with(Guardrail.titled(each.substring(0, sign)), Long.parseLong(each.substring(sign + 1)));
        }
        return budget;
    }

    /**
     * One line each: queue, deadline in microseconds, first step, then the steps, and the budget if there is one. Names hold no line
     * breaks.
     */
    String text() {
        StringJoiner text = new StringJoiner("\n");
        text.add(queue)
                .add(deadline == null ? "" : Long.toString(Micros.of(deadline)))
                .add(first);
        steps.forEach(text::add);
        if (!budget.limits().isEmpty()) {
            StringJoiner limits = new StringJoiner(" ", BUDGET, "");
            sorted().forEach((guardrail, limit) -> limits.add("%s=%d".formatted(guardrail.title(), limit)));
            text.add(limits.toString());
        }
        return text.toString();
    }

    /** The budget for people. */
    String budgetText() {
        StringJoiner text = new StringJoiner(", ").setEmptyValue("none of its own");
        sorted().forEach((guardrail, limit) -> text.add("%s %s".formatted(guardrail.title(), guardrail.text(limit))));
        return text.toString();
    }

    private Map<Guardrail, Long> sorted() {
        return new TreeMap<>(budget.limits());
    }
}

package dev.headgate.run;

import java.time.Instant;
import java.util.List;

/**
 * One version of a workflow, as the store knows it: its shape without its code.
 *
 * @param queue where its steps wait unless they name another one
 * @param budget what each of its runs may spend, and the most that a start may ask for
 * @param steps its entries, one a line, each with its kind and name; nested ones are indented
 * @param since when it was first registered
 */
public record WorkflowDefinition(
        String name, int version, String queue, RunBudget budget, List<String> steps, Instant since) {
    public WorkflowDefinition {
        steps = List.copyOf(steps);
    }

    @Override
    public String toString() {
        return "%s@%d".formatted(name, version);
    }
}

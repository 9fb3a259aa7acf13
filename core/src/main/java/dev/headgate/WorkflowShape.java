package dev.headgate;

import dev.headgate.internal.run.Program;
import dev.headgate.internal.time.Micros;
import dev.headgate.machine.Machine;
import dev.headgate.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A workflow as the store keeps it: its queue, its deadline and its first step, so that it can be started without its code,
 * and its steps as lines, so that a change of them is seen.
 *
 * @param steps what may not change without a new version
 */
record WorkflowShape(String queue, @Nullable Duration deadline, String first, List<String> steps) {
    private static final int HEADER_LINES = 3;

    static WorkflowShape of(Workflow<?, ?> workflow) {
        return new WorkflowShape(
                workflow.queue(), Program.of(workflow).definition().deadline(), workflow.firstStep(), workflow.shape());
    }

    static WorkflowShape of(Machine<?> machine) {
        return new WorkflowShape(machine.queue(), null, machine.initial(), machine.shape());
    }

    static WorkflowShape parse(String text) {
        List<String> lines = text.lines().toList();
        String deadline = lines.get(1);
        return new WorkflowShape(
                lines.get(0),
                deadline.isEmpty() ? null : Micros.duration(Long.parseLong(deadline)),
                lines.get(2),
                lines.subList(HEADER_LINES, lines.size()));
    }

    /** One line each: queue, deadline in microseconds, first step, then the steps. Names hold no line breaks. */
    String text() {
        return "%s\n%s\n%s\n%s"
                .formatted(queue, deadline == null ? "" : Micros.of(deadline), first, String.join("\n", steps));
    }
}

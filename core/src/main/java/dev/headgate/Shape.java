package dev.headgate;

import dev.headgate.admission.Micros;
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
record Shape(String queue, @Nullable Duration deadline, String first, List<String> steps) {
    private static final int HEADER_LINES = 3;

    static Shape of(Workflow<?, ?> workflow) {
        return new Shape(workflow.queue(), workflow.definition().deadline(), workflow.firstStep(), workflow.shape());
    }

    static Shape of(Machine<?> machine) {
        return new Shape(machine.queue(), null, machine.initial(), machine.shape());
    }

    static Shape parse(String text) {
        List<String> lines = text.lines().toList();
        String deadline = lines.get(1);
        return new Shape(
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

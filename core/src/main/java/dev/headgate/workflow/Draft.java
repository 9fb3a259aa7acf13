package dev.headgate.workflow;

import dev.headgate.internal.text.Names;
import dev.headgate.run.RunBudget;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What the parts of one workflow share while it is written. */
final class Draft {
    private static final String QUEUE_DEFAULT = "default";

    private final String workflow;
    private final int version;
    private final Class<?> input;
    private final Set<String> names = new HashSet<>();
    private String queue = QUEUE_DEFAULT;
    private Node.@Nullable Task onFailure;
    private Node.@Nullable Task onCancel;
    private @Nullable Duration deadline;
    private RunBudget budget = RunBudget.STANDARD;

    Draft(String workflow, int version, Class<?> input) {
        this.workflow = workflow;
        this.version = version;
        this.input = input;
    }

    void queue(String name) {
        queue = Names.checkQueueOfJob(name);
    }

    void onFailure(Node.Task step) {
        onFailure = once("onFailure", onFailure, step);
    }

    void onCancel(Node.Task step) {
        onCancel = once("onCancel", onCancel, step);
    }

    private Node.Task once(String what, Node.@Nullable Task known, Node.Task step) {
        if (known != null) {
            throw new IllegalArgumentException(
                    "%s, %s: expected one, got '%s' and '%s'".formatted(this, what, known.name(), step.name()));
        }
        return step;
    }

    void budget(UnaryOperator<RunBudget> change) {
        try {
            budget = change.apply(budget);
        } catch (IllegalArgumentException fault) {
            throw new IllegalArgumentException("%s, %s".formatted(this, fault.getMessage()), fault);
        }
    }

    void deadline(Duration afterStart) {
        if (afterStart.isNegative() || afterStart.isZero()) {
            throw new IllegalArgumentException(
                    "%s, deadline: expected a positive duration, got %s".formatted(this, afterStart));
        }
        deadline = afterStart;
    }

    String named(String step) {
        Names.check("step of %s".formatted(this), step);
        if (step.startsWith("~") || step.contains("/")) {
            throw new IllegalArgumentException(
                    "%s, step '%s': expected a name without a slash that does not begin with '~'"
                            .formatted(this, step));
        }
        if (!names.add(step)) {
            throw new IllegalArgumentException(
                    "%s, step '%s': expected a name of its own for each step, got it twice".formatted(this, step));
        }
        return step;
    }

    Node.Body body(String name, Class<?> in, Flow<?, ?> inner) {
        if (inner.nodes().isEmpty()) {
            throw new IllegalArgumentException("%s, '%s': expected at least one step inside".formatted(this, name));
        }
        return new Node.Body(name, in, inner.nodes());
    }

    @SuppressWarnings("unchecked") // the input class is that of the Flow that began with this draft
    <I, O> Workflow<I, O> build(List<Node> nodes, Class<O> output) {
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException("%s: expected at least one step, got none".formatted(this));
        }
        return new Workflow<>(
                workflow,
                version,
                queue,
                (Class<I>) input,
                output,
                new Node.Body(workflow, input, nodes),
                new Workflow.Endings(onFailure, onCancel, deadline, budget));
    }

    @Override
    public String toString() {
        return "workflow '%s' version %d".formatted(workflow, version);
    }
}

package dev.headgate.workflow;

import dev.headgate.internal.run.Move;
import dev.headgate.internal.run.Program;
import dev.headgate.internal.text.Names;
import dev.headgate.run.RunBudget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A durable program: its steps are jobs, so every gate applies to them, and its state is one JSON document.
 *
 * <pre>{@code
 * static final Workflow<Order, Receipt> SHIP = Workflow.named("ship", 1, Order.class)
 *         .then("reserve", Reservation.class, (order, step) -> stock.reserve(order), s -> s.gate("warehouse").cost(2))
 *         .sleep("cool-off", ofMinutes(5))
 *         .awaitSignal("paid", Payment.class, (reservation, payment) -> reservation.paidBy(payment))
 *         .then("hand-over", Receipt.class, (reservation, step) -> carrier.collect(reservation))
 *         .build();
 * }</pre>
 *
 * <p>A run goes on with the version it began with. Change the steps, and the version must rise: register the old one
 * beside the new one until its runs have ended. Immutable.
 */
public final class Workflow<I, O> {
    static {
        Program.register(Workflow.class, workflow -> program((Workflow<?, ?>) workflow));
    }

    private final String name;
    private final int version;
    private final String queue;
    private final Class<I> input;
    private final Class<O> output;
    private final Node.Body body;
    private final Endings endings;

    /** What the run does on its way to a bad end, when that comes by itself, and what stops it. */
    record Endings(
            Node.@Nullable Task onFailure,
            Node.@Nullable Task onCancel,
            @Nullable Duration deadline,
            RunBudget budget) {}

    Workflow(String name, int version, String queue, Class<I> input, Class<O> output, Node.Body body, Endings endings) {
        this.name = name;
        this.version = version;
        this.queue = queue;
        this.input = input;
        this.output = output;
        this.body = body;
        this.endings = endings;
    }

    /**
     * Begins a workflow.
     *
     * @param version from 1; rises with every change of the steps
     * @param input what a run is started with
     */
    public static <I> Flow<I, I> named(String name, int version, Class<I> input) {
        Names.check("workflow", name);
        if (name.contains("/") || name.contains("@")) {
            throw new IllegalArgumentException("workflow '%s': expected a name without '/' and '@'".formatted(name));
        }
        if (version < 1) {
            throw new IllegalArgumentException(
                    "workflow '%s': expected a version from 1 on, got %d".formatted(name, version));
        }
        return Flow.begin(new Draft(name, version, input), input);
    }

    /** The name that its runs are stored under. */
    public String name() {
        return name;
    }

    /** Its version, from 1. */
    public int version() {
        return version;
    }

    /** Where its steps wait unless they name another queue. */
    public String queue() {
        return queue;
    }

    /** What a run is started with. */
    public Class<I> input() {
        return input;
    }

    /** What a run returns. */
    public Class<O> output() {
        return output;
    }

    /** What each run may spend, and the most that a start may ask for. */
    public RunBudget budget() {
        return endings.budget();
    }

    Node.Body body() {
        return body;
    }

    /** Where its runs begin. */
    public String firstStep() {
        return body.nodes().getFirst().name();
    }

    Endings endings() {
        return endings;
    }

    private static Program<?> program(Workflow<?, ?> workflow) {
        return new WorkflowHandlers.OfWorkflow<>(workflow);
    }

    /** What a store must know of it. */
    Move.Definition definition() {
        return new Move.Definition(name, version, queue, endings.deadline());
    }

    /** The workflows that its runs start as children. */
    public List<Workflow<?, ?>> children() {
        List<Workflow<?, ?>> children = new ArrayList<>();
        collect(body, children);
        return children;
    }

    private static void collect(Node.Body body, List<Workflow<?, ?>> children) {
        for (Node node : body.nodes()) {
            if (node instanceof Node.Fork fork && fork.child() != null) {
                children.add(fork.child());
            }
            node.bodies().forEach(inner -> collect(inner, children));
        }
    }

    /** Its steps as lines of text, nested ones indented: what may not change without a new version. */
    public List<String> shape() {
        List<String> lines = new ArrayList<>();
        describe(body, "", lines);
        if (endings.onFailure() != null) {
            lines.add("onFailure " + endings.onFailure().name());
        }
        if (endings.onCancel() != null) {
            lines.add("onCancel " + endings.onCancel().name());
        }
        return lines;
    }

    /** The signals and approvals that a shape awaits somewhere. */
    public static List<String> signalsIn(List<String> shape) {
        return shape.stream()
                .map(String::strip)
                .filter(line -> line.startsWith(Node.Await.KIND))
                .map(line -> line.substring(Node.Await.KIND.length() + 1))
                .distinct()
                .toList();
    }

    private static void describe(Node.Body body, String indent, List<String> lines) {
        for (Node node : body.nodes()) {
            lines.add("%s%s %s".formatted(indent, node.kind(), node.name()));
            node.bodies().forEach(inner -> describe(inner, indent + "  ", lines));
        }
    }

    @Override
    public String toString() {
        return name + "@" + version;
    }
}

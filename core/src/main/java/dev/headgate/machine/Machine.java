package dev.headgate.machine;

import dev.headgate.internal.run.Program;
import dev.headgate.internal.text.Names;
import dev.headgate.run.RunBudget;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A durable state machine: states, the events that lead from one to the next, and the jobs that run on entry. Immutable.
 *
 * <pre>{@code
 * static final Machine<Order> ORDER = Machine.named("order", 1, Order.class)
 *         .state("new", s -> s
 *                 .on("pay", Payment.class).when((order, p) -> p.cents() >= order.cents()).then(Order::paid).goTo("paid")
 *                 .after(ofDays(3)).goTo("expired"))
 *         .state("paid", s -> s
 *                 .onEntry("pack", (order, step) -> stock.pack(order), o -> o.queue("stock").gate("warehouse"))
 *                 .on("shipped").goTo("done"))
 *         .finalState("done")
 *         .finalState("expired")
 *         .initial("new")
 *         .build();
 * }</pre>
 *
 * @param <D> its data: one value, kept as JSON, that transitions and entry actions replace and never change
 */
public final class Machine<D> {
    static {
        Program.register(Machine.class, machine -> program((Machine<?>) machine));
    }

    /** What an event does that no transition of the present state takes. Either way the history tells of it. */
    public enum Unexpected {
        /** Nothing: the instance stays as it is. */
        IGNORE,
        /** The instance fails, with the reason; it can be retried from the state it was in. */
        FAIL
    }

    private static final String EVENT = "event ";

    private final Head head;
    private final Class<D> type;
    private final String initial;
    private final Map<String, StateNode> places;

    /** What holds for the machine as a whole. */
    record Head(String name, int version, String queue, Unexpected unexpected, RunBudget budget) {}

    Machine(Head head, Class<D> type, String initial, Map<String, StateNode> places) {
        this.head = head;
        this.type = type;
        this.initial = initial;
        this.places = new LinkedHashMap<>(places);
    }

    private static Program<?> program(Machine<?> machine) {
        return new MachineHandlers.OfMachine<>(machine);
    }

    /**
     * Begins a machine.
     *
     * @param version from 1; rises with every change of the states, events and entry actions
     */
    public static <D> MachineBuilder<D> named(String name, int version, Class<D> data) {
        Names.check("machine", name);
        if (name.contains("/") || name.contains("@")) {
            throw new IllegalArgumentException("machine '%s': expected a name without '/' and '@'".formatted(name));
        }
        if (version < 1) {
            throw new IllegalArgumentException(
                    "machine '%s': expected a version from 1 on, got %d".formatted(name, version));
        }
        return new MachineBuilder<>(name, version, data);
    }

    /** The name that its instances are stored under. */
    public String name() {
        return head.name();
    }

    /** Its version, from 1. */
    public int version() {
        return head.version();
    }

    /** Where its jobs wait unless they name another queue. */
    public String queue() {
        return head.queue();
    }

    /** The type of its data. */
    public Class<D> data() {
        return type;
    }

    /** The state in which instances begin. */
    public String initial() {
        return initial;
    }

    Unexpected unexpected() {
        return head.unexpected();
    }

    /** What each instance may spend, and the most that a start may ask for. */
    public RunBudget budget() {
        return head.budget();
    }

    Map<String, StateNode> places() {
        return places;
    }

    /** The events that some state takes. */
    public SortedSet<String> events() {
        SortedSet<String> events = new TreeSet<>();
        places.values().forEach(place -> events.addAll(place.events().keySet()));
        return events;
    }

    /** Its events and states as lines of text: what may not change without a new version. */
    public List<String> shape() {
        List<String> lines = new ArrayList<>();
        events().forEach(event -> lines.add(EVENT + event));
        places.values().forEach(place -> lines.addAll(place.shape()));
        return lines;
    }

    /** Whether this is the shape of a machine, not of a workflow. */
    public static boolean isShape(List<String> shape) {
        return shape.stream().anyMatch(line -> line.startsWith("state "));
    }

    /** The events in a shape; none if it is not that of a machine. */
    public static List<String> eventsIn(List<String> shape) {
        return shape.stream()
                .filter(line -> line.startsWith(EVENT))
                .map(line -> line.substring(EVENT.length()))
                .toList();
    }

    @Override
    public String toString() {
        return "%s@%d".formatted(head.name(), head.version());
    }

    /**
     * An event as it was sent to an instance.
     *
     * @param key the sender's key, by which it counts once
     * @param json its payload; {@code null} as text if it has none
     */
    public record SentEvent(String event, @Nullable String key, String json) {
        /** The one line in which the events of an instance stand, whatever their names, so that they keep their order. */
        public static final String INBOX = "~event";
    }
}

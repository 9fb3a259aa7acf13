package dev.headgate.machine;

import dev.headgate.internal.text.Names;
import dev.headgate.machine.Machine.Unexpected;
import dev.headgate.run.RunBudget;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A state machine in the making; {@link #build} says all that is wrong with it at once.
 *
 * @param <D> its data
 */
public final class MachineBuilder<D> {
    private static final String QUEUE_DEFAULT = "default";

    private final String name;
    private final int version;
    private final Class<D> type;
    private final Map<String, StateBuilder<D>> states = new LinkedHashMap<>();
    private final List<String> faults = new ArrayList<>();
    private String queue = QUEUE_DEFAULT;
    private Unexpected unexpected = Unexpected.IGNORE;
    private @Nullable String initial;
    private RunBudget budget = RunBudget.STANDARD;

    MachineBuilder(String name, int version, Class<D> type) {
        this.name = name;
        this.version = version;
        this.type = type;
    }

    /** The queue of entry actions that name none, and of the jobs that take events. Default: {@code default}. */
    public MachineBuilder<D> queue(String where) {
        queue = Names.checkQueueOfJob(where);
        return this;
    }

    /**
     * What each instance may spend, and the most that a start may ask for: {@code budget(b -> b.maxTransitions(1_000))}. A start
     * may give less; more is given to an instance by an operator alone, with {@code topUp}. A guardrail that is not named has its standard
     * limit, and a start may choose another. It is stored with this version of the machine. Default: {@link RunBudget#STANDARD}.
     */
    public MachineBuilder<D> budget(UnaryOperator<RunBudget> change) {
        try {
            budget = change.apply(budget);
        } catch (IllegalArgumentException fault) {
            faults.add(String.valueOf(fault.getMessage()));
        }
        return this;
    }

    /** A state: {@code state("new", s -> s.on("pay").goTo("paid"))}. It needs at least one way out. */
    public MachineBuilder<D> state(String state, Consumer<StateBuilder<D>> ways) {
        return add(state, false, ways);
    }

    /** A state that ends the instance; its data are the result. */
    public MachineBuilder<D> finalState(String state) {
        return add(state, true, ways -> {});
    }

    /** A final state with an entry action; the instance ends when that has succeeded. */
    public MachineBuilder<D> finalState(String state, Consumer<StateBuilder<D>> entry) {
        return add(state, true, entry);
    }

    private MachineBuilder<D> add(String state, boolean isFinal, Consumer<StateBuilder<D>> ways) {
        Names.check("state of machine '%s'".formatted(name), state);
        if (state.startsWith("~") || state.contains("/")) {
            faults.add("state '%s': expected a name without a slash that does not begin with '~'".formatted(state));
        }
        StateBuilder<D> builder = new StateBuilder<>(state, isFinal, type);
        ways.accept(builder);
        if (states.putIfAbsent(state, builder) != null) {
            faults.add("state '%s': expected it once, got it twice".formatted(state));
        }
        return this;
    }

    /** Where instances begin. */
    public MachineBuilder<D> initial(String state) {
        initial = state;
        return this;
    }

    /** What an event does that no transition takes. Default: nothing but a line in the history. */
    public MachineBuilder<D> onUnexpected(Unexpected what) {
        unexpected = what;
        return this;
    }

    /**
     * The machine as written.
     *
     * @throws IllegalArgumentException with everything that is wrong
     */
    public Machine<D> build() {
        List<String> all = new ArrayList<>(faults);
        states.values().forEach(state -> all.addAll(state.faults()));
        Map<String, StateNode> places = new LinkedHashMap<>();
        states.forEach((state, builder) -> places.put(state, builder.build()));
        checkTargets(places, all);
        checkActions(places, all);
        StateNode start = initial == null ? null : places.get(initial);
        if (start == null) {
            all.add("initial: expected one of the states %s, got %s"
                    .formatted(places.keySet(), initial == null ? "none" : "'%s'".formatted(initial)));
        } else if (start.isFinal()) {
            all.add("initial: expected a state that is not final, got '%s'".formatted(initial));
        } else {
            checkReach(start, places, all);
        }
        if (!all.isEmpty()) {
            throw new IllegalArgumentException(
                    "machine '%s' version %d: %s".formatted(name, version, String.join("; ", all)));
        }
        return new Machine<>(
                new Machine.Head(name, version, queue, unexpected, budget),
                type,
                Objects.requireNonNull(initial),
                places);
    }

    private static void checkTargets(Map<String, StateNode> places, List<String> all) {
        places.values()
                .forEach(place -> place.transitions().forEach(way -> {
                    if (way.target() != null && !places.containsKey(way.target())) {
                        all.add("state '%s': expected goTo one of the states %s, got '%s'"
                                .formatted(place.name(), places.keySet(), way.target()));
                    }
                }));
    }

    /** The name of an action is the type of its job. */
    private static void checkActions(Map<String, StateNode> places, List<String> all) {
        Set<String> known = new HashSet<>();
        places.values().forEach(place -> {
            if (place.entry() != null && !known.add(place.entry().name())) {
                all.add("state '%s': expected a name of its own for each entry action, got '%s' twice"
                        .formatted(place.name(), place.entry().name()));
            }
        });
    }

    private static void checkReach(StateNode start, Map<String, StateNode> places, List<String> all) {
        Set<String> reached = new HashSet<>(Set.of(start.name()));
        Deque<StateNode> next = new ArrayDeque<>(List.of(start));
        while (!next.isEmpty()) {
            next.remove().transitions().forEach(way -> {
                StateNode target = way.target() == null ? null : places.get(way.target());
                if (target != null && reached.add(target.name())) {
                    next.add(target);
                }
            });
        }
        places.keySet().stream()
                .filter(state -> !reached.contains(state))
                .forEach(state -> all.add(
                        "state '%s': expected a way to it from '%s', found none".formatted(state, start.name())));
    }
}

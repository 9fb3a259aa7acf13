package dev.headgate.machine;

import dev.headgate.internal.text.Names;
import dev.headgate.machine.StateNode.Action;
import dev.headgate.machine.StateNode.Timer;
import dev.headgate.workflow.Step;
import dev.headgate.workflow.StepOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A state in the making: what is done on entry, and which way out each event, the timer or a failure leads.
 *
 * @param <D> the data of the machine
 */
public final class StateBuilder<D> {
    private static final Duration AFTER_MAX = Duration.ofDays(3_660);

    private final String name;
    private final boolean isFinal;
    private final Class<D> type;
    private final Map<String, List<Transition>> events = new LinkedHashMap<>();
    private final List<Transition> done = new ArrayList<>();
    private final List<Transition> failure = new ArrayList<>();
    private final List<String> begun = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();
    private @Nullable Action entry;
    private @Nullable Timer timer;

    StateBuilder(String name, boolean isFinal, Class<D> type) {
        this.name = name;
        this.isFinal = isFinal;
        this.type = type;
    }

    /**
     * A job that runs when the state is entered. It gets the data and returns the next; events wait until it has ended. It is
     * a job like any other: it may run more than once, and what it returns counts once.
     */
    public StateBuilder<D> onEntry(String action, Step.Code<D, D> code) {
        return onEntry(action, code, always -> {});
    }

    /** The same with a queue, gates, a cost, retries or needs of its own. */
    public StateBuilder<D> onEntry(String action, Step.Code<D, D> code, Consumer<StepOptions> options) {
        return onEntry(action, code, options, (data, each) -> {});
    }

    /** An entry action whose queue, gates or cost depend on the data. */
    public StateBuilder<D> onEntry(String action, Step.Code<D, D> code, BiConsumer<D, StepOptions> options) {
        return onEntry(action, code, always -> {}, options);
    }

    /** An entry action with options that hold always, and some that depend on the data. */
    public StateBuilder<D> onEntry(
            String action, Step.Code<D, D> code, Consumer<StepOptions> always, BiConsumer<D, StepOptions> options) {
        Names.check("entry action of state '%s'".formatted(name), action);
        if (action.startsWith("~") || action.contains("/")) {
            faults.add("entry action '%s': expected a name without a slash that does not begin with '~'"
                    .formatted(action));
        }
        if (entry != null) {
            faults.add("expected one entry action, got '%s' and '%s'; give the second a state of its own"
                    .formatted(entry.name(), action));
        }
        entry = new Action(
                action,
                (data, step) -> code.apply(type.cast(data), step),
                always,
                (data, each) -> options.accept(type.cast(data), each));
        return this;
    }

    /** What an event without a payload leads to. */
    public TransitionBuilder<D, Void> on(String event) {
        return when(event, null);
    }

    /** Where an event with a payload leads. */
    public <P> TransitionBuilder<D, P> on(String event, Class<P> payload) {
        return when(event, payload);
    }

    private <P> TransitionBuilder<D, P> when(String event, @Nullable Class<P> payload) {
        Names.check("event in state '%s'".formatted(name), event);
        return begin(
                "event '%s'".formatted(event),
                payload,
                way -> events.computeIfAbsent(event, each -> new ArrayList<>()).add(way));
    }

    /**
     * Where the instance goes after this long in the state. The time begins when the instance begins to wait there: after the entry action, if
     * it has one. It rings once.
     */
    public TransitionBuilder<D, Void> after(Duration time) {
        return begin("after %s".formatted(time), null, way -> timer(new Timer(time, null, way)));
    }

    /** After this long in the state, the instance takes this event by itself. */
    public StateBuilder<D> after(Duration time, String event) {
        timer(new Timer(time, event, null));
        return this;
    }

    private void timer(Timer next) {
        if (next.after().isNegative() || next.after().isZero() || next.after().compareTo(AFTER_MAX) > 0) {
            faults.add("after: expected up to %s, got %s".formatted(AFTER_MAX, next.after()));
        }
        if (timer != null) {
            faults.add("expected one timer, got %s and %s; give the second a state of its own"
                    .formatted(timer.after(), next.after()));
        }
        timer = next;
    }

    /** Where to go by itself when the entry action has succeeded; if no guard lets it, the state waits for events. */
    public TransitionBuilder<D, Void> onDone() {
        return begin("onDone", null, done::add);
    }

    /** Where to go when the entry action has failed for good; the error comes with it. Default: the instance fails. */
    public TransitionBuilder<D, String> onFailure() {
        return begin("onFailure", String.class, failure::add);
    }

    private <P> TransitionBuilder<D, P> begin(String what, @Nullable Class<P> payload, Consumer<Transition> add) {
        begun.add(what);
        return new TransitionBuilder<>(this, type, payload, way -> {
            begun.remove(what);
            add.accept(way);
        });
    }

    StateNode build() {
        return new StateNode(name, isFinal, entry, events, timer, List.copyOf(done), List.copyOf(failure));
    }

    /** What is wrong with this state alone. */
    List<String> faults() {
        List<String> all = new ArrayList<>(faults);
        begun.forEach(what -> all.add("%s: expected goTo or stay behind it".formatted(what)));
        events.forEach((event, ways) -> order("event '%s'".formatted(event), ways, all));
        order("onDone", done, all);
        order("onFailure", failure, all);
        if (entry == null && !(done.isEmpty() && failure.isEmpty())) {
            all.add("onDone and onFailure: expected an entry action that they follow; say onEntry");
        }
        if (timer != null && timer.event() != null) {
            raised(timer.event(), all);
        }
        if (isFinal && !(events.isEmpty() && done.isEmpty() && failure.isEmpty() && timer == null)) {
            all.add("expected nothing but an entry action in a final state, got ways out of it; make it a state");
        }
        if (!isFinal && build().transitions().findAny().isEmpty()) {
            all.add("expected a way out of it, got none; make it a finalState");
        }
        return all.stream()
                .map(fault -> "state '%s': %s".formatted(name, fault))
                .toList();
    }

    private static void order(String what, List<Transition> ways, List<String> all) {
        for (int i = 0; i < ways.size() - 1; i++) {
            if (ways.get(i).guard() == null) {
                all.add("%s: expected a guard on all but the last transition, got none on number %d; say when"
                        .formatted(what, i + 1));
            }
        }
    }

    private void raised(String event, List<String> all) {
        List<Transition> ways = events.getOrDefault(event, List.of());
        if (ways.isEmpty()) {
            all.add("after: expected an event that this state takes, got '%s'".formatted(event));
        } else if (ways.stream().anyMatch(way -> way.payload() != null)) {
            all.add("after: expected an event without a payload, got '%s'".formatted(event));
        }
    }
}

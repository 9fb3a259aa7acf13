package dev.headgate.workflow;

import dev.headgate.handler.PermanentFailure;
import dev.headgate.run.Join;
import dev.headgate.run.RunBudget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A workflow, or a part of one, in the making: read it top to bottom. Every entry has a name of its own within the
 * workflow; runs that are under way know it by that name.
 *
 * @param <I> what it begins with
 * @param <S> the state at this point; steps see it and return the next, and never change it
 */
public final class Flow<I, S> {
    private static final Duration SLEEP_MAX = Duration.ofDays(3_660);

    private final Draft draft;
    private final List<Node> nodes;
    private final Class<S> type;

    Flow(Draft draft, List<Node> nodes, Class<S> type) {
        this.draft = draft;
        this.nodes = nodes;
        this.type = type;
    }

    static <I> Flow<I, I> begin(Draft draft, Class<I> input) {
        return new Flow<>(draft, new ArrayList<>(), input);
    }

    List<Node> nodes() {
        return nodes;
    }

    Class<S> type() {
        return type;
    }

    /** The queue of steps that name none. Default: {@code default}. */
    public Flow<I, S> queue(String name) {
        draft.queue(name);
        return this;
    }

    /** A step that is a job. */
    public Flow<I, S> then(String step, Step.Code<S, S> code) {
        return then(step, type, code);
    }

    /** A step with a queue, gates, a cost, retries or needs of its own: {@code then("pack", code, s -> s.gate("warehouse"))}. */
    public Flow<I, S> then(String step, Step.Code<S, S> code, Consumer<StepOptions> options) {
        return then(step, type, code, options);
    }

    /** A step whose queue, gates or cost depend on the state. */
    public Flow<I, S> then(String step, Step.Code<S, S> code, BiConsumer<S, StepOptions> options) {
        return then(step, type, code, options);
    }

    /** A step with options that hold always, and some that depend on the state. */
    public Flow<I, S> then(
            String step, Step.Code<S, S> code, Consumer<StepOptions> always, BiConsumer<S, StepOptions> options) {
        return then(step, type, code, always, options);
    }

    /** A step that returns a state of another type. */
    public <R> Flow<I, R> then(String step, Class<R> to, Step.Code<S, R> code) {
        return then(step, to, code, always -> {});
    }

    /** A step that returns a state of another type, with options. */
    public <R> Flow<I, R> then(String step, Class<R> to, Step.Code<S, R> code, Consumer<StepOptions> options) {
        return then(step, to, code, options, (state, each) -> {});
    }

    /** A step that returns a state of another type, with options that depend on the state. */
    public <R> Flow<I, R> then(String step, Class<R> to, Step.Code<S, R> code, BiConsumer<S, StepOptions> options) {
        return then(step, to, code, always -> {}, options);
    }

    /** A step that returns a state of another type, with options that hold always, and some that depend on the state. */
    public <R> Flow<I, R> then(
            String step,
            Class<R> to,
            Step.Code<S, R> code,
            Consumer<StepOptions> always,
            BiConsumer<S, StepOptions> options) {
        add(new Node.Task(
                named(step),
                type,
                (state, each) -> code.apply(type.cast(state), each),
                always,
                (state, each) -> options.accept(type.cast(state), each),
                null));
        return as(to);
    }

    /** Sleeps, up to 3,660 days. Uses no slot, no lease and no thread meanwhile. */
    public Flow<I, S> sleep(String step, Duration length) {
        if (length.isNegative() || length.compareTo(SLEEP_MAX) > 0) {
            throw new IllegalArgumentException(
                    "sleep '%s': expected zero to %s, got %s".formatted(step, SLEEP_MAX, length));
        }
        add(new Node.Sleep(named(step), type, length));
        return this;
    }

    /** Waits for a signal of this name; one that came before counts. Uses no slot and no thread meanwhile. */
    public <P> Flow<I, S> awaitSignal(String signal, Class<P> payload, BiFunction<S, P, S> merge) {
        return awaitSignal(signal, payload, type, merge);
    }

    /** Waits for a signal, and goes on with a state of another type. */
    public <P, R> Flow<I, R> awaitSignal(String signal, Class<P> payload, Class<R> to, BiFunction<S, P, R> merge) {
        return await(signal, payload, to, null, merge, null);
    }

    /** The same with a timeout, after which the step fails. */
    public <P> Flow<I, S> awaitSignal(String signal, Class<P> payload, Duration atMost, BiFunction<S, P, S> merge) {
        return await(signal, payload, type, within(signal, atMost), merge, null);
    }

    /** The same with a timeout, after which the run goes on with the state that {@code otherwise} makes. */
    public <P> Flow<I, S> awaitSignal(
            String signal, Class<P> payload, Duration atMost, BiFunction<S, P, S> merge, Function<S, S> otherwise) {
        return awaitSignal(signal, payload, type, atMost, merge, otherwise);
    }

    /** The same, for a next state of another type. */
    public <P, R> Flow<I, R> awaitSignal(
            String signal,
            Class<P> payload,
            Class<R> to,
            Duration atMost,
            BiFunction<S, P, R> merge,
            Function<S, R> otherwise) {
        return await(signal, payload, to, within(signal, atMost), merge, otherwise);
    }

    private static Duration within(String signal, Duration atMost) {
        if (atMost.isNegative() || atMost.isZero() || atMost.compareTo(SLEEP_MAX) > 0) {
            throw new IllegalArgumentException(
                    "awaitSignal '%s': expected up to %s, got %s".formatted(signal, SLEEP_MAX, atMost));
        }
        return atMost;
    }

    private <P, R> Flow<I, R> await(
            String signal,
            Class<P> payload,
            Class<R> to,
            @Nullable Duration atMost,
            BiFunction<S, P, R> merge,
            @Nullable Function<S, R> otherwise) {
        add(new Node.Await(
                named(signal),
                type,
                payload,
                atMost,
                (state, sent) -> merge.apply(type.cast(state), payload.cast(sent)),
                otherwise == null ? null : state -> otherwise.apply(type.cast(state))));
        return as(to);
    }

    /** Waits for an approval; a rejection fails the step. Uses no slot and no thread while it waits. */
    public Flow<I, S> awaitApproval(String name) {
        return awaitApproval(name, (state, approval) -> {
            if (!approval.isApproved()) {
                throw new PermanentFailure("rejected by %s: %s".formatted(approval.by(), approval.comment()));
            }
            return state;
        });
    }

    /** Waits for an approval or a rejection, and lets the workflow decide what each means. */
    public Flow<I, S> awaitApproval(String name, BiFunction<S, ApprovalDecision, S> merge) {
        return await(name, ApprovalDecision.class, type, null, merge, null);
    }

    /** Goes through the body as long as the condition holds; asked before each round. */
    public Flow<I, S> repeatWhile(String name, Predicate<S> condition, Function<Flow<S, S>, Flow<S, S>> body) {
        return repeat(name, false, condition, body);
    }

    /** Goes through the body until the condition holds; asked after each round. */
    public Flow<I, S> repeatUntil(String name, Predicate<S> condition, Function<Flow<S, S>, Flow<S, S>> body) {
        return repeat(name, true, condition, body);
    }

    private Flow<I, S> repeat(
            String name, boolean isUntil, Predicate<S> condition, Function<Flow<S, S>, Flow<S, S>> body) {
        String step = named(name);
        Node.Body inner = draft.body(name, type, body.apply(begin(draft, type)));
        add(new Node.Repeat(step, type, isUntil, state -> condition.test(type.cast(state)), inner));
        return this;
    }

    /** Branches that run side by side; the state goes on as what {@code merge} makes of it and their results. */
    public Flow<I, S> parallel(String name, Consumer<Branches<S>> branches, BiFunction<S, Branches.Results, S> merge) {
        return parallel(name, branches, type, merge);
    }

    /** Branches that run side by side, and a next state of another type. */
    public <R> Flow<I, R> parallel(
            String name, Consumer<Branches<S>> branches, Class<R> to, BiFunction<S, Branches.Results, R> merge) {
        String step = named(name);
        Branches<S> asked = new Branches<>(draft, type);
        branches.accept(asked);
        int count = asked.bodies().size();
        return fork(
                new Node.Fork(
                        step,
                        type,
                        "parallel",
                        state -> Collections.nCopies(count, state),
                        asked.bodies(),
                        null,
                        false,
                        asked.join(),
                        (state, ends, reading) -> merge.apply(type.cast(state), new Branches.Results(ends, reading))),
                to);
    }

    /**
     * One step for each item, side by side; each is a part of the run of its own.
     *
     * @param items of the state; asked more than once, so it must return the same each time
     */
    public <T, R> FanOut<I, S, R> forEach(
            String name, Function<S, List<T>> items, Class<T> item, Class<R> to, Step.Code<T, R> code) {
        return forEach(name, items, item, to, code, always -> {});
    }

    /** One step for each item, with a queue, gates, a cost, retries or needs of its own. */
    public <T, R> FanOut<I, S, R> forEach(
            String name,
            Function<S, List<T>> items,
            Class<T> item,
            Class<R> to,
            Step.Code<T, R> code,
            Consumer<StepOptions> options) {
        return forEach(name, items, item, flow -> flow.then(name + ".each", to, code, options));
    }

    /** One step for each item, whose queue, gates or cost depend on the item. */
    public <T, R> FanOut<I, S, R> forEach(
            String name,
            Function<S, List<T>> items,
            Class<T> item,
            Class<R> to,
            Step.Code<T, R> code,
            BiConsumer<T, StepOptions> options) {
        return forEach(name, items, item, flow -> flow.then(name + ".each", to, code, options));
    }

    /** Several steps for each item. */
    public <T, R> FanOut<I, S, R> forEach(
            String name, Function<S, List<T>> items, Class<T> item, Function<Flow<T, T>, Flow<T, R>> body) {
        String step = named(name);
        Flow<T, R> built = body.apply(begin(draft, item));
        Node.Fork fork = new Node.Fork(
                step,
                type,
                "forEach",
                state -> items.apply(type.cast(state)),
                List.of(draft.body(name, item, built)),
                null,
                false,
                Join.all(),
                (state, ends, reading) -> state);
        return new FanOut<>(this, fork, built.type());
    }

    /** Starts a child run and does not wait for it. It spends the budget of this run, and may outlive it, however long. */
    public <T> Flow<I, S> spawn(String name, Workflow<T, ?> child, Function<S, T> input) {
        return fork(childFork(name, child, state -> List.of(input.apply(state)), true), type);
    }

    /** Starts child runs and does not wait for them, as {@link #spawn} does with one; none if there are no inputs. */
    public <T> Flow<I, S> spawnEach(String name, Workflow<T, ?> child, Function<S, List<T>> inputs) {
        return fork(childFork(name, child, inputs, true), type);
    }

    /** Starts a child run and waits for its result. It spends the budget of this run. */
    public <T, O> Flow<I, S> child(String name, Workflow<T, O> child, Function<S, T> input, BiFunction<S, O, S> merge) {
        return childForEach(name, child, state -> List.of(input.apply(state)))
                .reduce((state, results) -> merge.apply(state, results.getFirst()));
    }

    /** Starts child runs and waits for their results. They spend the budget of this run. */
    public <T, O> FanOut<I, S, O> childForEach(String name, Workflow<T, O> child, Function<S, List<T>> inputs) {
        return new FanOut<>(this, childFork(name, child, inputs, false), child.output());
    }

    private <T> Node.Fork childFork(
            String name, Workflow<T, ?> child, Function<S, List<T>> inputs, boolean isDetached) {
        return new Node.Fork(
                named(name),
                type,
                (isDetached ? "spawn of " : "run of ") + child,
                state -> inputs.apply(type.cast(state)),
                List.of(),
                child,
                isDetached,
                Join.all(),
                (state, ends, reading) -> state);
    }

    <R> Flow<I, R> fork(Node.Fork fork, Class<R> to) {
        add(fork);
        return as(to);
    }

    /**
     * Undoes the step before this, if a later one fails for good or the run is cancelled. Gets the state that the step
     * returned; what it returns does not matter. Of several compensations, that of the last step runs first.
     */
    public Flow<I, S> compensate(String name, Step.Code<S, ?> code) {
        return compensate(name, code, options -> {});
    }

    /** The same with a queue, gates, a cost, retries or needs of its own. */
    public Flow<I, S> compensate(String name, Step.Code<S, ?> code, Consumer<StepOptions> options) {
        String step = named(name);
        if (nodes.isEmpty() || !(nodes.getLast() instanceof Node.Task done)) {
            throw new IllegalArgumentException(
                    "%s, compensation '%s': expected it right behind a step that is a job".formatted(draft, name));
        }
        nodes.set(nodes.size() - 1, done.undoneBy(task(step, type, code, options)));
        return this;
    }

    /** A last step of a run that has failed, after all compensations; the run has failed all the same. */
    public Flow<I, S> onFailure(String name, Step.Code<RunFailure, ?> code) {
        draft.onFailure(task(named(name), RunFailure.class, code, options -> {}));
        return this;
    }

    /** A last step of a run that was cancelled, after all compensations. */
    public Flow<I, S> onCancel(String name, Step.Code<RunFailure, ?> code) {
        draft.onCancel(task(named(name), RunFailure.class, code, options -> {}));
        return this;
    }

    private static <T> Node.Task task(String name, Class<T> in, Step.Code<T, ?> code, Consumer<StepOptions> options) {
        return new Node.Task(
                name, in, (state, step) -> code.apply(in.cast(state), step), options, (state, asked) -> {}, null);
    }

    /** The run fails if it has not ended this long after its start. Default: none. */
    public Flow<I, S> deadline(Duration afterStart) {
        draft.deadline(afterStart);
        return this;
    }

    /**
     * What each run may spend, its children included, and the most that a start may ask for:
     * {@code budget(b -> b.maxCostUnits(500).maxWallTime(ofHours(1)))}. A start may give less; more is given to a run by an
     * operator alone, with {@code topUp}. A guardrail that is not named has its standard limit, and a start may choose
     * another. It is stored with this version of the workflow. A child run spends the budget of the run that started it, not this one.
     * Default: {@link RunBudget#STANDARD}.
     */
    public Flow<I, S> budget(UnaryOperator<RunBudget> change) {
        draft.budget(change);
        return this;
    }

    /** The workflow as written. */
    public Workflow<I, S> build() {
        return draft.build(nodes, type);
    }

    private String named(String step) {
        return draft.named(step);
    }

    private void add(Node node) {
        nodes.add(node);
    }

    private <R> Flow<I, R> as(Class<R> next) {
        return new Flow<>(draft, nodes, next);
    }

    /**
     * The decision that a {@link Flow#awaitApproval} waits for.
     *
     * @param by the person who decided
     * @param comment why; may be empty
     */
    public record ApprovalDecision(boolean isApproved, String by, String comment) {}

    /**
     * How a run comes to its bad end, as {@link Flow#onFailure} and {@link Flow#onCancel} are told.
     *
     * @param step where it stood
     * @param reason the error, or why it was cancelled
     */
    public record RunFailure(String step, String reason) {}
}

package dev.headgate.workflow;

import dev.headgate.job.Names;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
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
    public Flow<I, S> then(String step, StepCode<S, S> code) {
        return then(step, type, code);
    }

    public Flow<I, S> then(String step, StepCode<S, S> code, Consumer<StepOptions> options) {
        return then(step, type, code, options);
    }

    /** A step whose queue, gates or cost depend on the state. */
    public Flow<I, S> then(String step, StepCode<S, S> code, BiConsumer<S, StepOptions> options) {
        return then(step, type, code, options);
    }

    /** A step that returns a state of another type. */
    public <R> Flow<I, R> then(String step, Class<R> to, StepCode<S, R> code) {
        return then(step, to, code, (state, options) -> {});
    }

    public <R> Flow<I, R> then(String step, Class<R> to, StepCode<S, R> code, Consumer<StepOptions> options) {
        return then(step, to, code, (state, each) -> options.accept(each));
    }

    public <R> Flow<I, R> then(String step, Class<R> to, StepCode<S, R> code, BiConsumer<S, StepOptions> options) {
        add(new Node.Task(
                named(step),
                type,
                (state, each) -> code.apply(type.cast(state), each),
                (state, each) -> options.accept(type.cast(state), each)));
        return as(to);
    }

    /** Sleeps. Nothing is held meanwhile: no slot, no lease, no thread. */
    public Flow<I, S> sleep(String step, Duration length) {
        if (length.isNegative() || length.compareTo(SLEEP_MAX) > 0) {
            throw new IllegalArgumentException(
                    "sleep '%s': expected zero to %s, got %s".formatted(step, SLEEP_MAX, length));
        }
        add(new Node.Sleep(named(step), type, length));
        return this;
    }

    /** Waits for a signal of this name; one that came before counts. Nothing is held meanwhile. */
    public <P> Flow<I, S> awaitSignal(String signal, Class<P> payload, BiFunction<S, P, S> merge) {
        return awaitSignal(signal, payload, type, merge);
    }

    public <P, R> Flow<I, R> awaitSignal(String signal, Class<P> payload, Class<R> to, BiFunction<S, P, R> merge) {
        return await(signal, payload, to, null, merge);
    }

    /** The same for so long at most; then the step has failed. */
    public <P> Flow<I, S> awaitSignal(String signal, Class<P> payload, Duration atMost, BiFunction<S, P, S> merge) {
        if (atMost.isNegative() || atMost.isZero() || atMost.compareTo(SLEEP_MAX) > 0) {
            throw new IllegalArgumentException(
                    "awaitSignal '%s': expected up to %s, got %s".formatted(signal, SLEEP_MAX, atMost));
        }
        return await(signal, payload, type, atMost, merge);
    }

    private <P, R> Flow<I, R> await(
            String signal, Class<P> payload, Class<R> to, @Nullable Duration atMost, BiFunction<S, P, R> merge) {
        add(new Node.Await(
                named(signal),
                type,
                payload,
                atMost,
                (state, sent) -> merge.apply(type.cast(state), payload.cast(sent))));
        return as(to);
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

    /** What the parts of one workflow share while it is written. */
    static final class Draft {
        private static final String QUEUE_DEFAULT = "default";

        private final String workflow;
        private final int version;
        private final Class<?> input;
        private final List<String> names = new ArrayList<>();
        private String queue = QUEUE_DEFAULT;

        Draft(String workflow, int version, Class<?> input) {
            this.workflow = workflow;
            this.version = version;
            this.input = input;
        }

        void queue(String name) {
            queue = Names.check("queue", name);
        }

        String named(String step) {
            Names.check("step of workflow '%s'".formatted(workflow), step);
            if (step.startsWith("~") || step.contains("/")) {
                throw new IllegalArgumentException(
                        "workflow '%s', step '%s': expected a name without a slash that does not begin with '~'"
                                .formatted(workflow, step));
            }
            if (names.contains(step)) {
                throw new IllegalArgumentException(
                        "workflow '%s', step '%s': expected a name of its own for each step, got it twice"
                                .formatted(workflow, step));
            }
            names.add(step);
            return step;
        }

        @SuppressWarnings("unchecked") // the input class is that of the Flow that began with this draft
        <I, O> Workflow<I, O> build(List<Node> nodes, Class<O> output) {
            Node.Body body = new Node.Body(workflow, input, nodes);
            return new Workflow<>(workflow, version, queue, (Class<I>) input, output, body);
        }
    }
}

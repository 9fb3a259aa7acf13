package dev.headgate.workflow;

import dev.headgate.internal.run.FrameView.ChildEnd;
import dev.headgate.run.Join;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One entry of a workflow, as {@link WorkflowMoves} sees it: types are checked where it is written, not here. */
sealed interface Node {
    String name();

    /** The type of the state it is entered with. */
    Class<?> in();

    /** What kind of entry it is, as in the shape of the workflow. */
    String kind();

    /** Sequences inside it, each a part of its own. */
    default List<Body> bodies() {
        return List.of();
    }

    /** A sequence of entries: of the workflow, a branch, an item, or a loop. */
    record Body(String name, Class<?> in, List<Node> nodes) {
        public Body {
            nodes = List.copyOf(nodes);
        }
    }

    /**
     * A step that is a job.
     *
     * @param always the options that hold for all its jobs
     * @param options those that depend on the state
     * @param undo the step that compensates it
     */
    record Task(
            String name,
            Class<?> in,
            Step.Code<Object, Object> code,
            Consumer<StepOptions> always,
            BiConsumer<Object, StepOptions> options,
            @Nullable Task undo)
            implements Node {
        @Override
        public String kind() {
            return undo == null ? "then" : "then, undone by '%s',".formatted(undo.name());
        }

        Task undoneBy(Task step) {
            return new Task(name, in, code, always, options, step);
        }
    }

    record Sleep(String name, Class<?> in, Duration length) implements Node {
        @Override
        public String kind() {
            return "sleep";
        }
    }

    /**
     * Waits for a signal; {@code merge} makes the next state of the state and what was sent.
     *
     * @param otherwise makes the next state if none came in time; absent if that fails the run
     */
    record Await(
            String name,
            Class<?> in,
            Class<?> signal,
            @Nullable Duration timeout,
            BiFunction<Object, Object, Object> merge,
            @Nullable Function<Object, Object> otherwise)
            implements Node {
        static final String KIND = "await";

        @Override
        public String kind() {
            return KIND;
        }
    }

    /**
     * A loop.
     *
     * @param isUntil whether it asks after each round for its end, not before each for its going on
     */
    record Repeat(String name, Class<?> in, boolean isUntil, Predicate<Object> test, Body body) implements Node {
        @Override
        public String kind() {
            return isUntil ? "repeatUntil" : "repeatWhile";
        }

        @Override
        public List<Body> bodies() {
            return List.of(body);
        }
    }

    /** Reads what a child has left. */
    interface ChildReader {
        <T> T read(String json, Class<T> type);
    }

    /** Makes the next state of the state and how the children ended. */
    interface Reduce {
        Object apply(Object state, List<ChildEnd> ends, ChildReader reader) throws Exception;
    }

    /**
     * Branches, items or child runs.
     *
     * @param items what each child begins with; the number of branches is fixed, that of items is not
     * @param child the workflow of child runs
     * @param isDetached whether the run goes on without waiting for them
     */
    record Fork(
            String name,
            Class<?> in,
            String kind,
            Function<Object, List<?>> items,
            List<Body> bodies,
            @Nullable Workflow<?, ?> child,
            boolean isDetached,
            Join join,
            Reduce reduce)
            implements Node {
        public Fork {
            bodies = List.copyOf(bodies);
        }

        Fork with(Join how, Reduce next) {
            return new Fork(name, in, kind, items, bodies, child, isDetached, how, next);
        }
    }
}

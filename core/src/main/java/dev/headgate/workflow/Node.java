package dev.headgate.workflow;

import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** One entry of a workflow, as the interpreter sees it: types are checked where it is written, not here. */
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

    record Task(String name, Class<?> in, StepCode<Object, Object> code, BiConsumer<Object, StepOptions> options)
            implements Node {
        @Override
        public String kind() {
            return "then";
        }
    }

    record Sleep(String name, Class<?> in, Duration length) implements Node {
        @Override
        public String kind() {
            return "sleep";
        }
    }

    /** Waits for a signal; {@code merge} makes the next state of the state and what was sent. */
    record Await(
            String name,
            Class<?> in,
            Class<?> signal,
            @Nullable Duration timeout,
            BiFunction<Object, Object, Object> merge)
            implements Node {
        @Override
        public String kind() {
            return "awaitSignal";
        }
    }
}

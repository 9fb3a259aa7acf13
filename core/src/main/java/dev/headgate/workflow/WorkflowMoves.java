package dev.headgate.workflow;

import dev.headgate.handler.HandlerOptions;
import dev.headgate.internal.json.JsonCodec;
import dev.headgate.internal.run.Move;
import dev.headgate.internal.run.StepType;
import dev.headgate.job.JobSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Decides where a run goes: from a step and a state to a move. Pure but for the code of the workflow itself, and called
 * outside every transaction.
 */
final class WorkflowMoves {
    /** Children made in one transaction. */
    static final int CHUNK = 1_000;

    /** Rounds of loops that enter no step; more of them never end. */
    private static final int IDLE_ROUNDS_MAX = 10_000;

    private final Workflow<?, ?> workflow;
    private final JsonCodec codec;
    private final Map<String, Location> places = new HashMap<>();
    private final Map<String, WorkflowMoves> children = new ConcurrentHashMap<>();

    /** Where an entry stands: in which sequence, at which index, and inside which loop. */
    private record Location(Node node, Node.Body body, int index, Node.@Nullable Repeat loop) {}

    WorkflowMoves(Workflow<?, ?> workflow, JsonCodec codec) {
        this.workflow = workflow;
        this.codec = codec;
        index(workflow.body(), null);
    }

    private void index(Node.Body body, Node.@Nullable Repeat loop) {
        for (int i = 0; i < body.nodes().size(); i++) {
            Node node = body.nodes().get(i);
            places.put(node.name(), new Location(node, body, i, loop));
            Node.Repeat around = node instanceof Node.Repeat repeat ? repeat : null;
            node.bodies().forEach(inner -> index(inner, around));
        }
    }

    /** The first move of a run. */
    Move.To begin(Object input) {
        return enter(workflow.body(), 0, null, input);
    }

    /** Enters the entry of this name, as for the first time. */
    Move.To enter(String step, Object state) {
        Location place = place(step);
        return enter(place.body(), place.index(), place.loop(), state);
    }

    /** Goes on behind the entry of this name. */
    Move.To after(String step, Object state) {
        Location place = place(step);
        return enter(place.body(), place.index() + 1, place.loop(), state);
    }

    @Nullable
    Node find(String step) {
        Location place = places.get(step);
        return place == null ? null : place.node();
    }

    Node node(String step) {
        return place(step).node();
    }

    private Location place(String step) {
        Location place = places.get(step);
        if (place == null) {
            throw new IllegalStateException(
                    "workflow %s: expected one of its steps %s, got '%s'".formatted(workflow, places.keySet(), step));
        }
        return place;
    }

    private Move.To enter(Node.Body startBody, int startIndex, Node.@Nullable Repeat startLoop, Object state) {
        Node.Body body = startBody;
        int index = startIndex;
        Node.Repeat loop = startLoop;
        for (int round = 0; round < IDLE_ROUNDS_MAX; round++) {
            boolean isOver = index == body.nodes().size();
            if (isOver && loop == null) {
                return new Move.Done(write("the end", state));
            }
            Node node = isOver ? loop : body.nodes().get(index);
            if (!(node instanceof Node.Repeat repeat)) {
                return enter(node, state);
            }
            // At the end of a body its loop asks anew; on the way in, "until" does not ask yet.
            boolean isAsked = isOver || !repeat.isUntil();
            boolean goesOn = !isAsked || repeat.test().test(state) != repeat.isUntil();
            if (goesOn) {
                body = repeat.body();
                index = 0;
                loop = repeat;
            } else {
                Location place = place(repeat.name());
                body = place.body();
                index = place.index() + 1;
                loop = place.loop();
            }
        }
        throw new IllegalStateException("workflow %s: expected a loop to come to a step, got %d rounds without one"
                .formatted(workflow, IDLE_ROUNDS_MAX));
    }

    private Move.To enter(@Nullable Node node, Object state) {
        return switch (node) {
            case Node.Task task -> new Move.Step(task.name(), job(task, state));
            case Node.Sleep sleep -> new Move.Sleep(sleep.name(), write(sleep.name(), state), sleep.length());
            case Node.Await await ->
                new Move.Await(await.name(), write(await.name(), state), await.name(), await.timeout());
            case Node.Fork fork -> fork(fork, state, 0);
            case Node.Repeat repeat -> throw new IllegalStateException("a loop is no place to stand");
            case null -> throw new IllegalStateException("nothing to enter");
        };
    }

    /** The children from this index on, as many as one transaction makes. */
    Move.Fork fork(Node.Fork fork, Object state, int from) {
        List<?> items = fork.items().apply(state);
        if (from > items.size()) {
            throw new IllegalStateException(
                    "workflow %s, step '%s': expected the same items each time, got %d where %d were begun"
                            .formatted(workflow, fork.name(), items.size(), from));
        }
        List<Move.Child> made = new ArrayList<>();
        for (int i = from; i < Math.min(items.size(), from + CHUNK); i++) {
            Object item = items.get(i);
            if (item == null) {
                throw new IllegalStateException(
                        "workflow %s, step '%s': expected an item at %d, got null".formatted(workflow, fork.name(), i));
            }
            made.add(fork.child() == null ? part(fork, i, item) : run(fork.child(), item));
        }
        return new Move.Fork(
                fork.name(), write(fork.name(), state), fork.join(), items.size(), from, made, fork.isDetached());
    }

    private Move.Child part(Node.Fork fork, int index, Object item) {
        Node.Body body = fork.bodies().get(fork.bodies().size() == 1 ? 0 : index);
        return child(body, enter(body, 0, null, item), item, null);
    }

    private Move.Child run(Workflow<?, ?> child, Object input) {
        WorkflowMoves inner = children.computeIfAbsent(child.toString(), name -> new WorkflowMoves(child, codec));
        return inner.child(child.body(), inner.begin(child.input().cast(input)), input, child.definition());
    }

    private Move.Child child(Node.Body body, Move.To first, Object state, Move.@Nullable Definition run) {
        return first instanceof Move.Step(String step, JobSpec job)
                ? new Move.Child(body.name(), step, job.payload(), job, run)
                : new Move.Child(
                        body.name(),
                        body.nodes().getFirst().name(),
                        write(body.nodes().getFirst().name(), state),
                        null,
                        run);
    }

    JobSpec job(Node.Task task, Object state) {
        StepOptions options = new StepOptions(workflow.queue(), task.always());
        task.options().accept(state, options);
        String type = StepType.of(workflow.name(), workflow.version(), task.name());
        return options.job(what(task), type, write(task.name(), state));
    }

    /** How workers run the jobs of a step. */
    HandlerOptions handler(Node.Task task) {
        return new StepOptions(workflow.queue(), task.always()).handler(what(task));
    }

    private String what(Node.Task task) {
        return "workflow %s, step '%s'".formatted(workflow, task.name());
    }

    Object read(Node node, String json) {
        return codec.read("state of workflow %s at step '%s'".formatted(workflow, node.name()), json, node.in());
    }

    <T> T read(String what, String json, Class<T> type) {
        return codec.read("%s of workflow %s".formatted(what, workflow), json, type);
    }

    private String write(String step, Object state) {
        return codec.write("workflow " + workflow + ", state before '" + step + "'", state);
    }
}

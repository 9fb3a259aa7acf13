package dev.headgate.workflow;

import dev.headgate.codec.JsonCodec;
import dev.headgate.job.JobSpec;
import dev.headgate.run.Move;
import dev.headgate.run.StepType;
import java.util.HashMap;
import java.util.Map;

/**
 * Decides where a run goes: from a step and a state to a move. Pure but for the code of the workflow itself, and called
 * outside every transaction.
 */
final class Interpreter {
    private final Workflow<?, ?> workflow;
    private final JsonCodec codec;
    private final Map<String, Place> places = new HashMap<>();

    /** Where an entry stands: in which sequence, at which index. */
    private record Place(Node node, Node.Body body, int index) {}

    Interpreter(Workflow<?, ?> workflow, JsonCodec codec) {
        this.workflow = workflow;
        this.codec = codec;
        index(workflow.body());
    }

    private void index(Node.Body body) {
        for (int i = 0; i < body.nodes().size(); i++) {
            Node node = body.nodes().get(i);
            places.put(node.name(), new Place(node, body, i));
            node.bodies().forEach(this::index);
        }
    }

    /** The first move of a run. */
    Move.To begin(Object input) {
        return enter(workflow.body(), 0, input);
    }

    /** Enters the entry of this name, as for the first time. */
    Move.To enter(String step, Object state) {
        Place place = place(step);
        return enter(place.body(), place.index(), state);
    }

    /** Goes on behind the entry of this name. */
    Move.To after(String step, Object state) {
        Place place = place(step);
        return enter(place.body(), place.index() + 1, state);
    }

    Node node(String step) {
        return place(step).node();
    }

    private Place place(String step) {
        Place place = places.get(step);
        if (place == null) {
            throw new IllegalStateException(
                    "workflow %s: expected one of its steps %s, got '%s'".formatted(workflow, places.keySet(), step));
        }
        return place;
    }

    private Move.To enter(Node.Body body, int index, Object state) {
        if (index == body.nodes().size()) {
            return new Move.Done(write("result", state));
        }
        return switch (body.nodes().get(index)) {
            case Node.Task task -> new Move.Step(task.name(), job(task, state));
            case Node.Sleep sleep -> new Move.Sleep(sleep.name(), write(sleep.name(), state), sleep.length());
            case Node.Await await ->
                new Move.Await(await.name(), write(await.name(), state), await.name(), await.timeout());
        };
    }

    private JobSpec job(Node.Task task, Object state) {
        String what = "workflow %s, step '%s'".formatted(workflow, task.name());
        StepOptions options = new StepOptions(workflow.queue());
        task.options().accept(state, options);
        String type = StepType.of(workflow.name(), workflow.version(), task.name());
        return options.job(what, type, write(task.name(), state));
    }

    Object read(Node node, String json) {
        return codec.read("state of workflow %s at step '%s'".formatted(workflow, node.name()), json, node.in());
    }

    <T> T read(String what, String json, Class<T> type) {
        return codec.read("%s of workflow %s".formatted(what, workflow), json, type);
    }

    private String write(String step, Object state) {
        return codec.write("workflow %s, state before '%s'".formatted(workflow, step), state);
    }
}

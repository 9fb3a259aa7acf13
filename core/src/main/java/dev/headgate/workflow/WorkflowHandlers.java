package dev.headgate.workflow;

import dev.headgate.handler.HandlerOptions;
import dev.headgate.handler.JobContext;
import dev.headgate.handler.PermanentFailure;
import dev.headgate.internal.handler.Handler;
import dev.headgate.internal.json.JsonCodec;
import dev.headgate.internal.run.FrameView;
import dev.headgate.internal.run.Move;
import dev.headgate.internal.run.Program;
import dev.headgate.internal.run.SteeringMessage;
import dev.headgate.internal.run.StepType;
import dev.headgate.job.JobSpec.FrameRef;
import dev.headgate.job.JobType;
import dev.headgate.run.RunId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The handlers that run a workflow: one per step that is a job, and two that steer. */
final class WorkflowHandlers {
    private final Workflow<?, ?> workflow;
    private final WorkflowMoves moves;
    private final Unwinding unwinding;
    private final Steering steering;

    WorkflowHandlers(Workflow<?, ?> workflow, JsonCodec codec, FrameView.Reader reader) {
        this.workflow = workflow;
        this.moves = new WorkflowMoves(workflow, codec);
        this.unwinding = new Unwinding(workflow, moves, codec, reader);
        this.steering = new Steering(workflow, moves, unwinding, reader);
    }

    /** What the engine needs of a workflow. */
    record OfWorkflow<I>(Workflow<I, ?> workflow) implements Program<I> {
        @Override
        public Move.Definition definition() {
            return workflow.definition();
        }

        @Override
        public List<Move.To> begin(JsonCodec codec, List<I> inputs) {
            WorkflowMoves moves = new WorkflowMoves(workflow, codec);
            return inputs.stream().map(moves::begin).toList();
        }

        @Override
        public List<Handler<?>> handlers(JsonCodec codec, FrameView.Reader reader) {
            return new WorkflowHandlers(workflow, codec, reader).all();
        }
    }

    private List<Handler<?>> all() {
        List<Handler<?>> handlers = new ArrayList<>();
        collect(workflow.body(), handlers);
        Stream.of(workflow.endings().onFailure(), workflow.endings().onCancel())
                .filter(Objects::nonNull)
                .forEach(task -> handlers.add(undoing(task, task.in())));
        for (String control : List.of(StepType.ADVANCE, StepType.SETTLE)) {
            handlers.add(new Handler<>(
                    JobType.of(StepType.of(workflow.name(), workflow.version(), control), SteeringMessage.class),
                    steering::steer,
                    HandlerOptions.DEFAULT));
        }
        return handlers;
    }

    private void collect(Node.Body body, List<Handler<?>> handlers) {
        for (Node node : body.nodes()) {
            if (node instanceof Node.Task task) {
                handlers.add(handler(task, task.in()));
                if (task.undo() != null) {
                    handlers.add(undoing(task.undo(), task.undo().in()));
                }
            }
            node.bodies().forEach(inner -> collect(inner, handlers));
        }
    }

    private <T> Handler<T> handler(Node.Task task, Class<T> in) {
        String type = StepType.of(workflow.name(), workflow.version(), task.name());
        return new Handler<>(JobType.of(type, in), (state, job) -> run(task, state, job), moves.handler(task));
    }

    /** Runs a compensation, {@code onFailure} or {@code onCancel}; what it returns does not matter. */
    private <T> Handler<T> undoing(Node.Task task, Class<T> in) {
        String type = StepType.of(workflow.name(), workflow.version(), task.name());
        return new Handler<>(
                JobType.of(type, in),
                (state, job) -> {
                    long frame = frameOf(job).frame();
                    Step step = new Step(task.name(), RunId.of(frame), job);
                    task.code().apply(state, step);
                    Move.To to = decide(frame, task.name(), () -> unwinding.after(frame));
                    return new Move(to, null, null, Move.Artifact.all(step.artifacts()));
                },
                moves.handler(task));
    }

    private Move run(Node.Task task, Object state, JobContext job) throws Exception {
        FrameRef frame = frameOf(job);
        Step step = new Step(task.name(), RunId.of(frame.frame()), job);
        Object next = task.code().apply(state, step);
        if (next == null) {
            throw new PermanentFailure("run %d, step '%s': expected it to return the next state, got null"
                    .formatted(frame.frame(), task.name()));
        }
        Move.To to = decide(frame.frame(), task.name(), () -> moves.after(task.name(), next));
        return new Move(to, null, null, Move.Artifact.all(step.artifacts()));
    }

    static FrameRef frameOf(JobContext job) {
        return job.frame()
                .orElseThrow(() -> new PermanentFailure(
                        "job %s of type '%s': expected a step of a run, got a plain job; start the workflow instead"
                                .formatted(job.id(), job.type())));
    }

    /** Something to decide with the code of the workflow. */
    interface Decision {
        Move.@Nullable To make() throws Exception;
    }

    /** The step has run; to run it again because what follows cannot be decided would only repeat its effects. */
    static Move.To decide(long frame, String step, Decision decision) {
        try {
            Move.To to = decision.make();
            if (to != null) {
                return to;
            }
        } catch (PermanentFailure known) {
            throw known;
        } catch (Exception broken) {
            throw new PermanentFailure(
                    "run %d, step '%s': what follows could not be decided: %s"
                            .formatted(frame, step, broken.getMessage()),
                    broken);
        }
        throw new PermanentFailure("run %d, step '%s': nothing follows".formatted(frame, step));
    }
}

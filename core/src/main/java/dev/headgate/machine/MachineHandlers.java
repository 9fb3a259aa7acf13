package dev.headgate.machine;

import dev.headgate.handler.HandlerOptions;
import dev.headgate.handler.JobContext;
import dev.headgate.handler.PermanentFailure;
import dev.headgate.internal.handler.Handler;
import dev.headgate.internal.json.JsonCodec;
import dev.headgate.internal.run.FrameView;
import dev.headgate.internal.run.FrameView.Phase;
import dev.headgate.internal.run.Move;
import dev.headgate.internal.run.Program;
import dev.headgate.internal.run.SteeringMessage;
import dev.headgate.internal.run.StepType;
import dev.headgate.job.JobType;
import dev.headgate.run.RunId;
import dev.headgate.workflow.Step;
import java.util.ArrayList;
import java.util.List;

/** The handlers that run a state machine: one per entry action, and two that take events, timers and failures. */
final class MachineHandlers {
    private final Machine<?> machine;
    private final MachineMoves moves;
    private final FrameView.Reader reader;

    private MachineHandlers(Machine<?> machine, JsonCodec codec, FrameView.Reader reader) {
        this.machine = machine;
        this.moves = new MachineMoves(machine, codec);
        this.reader = reader;
    }

    /** What the engine needs of a machine. */
    record OfMachine<D>(Machine<D> machine) implements Program<D> {
        @Override
        public Move.Definition definition() {
            return new Move.Definition(machine.name(), machine.version(), machine.queue(), null);
        }

        @Override
        public List<Move.To> begin(JsonCodec codec, List<D> inputs) {
            MachineMoves moves = new MachineMoves(machine, codec);
            return inputs.stream()
                    .map(data -> moves.enter(machine.initial(), data))
                    .toList();
        }

        @Override
        public List<Handler<?>> handlers(JsonCodec codec, FrameView.Reader reader) {
            return new MachineHandlers(machine, codec, reader).all();
        }
    }

    private List<Handler<?>> all() {
        List<Handler<?>> handlers = new ArrayList<>();
        for (StateNode place : machine.places().values()) {
            if (place.entry() != null) {
                handlers.add(entry(place, place.entry(), machine.data()));
            }
        }
        for (String control : List.of(StepType.ADVANCE, StepType.SETTLE)) {
            handlers.add(new Handler<>(
                    JobType.of(type(control), SteeringMessage.class), this::steer, HandlerOptions.DEFAULT));
        }
        return handlers;
    }

    private String type(String step) {
        return StepType.of(machine.name(), machine.version(), step);
    }

    private <D> Handler<D> entry(StateNode place, StateNode.Action action, Class<D> data) {
        return new Handler<>(
                JobType.of(type(action.name()), data),
                (value, job) -> {
                    long id = frameOf(job);
                    Step step = new Step(action.name(), RunId.of(id), job);
                    Object next = action.code().apply(value, step);
                    if (next == null) {
                        throw new PermanentFailure(
                                "instance %d, entry action '%s': expected it to return the next data, got null"
                                        .formatted(id, action.name()));
                    }
                    Move move = decide(id, place.position(), () -> Move.to(moves.acted(place, next)));
                    return new Move(move.to(), null, null, Move.Artifact.all(step.artifacts()));
                },
                moves.handler(action));
    }

    private Move steer(SteeringMessage control, JobContext job) {
        long id = frameOf(job);
        if (control.why() == SteeringMessage.Why.SWEEP) {
            while (reader.sweep(id)) {
                job.checkCancelled();
            }
            return Move.to(new Move.Stay());
        }
        if (control.why() == SteeringMessage.Why.ARRIVED) {
            return Move.to(new Move.Arrived(String.valueOf(control.detail())));
        }
        FrameView frame = reader.frame(id);
        String position = frame == null ? null : frame.step();
        if (frame == null || frame.state().isTerminal() || position == null) {
            return Move.to(new Move.Stay());
        }
        return decide(id, position, () -> steer(control, frame, position)).seen(frame.revision());
    }

    private Move steer(SteeringMessage control, FrameView frame, String position) {
        String error = control.detail() == null ? "" : control.detail();
        StateNode place = moves.place(StateNode.stateOf(position));
        return switch (control.why()) {
            case BEGIN -> Move.to(moves.enter(place.name(), data(frame, position)));
            case RESUMED -> Move.to(moves.resume(position, data(frame, position)));
            case SIGNALLED -> moves.signalled(frame, place, data(frame, position));
            case TIMED_OUT ->
                (frame.isSignalBeforeTimer()
                                ? moves.signalled(frame, place, data(frame, position))
                                : moves.timed(place, data(frame, position)))
                        .timed();
            case FAILED -> Move.to(failed(frame, place, position, error));
            case CANCELLED -> Move.to(new Move.Cancelled(error));
            case OVERDUE -> Move.to(new Move.Overdue());
            default -> Move.to(new Move.Stay());
        };
    }

    private Move.To failed(FrameView frame, StateNode place, String position, String error) {
        if (frame.phase() == Phase.CANCELLING) {
            return new Move.Cancelled("%s; then %s".formatted(frame.error(), error));
        }
        String action = StateNode.actionOf(position);
        if (action == null) {
            return new Move.Failed("state '%s': %s".formatted(place.name(), error));
        }
        Move.To to = moves.failed(place, data(frame, position), error);
        return to == null
                ? new Move.Failed("state '%s', entry action '%s': %s".formatted(place.name(), action, error))
                : to;
    }

    private Object data(FrameView frame, String position) {
        String json = frame.json();
        if (json == null) {
            throw new IllegalStateException("instance %d: expected data in '%s'".formatted(frame.id(), position));
        }
        return moves.read(StateNode.stateOf(position), json);
    }

    private static long frameOf(JobContext job) {
        return job.frame()
                .orElseThrow(() -> new PermanentFailure(
                        "job %s of type '%s': expected one of a state machine, got a plain job; start the machine instead"
                                .formatted(job.id(), job.type())))
                .frame();
    }

    /** Something to decide with the code of the machine. */
    private interface Decision {
        Move make();
    }

    /** Guards and updates only compute, so one that throws would throw again: the instance fails at once. */
    private static Move decide(long id, String position, Decision decision) {
        try {
            return decision.make();
        } catch (PermanentFailure known) {
            throw known;
        } catch (RuntimeException broken) {
            throw new PermanentFailure(
                    "instance %d in '%s': what follows could not be decided: %s"
                            .formatted(id, position, broken.getMessage()),
                    broken);
        }
    }
}

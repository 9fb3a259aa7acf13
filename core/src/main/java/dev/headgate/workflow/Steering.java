package dev.headgate.workflow;

import dev.headgate.handler.JobContext;
import dev.headgate.handler.PermanentFailure;
import dev.headgate.internal.run.FrameView;
import dev.headgate.internal.run.FrameView.ChildEnd;
import dev.headgate.internal.run.FrameView.Phase;
import dev.headgate.internal.run.Move;
import dev.headgate.internal.run.SteeringMessage;
import dev.headgate.run.Join;
import dev.headgate.run.RunEvent;
import dev.headgate.run.RunState;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Decides where a run goes when no step has just said so: after a sleep, a signal, a failure, the last child. */
final class Steering {
    private final Workflow<?, ?> workflow;
    private final WorkflowMoves moves;
    private final Unwinding unwinding;
    private final FrameView.Reader reader;

    Steering(Workflow<?, ?> workflow, WorkflowMoves moves, Unwinding unwinding, FrameView.Reader reader) {
        this.workflow = workflow;
        this.moves = moves;
        this.unwinding = unwinding;
        this.reader = reader;
    }

    Move steer(SteeringMessage control, JobContext job) {
        long id = WorkflowHandlers.frameOf(job).frame();
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
        return frame == null || frame.state().isTerminal()
                ? Move.to(new Move.Stay())
                : steer(control, frame).seen(frame.revision());
    }

    private Move steer(SteeringMessage control, FrameView frame) {
        String step = frame.step();
        String error = control.detail() == null ? "" : control.detail();
        if (step == null) {
            return Move.to(new Move.Failed("run %d of workflow %s stands at no step".formatted(frame.id(), workflow)));
        }
        return switch (control.why()) {
            case BEGIN -> decide(frame, step, () -> moves.enter(step, state(frame, step)));
            case RESUMED -> decide(frame, step, () -> resumed(frame, step));
            case SLEPT -> decide(frame, step, () -> moves.after(step, state(frame, step)));
            case SIGNALLED -> signalled(frame, step);
            case JOINED -> decide(frame, step, () -> joined(frame, step));
            case FORKING -> decide(frame, step, () -> forking(frame, step));
            case TIMED_OUT -> (frame.isSignalBeforeTimer() ? signalled(frame, step) : timedOut(frame, step)).timed();
            case FAILED -> fail(frame, "step '%s': %s".formatted(step, error));
            case CANCELLED -> Move.to(unwinding.next(frame, Phase.CANCELLING, error));
            case DEADLINE -> fail(frame, "its deadline of %s passed at step '%s'".formatted(error, step));
            case OVERDUE -> Move.to(new Move.Overdue());
            case ARRIVED, SWEEP -> Move.to(new Move.Stay());
        };
    }

    private Move decide(FrameView frame, String step, WorkflowHandlers.Decision decision) {
        return Move.to(WorkflowHandlers.decide(frame.id(), step, decision));
    }

    private Move fail(FrameView frame, String error) {
        if (frame.phase() != Phase.FORWARD) {
            // A compensation has failed: an operator must look, and the first reason stays.
            String all = "%s; then %s".formatted(frame.error(), error);
            return Move.to(frame.phase() == Phase.CANCELLING ? new Move.Cancelled(all) : new Move.Failed(all));
        }
        return Move.to(unwinding.next(frame, Phase.FAILING, error));
    }

    private Object state(FrameView frame, String step) {
        String json = frame.json();
        if (json == null) {
            throw new IllegalStateException("run %d: expected a state at step '%s'".formatted(frame.id(), step));
        }
        return moves.read(moves.node(step), json);
    }

    private Move.To resumed(FrameView frame, String step) {
        boolean isForking = frame.created() > 0 && moves.node(step) instanceof Node.Fork;
        return isForking ? forking(frame, step) : moves.enter(step, state(frame, step));
    }

    private Move signalled(FrameView frame, String step) {
        FrameView.@Nullable Inbox signal = frame.signal();
        if (signal == null || !(moves.node(step) instanceof Node.Await await)) {
            return Move.to(new Move.Stay());
        }
        try {
            Move.To to = WorkflowHandlers.decide(frame.id(), step, () -> {
                Object sent = moves.read("signal '%s'".formatted(signal.name()), signal.json(), await.signal());
                return moves.after(step, await.merge().apply(state(frame, step), sent));
            });
            return Move.to(to).using(signal.id());
        } catch (PermanentFailure refused) {
            // It is used up all the same: a retry must wait for a new one, or it would meet this one for ever.
            return fail(frame, "step '%s': %s".formatted(step, refused.getMessage()))
                    .using(signal.id());
        }
    }

    private Move timedOut(FrameView frame, String step) {
        String why = "no signal '%s' came in time".formatted(step);
        Function<Object, Object> otherwise = moves.node(step) instanceof Node.Await await ? await.otherwise() : null;
        return otherwise == null
                ? fail(frame, why)
                : decide(frame, step, () -> moves.after(step, otherwise.apply(state(frame, step))))
                        .because(RunEvent.Kind.TIMED, why);
    }

    private Move.To forking(FrameView frame, String step) {
        return moves.node(step) instanceof Node.Fork fork
                ? moves.fork(fork, state(frame, step), frame.created())
                : new Move.Stay();
    }

    private Move.To joined(FrameView frame, String step) throws Exception {
        if (!(moves.node(step) instanceof Node.Fork fork)) {
            return new Move.Stay();
        }
        List<ChildEnd> ends = fork.isDetached() ? List.of() : reader.children(frame.id());
        long succeeded =
                ends.stream().filter(end -> end.state() == RunState.SUCCEEDED).count();
        boolean isMet = fork.isDetached()
                || fork.join() instanceof Join.Settled
                || succeeded >= fork.join().needed(ends.size());
        if (!isMet) {
            return unwinding.next(frame, Phase.FAILING, shortfall(step, fork.join(), ends, succeeded));
        }
        Object next = fork.reduce().apply(state(frame, step), ends, this::child);
        return moves.after(step, next);
    }

    private <T> T child(String json, Class<T> type) {
        return moves.read("result of a child", json, type);
    }

    private static String shortfall(String step, Join join, List<ChildEnd> ends, long succeeded) {
        ChildEnd first = ends.stream()
                .filter(end -> end.state() == RunState.FAILED)
                .findFirst()
                .orElse(null);
        return "step '%s': %d of %d succeeded, %d had to%s"
                .formatted(
                        step,
                        succeeded,
                        ends.size(),
                        join.needed(ends.size()),
                        first == null
                                ? ""
                                : "; the first to fail is %s %d (run %s): %s"
                                        .formatted(first.name(), first.index(), first.id(), first.error()));
    }
}

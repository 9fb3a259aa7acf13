package dev.headgate.workflow;

import dev.headgate.handler.JobContext;
import dev.headgate.run.Control;
import dev.headgate.run.FrameView;
import dev.headgate.run.Move;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides where a run goes when no step has just said so: after a sleep, a signal, a failure, the last child. */
final class Steering {
    private final Workflow<?, ?> workflow;
    private final Interpreter interpreter;
    private final FrameView.Reader reader;

    Steering(Workflow<?, ?> workflow, Interpreter interpreter, FrameView.Reader reader) {
        this.workflow = workflow;
        this.interpreter = interpreter;
        this.reader = reader;
    }

    Move steer(Control control, JobContext job) {
        long id = WorkflowHandlers.frameOf(job).frame();
        FrameView frame = reader.frame(id);
        if (frame == null || frame.state().isTerminal()) {
            return Move.to(new Move.Stay());
        }
        return steer(control, frame);
    }

    private Move steer(Control control, FrameView frame) {
        String step = frame.step();
        String error = control.detail() == null ? "" : control.detail();
        if (step == null) {
            return Move.to(new Move.Failed("run %d of workflow %s stands at no step".formatted(frame.id(), workflow)));
        }
        return switch (control.why()) {
            case BEGIN, RESUMED -> decide(frame, step, () -> interpreter.enter(step, state(frame, step)));
            case SLEPT -> decide(frame, step, () -> interpreter.after(step, state(frame, step)));
            case SIGNALLED -> signalled(frame, step);
            case TIMED_OUT -> Move.to(new Move.Failed("no signal '%s' came in time".formatted(step)));
            case FAILED -> Move.to(new Move.Failed("step '%s': %s".formatted(step, error)));
            case CANCELLED -> Move.to(new Move.Cancelled(error));
            case DEADLINE -> Move.to(new Move.Overdue());
            case JOINED, FORKING, SWEEP -> Move.to(new Move.Stay());
        };
    }

    private Move decide(FrameView frame, String step, WorkflowHandlers.Decision decision) {
        return Move.to(WorkflowHandlers.decide(frame.id(), step, decision));
    }

    private Object state(FrameView frame, String step) {
        String json = frame.json();
        if (json == null) {
            throw new IllegalStateException("run %d: expected a state at step '%s'".formatted(frame.id(), step));
        }
        return interpreter.read(interpreter.node(step), json);
    }

    private Move signalled(FrameView frame, String step) {
        FrameView.@Nullable Inbox signal = frame.signal();
        if (signal == null || !(interpreter.node(step) instanceof Node.Await await)) {
            return Move.to(new Move.Stay());
        }
        Move.To to = WorkflowHandlers.decide(frame.id(), step, () -> {
            Object sent = interpreter.read("signal '%s'".formatted(signal.name()), signal.json(), await.signal());
            return interpreter.after(step, await.merge().apply(state(frame, step), sent));
        });
        return new Move(to, signal.id(), List.of());
    }
}

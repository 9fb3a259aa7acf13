package dev.headgate.workflow;

import dev.headgate.internal.json.JsonCodec;
import dev.headgate.internal.run.FrameView;
import dev.headgate.internal.run.FrameView.Entered;
import dev.headgate.internal.run.FrameView.Phase;
import dev.headgate.internal.run.Move;
import dev.headgate.workflow.Flow.RunFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a run fails or is cancelled: compensations in reverse order, then {@code onFailure} or {@code onCancel}, then the end. Where it
 * stands on that way follows from the steps it has entered, so nothing else is kept about it.
 */
final class Unwinding {
    private final Workflow<?, ?> workflow;
    private final WorkflowMoves moves;
    private final JsonCodec codec;
    private final FrameView.Reader reader;

    /** A step of the way, with the state it gets. */
    private record Stop(Node.Task step, String state) {}

    Unwinding(Workflow<?, ?> workflow, WorkflowMoves moves, JsonCodec codec, FrameView.Reader reader) {
        this.workflow = workflow;
        this.moves = moves;
        this.codec = codec;
        this.reader = reader;
    }

    /** Goes on after one of its steps. */
    Move.To after(long frame) {
        FrameView view = reader.frame(frame);
        return view == null ? new Move.Stay() : next(view, view.phase(), String.valueOf(view.error()));
    }

    Move.To next(FrameView frame, Phase phase, String error) {
        List<Entered> entered = reader.entered(frame.id());
        List<Stop> stops = stops(frame, phase, error, entered);
        long done = entered.stream().filter(Entered::isUnwinding).count();
        if (done < stops.size()) {
            Stop stop = stops.get((int) done);
            Object state = codec.read(
                    "state of workflow %s for '%s'"
                            .formatted(workflow, stop.step().name()),
                    stop.state(),
                    stop.step().in());
            return new Move.Unwind(stop.step().name(), moves.job(stop.step(), state), phase, error);
        }
        return phase == Phase.CANCELLING ? new Move.Cancelled(error) : new Move.Failed(error);
    }

    private List<Stop> stops(FrameView frame, Phase phase, String error, List<Entered> entered) {
        List<Entered> forward =
                entered.stream().filter(each -> !each.isUnwinding()).toList();
        List<Stop> stops = new ArrayList<>();
        // The last one entered is where it failed; each before it returned the state that the next was entered with.
        for (int i = forward.size() - 2; i >= 0; i--) {
            if (moves.find(forward.get(i).step()) instanceof Node.Task task && task.undo() != null) {
                stops.add(new Stop(task.undo(), forward.get(i + 1).state()));
            }
        }
        Node.@Nullable Task last = phase == Phase.CANCELLING
                ? workflow.endings().onCancel()
                : workflow.endings().onFailure();
        boolean isRun = frame.run().value() == frame.id();
        if (last != null && isRun) {
            RunFailure ending = new RunFailure(Objects.requireNonNullElse(frame.step(), ""), error);
            stops.add(new Stop(last, codec.write("ending of run %d".formatted(frame.id()), ending)));
        }
        return stops;
    }
}

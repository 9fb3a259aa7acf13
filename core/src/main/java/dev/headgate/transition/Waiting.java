package dev.headgate.transition;

import dev.headgate.run.Control;
import dev.headgate.run.Control.Why;
import dev.headgate.run.FrameView;
import dev.headgate.run.Move;
import dev.headgate.run.RunState;
import dev.headgate.store.FrameRow;
import dev.headgate.store.FrameTable.Awaited;
import dev.headgate.store.StoreTransaction;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Frames that wait for a signal after this transaction, and may have to be told that one has come before. */
final class Waiting {
    private final StoreTransaction tx;
    private final FrameSet frames;
    private final Set<FrameEdit> waiting = new LinkedHashSet<>();

    Waiting(StoreTransaction tx, FrameSet frames) {
        this.tx = tx;
        this.frames = frames;
    }

    void add(FrameEdit frame) {
        waiting.add(frame);
    }

    /** One steering job for each frame whose signal is there, however many of them are. */
    void tell() {
        List<FrameEdit> still = waiting.stream()
                .filter(frame -> frame.state == RunState.AWAITING && frame.awaits != null)
                .toList();
        if (!still.isEmpty()) {
            Set<Awaited> arrived =
                    tx.frames().arrived(still.stream().map(Waiting::awaited).toList());
            still.stream()
                    .filter(frame -> arrived.contains(awaited(frame)))
                    .forEach(frame -> frames.control(frame, new Control(Why.SIGNALLED)));
        }
        waiting.clear();
    }

    /** Whether a timer that rang would overtake a signal that was there when it was due. */
    boolean isOvertaking(FrameEdit frame, Move move) {
        return move.isTimed()
                && move.signal() == null
                && frame.dueAt != null
                && frame.awaits != null
                && FrameView.isBefore(tx.frames().inbox(frame.before().run(), frame.awaits), frame.dueAt);
    }

    /** All that wait for this signal look, and the first takes it: one alone might be done with waiting before it looks. */
    void arrived(long run, String signal) {
        for (FrameRow each : tx.frames().awaiting(run, signal)) {
            frames.control(frames.know(each), new Control(Why.SIGNALLED));
        }
    }

    private static Awaited awaited(FrameEdit frame) {
        return new Awaited(frame.before().run(), Objects.requireNonNull(frame.awaits));
    }
}

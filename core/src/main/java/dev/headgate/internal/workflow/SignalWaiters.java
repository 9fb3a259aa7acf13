package dev.headgate.internal.workflow;

import dev.headgate.internal.run.FrameView;
import dev.headgate.internal.run.Move;
import dev.headgate.internal.run.SteeringMessage;
import dev.headgate.internal.run.SteeringMessage.Why;
import dev.headgate.run.RunState;
import dev.headgate.spi.FrameRow;
import dev.headgate.spi.FrameTable.Awaited;
import dev.headgate.spi.StoreTransaction;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Frames that wait for a signal after this transaction, and may have to be told that one has come before. */
final class SignalWaiters {
    private final StoreTransaction tx;
    private final FrameSet frames;
    private final Set<FrameEdit> waiting = new LinkedHashSet<>();

    SignalWaiters(StoreTransaction tx, FrameSet frames) {
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
            Set<Awaited> arrived = tx.frames()
                    .arrived(still.stream().map(SignalWaiters::awaited).toList());
            still.stream()
                    .filter(frame -> arrived.contains(awaited(frame)))
                    .forEach(frame -> frames.control(frame, new SteeringMessage(Why.SIGNALLED)));
        }
        waiting.clear();
    }

    /** Whether a timer that rang would overtake a signal that was there when it was due. */
    boolean isOvertaking(FrameEdit frame, Move move) {
        return move.isTimed()
                && move.signal() == null
                && frame.dueAt != null
                && frame.awaits != null
                && FrameView.isBefore(tx.frames().inbox(frame.before().tree().run(), frame.awaits), frame.dueAt);
    }

    /** All that wait for this signal look, and the first takes it: one alone might be done with waiting before it looks. */
    void arrived(long run, String signal) {
        for (FrameRow each : tx.frames().awaiting(run, signal)) {
            frames.control(frames.know(each), new SteeringMessage(Why.SIGNALLED));
        }
    }

    private static Awaited awaited(FrameEdit frame) {
        return new Awaited(frame.before().tree().run(), Objects.requireNonNull(frame.awaits));
    }
}

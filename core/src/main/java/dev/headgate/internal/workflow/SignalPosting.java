package dev.headgate.internal.workflow;

import dev.headgate.internal.enqueue.Enqueue;
import dev.headgate.internal.run.FrameView.Phase;
import dev.headgate.internal.run.SendResult;
import dev.headgate.internal.run.SteeringMessage;
import dev.headgate.internal.run.SteeringMessage.Why;
import dev.headgate.internal.workflow.EventDelivery.Parcel;
import dev.headgate.job.JobSpec.FrameRef;
import dev.headgate.spi.FrameRow;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.Wake;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Leaves a signal or an event for a run in a transaction that may stay open for minutes: it appends and locks nothing.
 *
 * <p>Design note: {@link EventDelivery} holds the run while it looks what awaits the signal. If that lasted, a worker whose turn
 * ends a step of this run would wait in the middle of the turn, with its gates locked, and all workers behind it. So the
 * look is left to a steering job, which is there when the signal is. It takes the lock for a moment only, and what begins
 * to wait afterwards finds the signal by itself.
 */
final class SignalPosting {
    private final StoreTransaction tx;
    private final Set<Wake> wakes;

    SignalPosting(StoreTransaction tx, Set<Wake> wakes) {
        this.tx = tx;
        this.wakes = wakes;
    }

    SendResult leave(Parcel parcel, Predicate<String> isTakenBy) {
        long id = parcel.to().value();
        List<FrameRow> found = tx.frames().find(List.of(id));
        if (found.isEmpty() || !found.getFirst().isRun()) {
            return SendResult.UNKNOWN;
        }
        FrameRow run = found.getFirst();
        if (!isTakenBy.test(EventDelivery.shape(tx, run))) {
            return SendResult.NOT_TAKEN;
        }
        if (run.position().state().isTerminal() || run.position().phase() == Phase.CANCELLING) {
            return SendResult.ENDED;
        }
        if (parcel.key() != null && !tx.frames().addSignalKey(id, parcel.key())) {
            return SendResult.KNOWN;
        }
        long now = tx.now();
        tx.frames().addSignal(id, parcel.inbox(), parcel.json(), now);
        FrameRef any = new FrameRef(id, FrameRef.ANY_REVISION);
        SteeringMessage arrived = new SteeringMessage(Why.ARRIVED, parcel.inbox());
        Enqueue.steps(tx, List.of(FrameSet.steering(run, arrived, any, Duration.ZERO)), now);
        wakes.add(new Wake.Queue(run.program().queue()));
        return SendResult.NEW;
    }
}

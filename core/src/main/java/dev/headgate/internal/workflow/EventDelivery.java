package dev.headgate.internal.workflow;

import dev.headgate.internal.run.FrameView.Phase;
import dev.headgate.internal.run.SendResult;
import dev.headgate.internal.run.SteeringMessage;
import dev.headgate.internal.run.SteeringMessage.Why;
import dev.headgate.run.RunId;
import dev.headgate.spi.FrameRow;
import dev.headgate.spi.FrameTable.Awaited;
import dev.headgate.spi.FrameTable.DefinitionRow;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.Wake;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Puts an event into the inbox of a state machine. Under the lock of the instance, so that events stand there in the order
 * in which their senders were answered.
 */
final class EventDelivery {
    private final StoreTransaction tx;
    private final Set<Wake> wakes;
    private final FrameSet frames;

    EventDelivery(StoreTransaction tx, Set<Wake> wakes) {
        this.tx = tx;
        this.wakes = wakes;
        this.frames = new FrameSet(tx, tx.now());
    }

    /**
     * An event for a run.
     *
     * @param inbox the name of the signal that it is stored as
     * @param key an event with a key that the run has had is not delivered again
     */
    record Parcel(RunId to, String inbox, @Nullable String key, String json) {}

    SendResult deliver(Parcel parcel, Predicate<String> isTakenBy) {
        long id = parcel.to().value();
        frames.lock(List.of(id));
        FrameEdit run = frames.find(id);
        if (run == null || !run.before().isRun()) {
            return SendResult.UNKNOWN;
        }
        if (!isTakenBy.test(shape(tx, run.before()))) {
            return SendResult.NOT_TAKEN;
        }
        if (run.state.isTerminal() || run.phase == Phase.CANCELLING) {
            return SendResult.ENDED;
        }
        if (parcel.key() != null && !tx.frames().addSignalKey(id, parcel.key())) {
            return SendResult.KNOWN;
        }
        boolean isTold =
                !tx.frames().arrived(List.of(new Awaited(id, parcel.inbox()))).isEmpty();
        tx.frames().addSignal(id, parcel.inbox(), parcel.json(), tx.now());
        if (!isTold && parcel.inbox().equals(run.awaits)) {
            frames.control(run, new SteeringMessage(Why.SIGNALLED)); // one is enough: it sees to those behind it
        }
        frames.save(wakes);
        return SendResult.NEW;
    }

    /** Of the run's definition; empty if none is stored. */
    static String shape(StoreTransaction tx, FrameRow run) {
        return tx.frames().definitions(run.program().workflow()).stream()
                .filter(definition -> definition.version() == run.program().version())
                .map(DefinitionRow::shape)
                .findFirst()
                .orElse("");
    }
}

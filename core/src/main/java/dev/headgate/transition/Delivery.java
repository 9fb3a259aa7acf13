package dev.headgate.transition;

import dev.headgate.run.Control;
import dev.headgate.run.Control.Why;
import dev.headgate.run.RunId;
import dev.headgate.store.FrameRow;
import dev.headgate.store.FrameTable.Awaited;
import dev.headgate.store.FrameTable.DefinitionRow;
import dev.headgate.store.StoreTransaction;
import dev.headgate.store.Wake;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Puts an event into the inbox of a state machine. Under the lock of the instance, so that events stand there in the order
 * in which their senders were answered.
 */
final class Delivery {
    private final StoreTransaction tx;
    private final Set<Wake> wakes;
    private final FrameSet frames;

    Delivery(StoreTransaction tx, Set<Wake> wakes) {
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

    Delivered deliver(Parcel parcel, Predicate<String> isTakenBy) {
        long id = parcel.to().value();
        frames.lock(List.of(id));
        FrameEdit run = frames.find(id);
        if (run == null || !run.before().isRun()) {
            return Delivered.UNKNOWN;
        }
        if (!isTakenBy.test(shape(tx, run.before()))) {
            return Delivered.NOT_TAKEN;
        }
        if (run.state.isTerminal()) {
            return Delivered.ENDED;
        }
        if (parcel.key() != null && !tx.frames().addSignalKey(id, parcel.key())) {
            return Delivered.KNOWN;
        }
        boolean isTold =
                !tx.frames().arrived(List.of(new Awaited(id, parcel.inbox()))).isEmpty();
        tx.frames().addSignal(id, parcel.inbox(), parcel.json(), tx.now());
        if (!isTold && parcel.inbox().equals(run.awaits)) {
            frames.control(run, new Control(Why.SIGNALLED)); // one is enough: it sees to those behind it
        }
        frames.save(wakes);
        return Delivered.NEW;
    }

    /** Of the run's definition; empty if none is stored. */
    static String shape(StoreTransaction tx, FrameRow run) {
        return tx.frames().definitions(run.workflow()).stream()
                .filter(definition -> definition.version() == run.version())
                .map(DefinitionRow::shape)
                .findFirst()
                .orElse("");
    }
}

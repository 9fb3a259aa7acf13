package dev.headgate.spi;

import dev.headgate.store.CallerTransaction;
import dev.headgate.store.Store;
import dev.headgate.store.Store.ListenCheck;
import dev.headgate.store.StoreRefusedException;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A database that can hold jobs: runs transactions over the tables and carries wake-ups between processes. Everything
 * that is a rule lives above it, once, in {@code dev.headgate.internal}.
 */
public interface Backend extends Store {
    /**
     * Runs one read-write transaction: all of it or nothing. A conflict or a broken connection before the commit is
     * retried a few times, so {@code work} must not have effects outside the transaction.
     */
    <T extends @Nullable Object> T write(Function<StoreTransaction, T> work);

    /**
     * The same for what must come through while every other connection is taken: on a connection that the store keeps for
     * this alone, from the first such call on. A worker's heartbeats go this way.
     *
     * @throws StoreRefusedException if there are too few connections for a worker
     */
    default <T extends @Nullable Object> T writeApart(Function<StoreTransaction, T> work) {
        return write(work);
    }

    /** One consistent read on the connection of {@link #writeApart}: it waits for no other connection either. */
    default <T extends @Nullable Object> T readApart(Function<StoreTransaction, T> work) {
        return read(work);
    }

    /** Runs one consistent read. */
    <T extends @Nullable Object> T read(Function<StoreTransaction, T> work);

    /**
     * Runs inside the caller's own transaction and neither commits nor rolls it back.
     *
     * @throws IllegalArgumentException if this store cannot join that kind of transaction
     */
    <T extends @Nullable Object> T join(CallerTransaction caller, Function<StoreTransaction, T> work);

    /** Tells every process that listens. Only a hint: nothing is lost if it is. */
    void publish(Set<Wake> wakes);

    /** The same in this process, when a commit has told the others already: {@link StoreTransaction#announce}. */
    default void publishHere(Set<Wake> wakes) {
        publish(wakes);
    }

    /**
     * Tells this process what is about to be written, where a worker that gets up meanwhile does not keep the writer waiting.
     *
     * @param queues their names
     */
    default void foretell(Set<String> queues) {}

    /** Calls back on every wake from this or another process until closed. */
    Subscription listen(Consumer<Wake> listener);

    /** Finds out whether wake-ups of other processes would arrive here; may take some seconds. */
    default ListenCheck checkListening() {
        return ListenCheck.works("all wake-ups are calls in this process");
    }

    /** Statements sent to the database since it was opened; shows that idle means idle. */
    long statements();

    /** Ends a subscription. */
    interface Subscription extends AutoCloseable {
        @Override
        void close();
    }
}

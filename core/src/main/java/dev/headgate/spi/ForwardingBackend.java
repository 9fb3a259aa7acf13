package dev.headgate.spi;

import dev.headgate.store.CallerTransaction;
import dev.headgate.store.Store.ListenCheck;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Passes everything on to another store: for those that do one thing differently. */
@SuppressWarnings("exports") // hands internal types to our own tests; users need not name them
public abstract class ForwardingBackend implements Backend {
    private final Backend store;

    protected ForwardingBackend(Backend store) {
        this.store = store;
    }

    @Override
    public <T extends @Nullable Object> T write(Function<StoreTransaction, T> work) {
        return store.write(work);
    }

    /** Calls {@link #write}, so that a subclass that changes that one changes this one too. */
    @Override
    public <T extends @Nullable Object> T writeApart(Function<StoreTransaction, T> work) {
        return write(work);
    }

    @Override
    public <T extends @Nullable Object> T read(Function<StoreTransaction, T> work) {
        return store.read(work);
    }

    @Override
    public <T extends @Nullable Object> T join(CallerTransaction caller, Function<StoreTransaction, T> work) {
        return store.join(caller, work);
    }

    @Override
    public void publish(Set<Wake> wakes) {
        store.publish(wakes);
    }

    @Override
    public void publishHere(Set<Wake> wakes) {
        store.publishHere(wakes);
    }

    @Override
    public void foretell(Set<String> queues) {
        store.foretell(queues);
    }

    @Override
    public Subscription listen(Consumer<Wake> listener) {
        return store.listen(listener);
    }

    @Override
    public ListenCheck checkListening() {
        return store.checkListening();
    }

    @Override
    public String describe() {
        return store.describe();
    }

    @Override
    public long statements() {
        return store.statements();
    }

    @Override
    public void close() {
        store.close();
    }
}

package dev.headgate;

import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.Wake;
import dev.headgate.store.CallerTransaction;
import dev.headgate.store.Store.ListenCheck;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A store that is only looked at: what would write is refused before it begins. */
final class ReadOnlyBackend implements Backend {
    private final Backend store;

    ReadOnlyBackend(Backend store) {
        this.store = store;
    }

    private static IllegalStateException refused() {
        return new IllegalStateException("store: was opened to be read, expected nothing to be written");
    }

    @Override
    public <T extends @Nullable Object> T write(Function<StoreTransaction, T> work) {
        throw refused();
    }

    @Override
    public <T extends @Nullable Object> T join(CallerTransaction caller, Function<StoreTransaction, T> work) {
        throw refused();
    }

    @Override
    public <T extends @Nullable Object> T read(Function<StoreTransaction, T> work) {
        return store.read(work);
    }

    @Override
    public void publish(Set<Wake> wakes) {
        throw refused();
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

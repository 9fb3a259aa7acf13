package dev.headgate.spi;

import dev.headgate.store.CallerTransaction;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A store as one transaction of a caller's sees it: all reads and writes are done on the caller's connection, and nothing
 * is done on another one. A second connection would have to be waited for, by a thread that holds the first.
 */
public final class JoinedBackend implements Backend {
    private final Backend store;
    private final CallerTransaction caller;

    public JoinedBackend(Backend store, CallerTransaction caller) {
        this.store = store;
        this.caller = caller;
    }

    /** The caller's commit, and nothing before it, tells the workers. */
    @Override
    public <T extends @Nullable Object> T write(Function<StoreTransaction, T> work) {
        return store.join(caller, tx -> {
            T answer = work.apply(tx);
            tx.announce(Set.of(new Wake.Anything()));
            return answer;
        });
    }

    @Override
    public <T extends @Nullable Object> T read(Function<StoreTransaction, T> work) {
        return store.join(caller, work);
    }

    @Override
    public <T extends @Nullable Object> T join(CallerTransaction other, Function<StoreTransaction, T> work) {
        return store.join(other, work);
    }

    /** Does nothing: what was written is not to be seen before the commit, and each write has announced itself. */
    @Override
    public void publish(Set<Wake> wakes) {}

    @Override
    public Subscription listen(Consumer<Wake> listener) {
        return store.listen(listener);
    }

    @Override
    public String describe() {
        return store.describe();
    }

    @Override
    public long statements() {
        return store.statements();
    }

    /** The store belongs to others, and the transaction to its caller. */
    @Override
    public void close() {}
}

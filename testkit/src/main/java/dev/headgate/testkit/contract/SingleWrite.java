package dev.headgate.testkit.contract;

import dev.headgate.store.Backend;
import dev.headgate.store.CallerTransaction;
import dev.headgate.store.StoreTransaction;
import dev.headgate.store.StoreUnavailableException;
import dev.headgate.store.Wake;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A store that a caller reaches for one more write, and then no longer. */
final class SingleWrite implements Backend {
    private final Backend store;
    private boolean isCutOff;

    SingleWrite(Backend store) {
        this.store = store;
    }

    @Override
    public <T extends @Nullable Object> T write(Function<StoreTransaction, T> work) {
        if (isCutOff) {
            throw new StoreUnavailableException(
                    "the store cannot be reached", new IllegalStateException("cut off by the test"));
        }
        isCutOff = true;
        return store.write(work);
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

    /** Whoever opened the store closes it. */
    @Override
    public void close() {}
}

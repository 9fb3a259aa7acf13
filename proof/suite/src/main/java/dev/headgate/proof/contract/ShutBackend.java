package dev.headgate.proof.contract;

import dev.headgate.spi.Backend;
import dev.headgate.spi.ForwardingBackend;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.Wake;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A store that can be shut for everything that may take a connection of its own. */
final class ShutBackend extends ForwardingBackend {
    private volatile boolean isShut;

    ShutBackend(Backend store) {
        super(store);
    }

    void shut() {
        isShut = true;
    }

    void open() {
        isShut = false;
    }

    private void requireOpen(String act) {
        if (isShut) {
            throw new AssertionError(
                    "expected the caller's connection alone to be used, got a %s of the store's own".formatted(act));
        }
    }

    @Override
    public <T extends @Nullable Object> T write(Function<StoreTransaction, T> work) {
        requireOpen("write");
        return super.write(work);
    }

    @Override
    public <T extends @Nullable Object> T read(Function<StoreTransaction, T> work) {
        requireOpen("read");
        return super.read(work);
    }

    @Override
    public void publish(Set<Wake> wakes) {
        requireOpen("publication");
        super.publish(wakes);
    }

    @Override
    public String describe() {
        requireOpen("description");
        return super.describe();
    }
}

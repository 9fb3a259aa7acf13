package dev.headgate.proof.contract;

import dev.headgate.spi.Backend;
import dev.headgate.spi.ForwardingBackend;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.store.StoreUnavailableException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A store that a caller reaches for one more write, and then no longer. */
final class SingleWrite extends ForwardingBackend {
    private boolean isCutOff;

    SingleWrite(Backend store) {
        super(store);
    }

    @Override
    public <T extends @Nullable Object> T write(Function<StoreTransaction, T> work) {
        if (isCutOff) {
            throw new StoreUnavailableException(
                    "the store cannot be reached", new IllegalStateException("cut off by the test"));
        }
        isCutOff = true;
        return super.write(work);
    }

    /** The code that opened the store closes it. */
    @Override
    public void close() {}
}

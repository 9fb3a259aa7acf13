package dev.headgate.proof;

import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreClock;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What a store brings to be tested. Every contract asks for a {@link Rig}, built on a fresh store; after every test the
 * gates are recounted and the store is closed.
 *
 * <pre>{@code
 * class MyStoreTest implements EnqueueContract, LeaseContract { … open … reopen … }
 * }</pre>
 */
@ExtendWith(RigPerTest.class)
public interface StoreFixture {
    /** Opens a new and empty store on this clock. */
    Backend open(StoreClock clock);

    /** Opens the store that {@link #open} made last once more, on this clock; the first one may be closed by now. */
    Backend reopen(StoreClock clock);

    /** Whether jobs survive the end of the process. */
    default boolean isDurable() {
        return true;
    }
}

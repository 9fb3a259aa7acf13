package dev.headgate.internal.access;

import dev.headgate.Headgate;
import dev.headgate.spi.Backend;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The store behind a {@link Headgate}, for our own modules: the HTTP server keeps rows there that are no part of the API.
 * {@code Headgate} hands over the key when it is loaded, so that nothing public leads to its store.
 */
public final class OpenStore {
    private static volatile @Nullable Function<Headgate, Backend> key;

    private OpenStore() {}

    /** Called once, by {@code Headgate}. */
    public static void grant(Function<Headgate, Backend> store) {
        key = store;
    }

    public static Backend of(Headgate headgate) {
        Function<Headgate, Backend> granted = key;
        if (granted == null) {
            throw new IllegalStateException("expected Headgate to have handed over its store when it was loaded");
        }
        return granted.apply(headgate);
    }
}

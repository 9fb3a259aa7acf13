package dev.headgate.internal.access;

import dev.headgate.Enqueuer;
import dev.headgate.Headgate;
import dev.headgate.internal.enqueue.BesideJobs;
import dev.headgate.spi.Backend;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The store behind a {@link Headgate}, for our own modules: the HTTP server keeps rows there that are no part of the API.
 * {@code Headgate} hands over the keys when it is loaded, so that nothing public leads to its store.
 */
public final class OpenStore {
    private static volatile @Nullable Keys keys;

    private record Keys(Function<Headgate, Backend> store, BiFunction<Headgate, BesideJobs, Enqueuer> enqueuer) {}

    private OpenStore() {}

    /** Called once, by {@code Headgate}. */
    public static void grant(Function<Headgate, Backend> store, BiFunction<Headgate, BesideJobs, Enqueuer> enqueuer) {
        keys = new Keys(store, enqueuer);
    }

    public static Backend of(Headgate headgate) {
        return keys().store().apply(headgate);
    }

    /** Enqueues as {@code headgate} does, and writes this in the same transaction; it gets the jobs that were asked for. */
    public static Enqueuer enqueuer(Headgate headgate, BesideJobs beside) {
        return keys().enqueuer().apply(headgate, beside);
    }

    private static Keys keys() {
        Keys granted = keys;
        if (granted == null) {
            throw new IllegalStateException("expected Headgate to have handed over its store when it was loaded");
        }
        return granted;
    }
}

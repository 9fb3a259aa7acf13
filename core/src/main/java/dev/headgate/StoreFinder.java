package dev.headgate;

import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreProvider;
import dev.headgate.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Finds the store for a URL among those on the class path. */
final class StoreFinder {
    private StoreFinder() {}

    /**
     * Opens the store, and closes it again if what is to be made of it cannot be made.
     *
     * @param listenUrl where to listen for wake-ups, if that is another place
     */
    static <T> T open(String url, @Nullable String listenUrl, Function<Backend, T> then) {
        StoreProvider provider = provider(url);
        Backend opened = listenUrl == null ? provider.open(url) : provider.open(url, listenUrl);
        try {
            return then.apply(opened);
        } catch (RuntimeException unusable) {
            opened.close();
            throw unusable;
        }
    }

    /** The same for a store that is only looked at. */
    static <T> T openToRead(String url, @Nullable String listenUrl, Function<Backend, T> then) {
        Backend opened = new ReadOnlyBackend(provider(url).openToRead(url, listenUrl));
        try {
            return then.apply(opened);
        } catch (RuntimeException unusable) {
            opened.close();
            throw unusable;
        }
    }

    /** What is behind a store that the program has opened itself. */
    static Backend backend(Store store) {
        if (store instanceof Backend backend) {
            return backend;
        }
        throw new IllegalArgumentException("store: expected one that Headgate has made, got " + store.getClass());
    }

    static StoreProvider provider(String url) {
        List<StoreProvider> providers = new ArrayList<>();
        ServiceLoader.load(StoreProvider.class).forEach(providers::add);
        return providers.stream()
                .filter(each -> url.startsWith(each.scheme()))
                .findFirst()
                .orElseThrow(() -> unknown(url, providers));
    }

    private static IllegalArgumentException unknown(String url, List<StoreProvider> providers) {
        String known = providers.isEmpty()
                ? "none"
                : String.join(
                        ", ",
                        providers.stream().map(StoreProvider::scheme).sorted().toList());
        return new IllegalArgumentException("""
                store URL: expected one that begins with a known scheme (%s), got '%s'; \
                for jdbc:sqlite: add the dependency dev.headgate:headgate-store-sqlite, \
                for jdbc:postgresql: add dev.headgate:headgate-store-postgres""".formatted(known, scheme(url)));
    }

    /** A URL may hold a password, so only its beginning is shown. */
    private static String scheme(String url) {
        int slashes = url.indexOf("//");
        String start = slashes < 0 ? url : url.substring(0, slashes);
        return start.length() <= 40 ? start : start.substring(0, 40) + "…";
    }
}

package dev.headgate;

import dev.headgate.store.Backend;
import dev.headgate.store.StoreProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/** Finds the store for a URL among those on the class path. */
final class Stores {
    private Stores() {}

    static Backend open(String url) {
        List<StoreProvider> providers = new ArrayList<>();
        ServiceLoader.load(StoreProvider.class).forEach(providers::add);
        return providers.stream()
                .filter(provider -> url.startsWith(provider.scheme()))
                .findFirst()
                .orElseThrow(() -> unknown(url, providers))
                .open(url);
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

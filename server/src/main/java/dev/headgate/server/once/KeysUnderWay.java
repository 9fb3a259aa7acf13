package dev.headgate.server.once;

import dev.headgate.server.http.Problem;
import dev.headgate.server.http.ProblemException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The keys whose requests this server is at work on. That none is done twice does not hang on it, but on the store: it spares a repeat
 * the wait for a request that may take long.
 */
public final class KeysUnderWay {
    private final Set<RequestKey> keys = ConcurrentHashMap.newKeySet();

    /** Does this, unless a request with the same key is under way. */
    public <T> T run(@Nullable RequestKey key, Supplier<T> work) {
        if (key == null) {
            return work.get();
        }
        RequestKey name = new RequestKey(key.token(), key.key(), "");
        if (!keys.add(name)) {
            throw new ProblemException(
                            Problem.KEY_IN_USE, "key '%s': its first request is still under way".formatted(key.key()))
                    .header("Retry-After", "1");
        }
        try {
            return work.get();
        } finally {
            keys.remove(name);
        }
    }
}

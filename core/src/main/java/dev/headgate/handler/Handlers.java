package dev.headgate.handler;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** All registered handlers by the name of their job type. Thread-safe. */
public final class Handlers {
    private final Map<String, Handler<?>> byType = new ConcurrentHashMap<>();

    public void add(Handler<?> handler) {
        String name = handler.type().name();
        if (byType.putIfAbsent(name, handler) != null) {
            throw new IllegalArgumentException(
                    "handler of '%s': expected one for each job type, got a second".formatted(name));
        }
    }

    public @Nullable Handler<?> find(String type) {
        return byType.get(type);
    }

    public Set<String> types() {
        return Set.copyOf(byType.keySet());
    }
}

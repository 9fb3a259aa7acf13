package dev.headgate.internal.handler;

import dev.headgate.handler.Around;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** All registered handlers by the name of their job type. Thread-safe. */
public final class Handlers {
    private final Map<String, Handler<?>> byType = new ConcurrentHashMap<>();
    private final List<Around> arounds = new CopyOnWriteArrayList<>();

    public void add(Handler<?> handler) {
        String name = handler.type().name();
        if (byType.putIfAbsent(name, handler) != null) {
            throw new IllegalArgumentException(
                    "handler of '%s': expected one for each job type, got a second".formatted(name));
        }
    }

    /** Puts this around all handlers, inside of what was put there before. */
    public void around(Around around) {
        arounds.add(around);
    }

    /** The handler of this type, with all code around it. */
    public @Nullable Handler<?> find(String type) {
        Handler<?> handler = byType.get(type);
        return handler == null || arounds.isEmpty() ? handler : handler.within(arounds);
    }

    /** All of them, by the names of their types, without the code around them. */
    public Map<String, Handler<?>> all() {
        return Map.copyOf(byType);
    }

    /** The types whose jobs do not run in batches. */
    public Set<String> unbatchedTypes() {
        Set<String> alone = new HashSet<>();
        byType.forEach((type, handler) -> {
            if (handler.batchGroup().equals(BatchGroup.NONE)) {
                alone.add(type);
            }
        });
        return alone;
    }

    public Set<String> types() {
        return Set.copyOf(byType.keySet());
    }
}

package dev.headgate.internal.claim;

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What the turns of this process remember of the queues they serve. Thread-safe. */
final class TurnMemory {
    private static final int SHUT_MAX = 10_000;

    private final Set<String> shut = ConcurrentHashMap.newKeySet();

    /** Whether, when a turn last looked, no limit of one of these queues itself was in the way. */
    boolean wereOpen(Collection<String> queues) {
        return shut.isEmpty() || queues.stream().noneMatch(shut::contains);
    }

    void saw(String queue, boolean isShut) {
        if (isShut) {
            if (shut.size() >= SHUT_MAX) {
                shut.clear(); // only a trip more or less depends on it
            }
            shut.add(queue);
        } else if (!shut.isEmpty()) {
            shut.remove(queue);
        }
    }
}

package dev.headgate.internal.claim;

import dev.headgate.job.Lane;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What turns of this process know from those before them, of queues that its workers serve. Thread-safe. */
final class TurnMemory {
    private final Map<String, String> plainLanes = new ConcurrentHashMap<>();
    private final Set<String> shut = ConcurrentHashMap.newKeySet();

    /** The name of a queue's lane without gates: asked for on every turn, and a digest. */
    String plainLane(String queue) {
        return plainLanes.computeIfAbsent(queue, name -> new Lane(name, List.of()).id());
    }

    /** Whether nothing of these queues was held up by a limit of the queue itself when a turn last looked. */
    boolean wereOpen(Collection<String> queues) {
        return shut.isEmpty() || queues.stream().noneMatch(shut::contains);
    }

    void saw(String queue, boolean isShut) {
        if (isShut) {
            shut.add(queue);
        } else if (!shut.isEmpty()) {
            shut.remove(queue);
        }
    }
}

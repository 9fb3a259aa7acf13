package dev.headgate.internal.claim;

import dev.headgate.job.Lane;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What the turns of this process remember of the queues they serve. Thread-safe. */
final class TurnMemory {
    private final Map<String, String> plainLanes = new ConcurrentHashMap<>();
    private final Set<String> shut = ConcurrentHashMap.newKeySet();

    /** The id of a queue's lane without gates. Kept, because every turn needs it and it is a digest. */
    String plainLane(String queue) {
        return plainLanes.computeIfAbsent(queue, name -> new Lane(name, List.of()).id());
    }

    /** Whether, when a turn last looked, no limit of one of these queues itself was in the way. */
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

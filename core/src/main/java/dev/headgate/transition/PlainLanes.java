package dev.headgate.transition;

import dev.headgate.job.Lane;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The names of the lanes without gates, one for each queue that workers of this process serve: asked for on every turn, and
 * each is a digest. Thread-safe.
 */
final class PlainLanes {
    private final Map<String, String> byQueue = new ConcurrentHashMap<>();

    String of(String queue) {
        return byQueue.computeIfAbsent(queue, name -> new Lane(name, List.of()).id());
    }
}

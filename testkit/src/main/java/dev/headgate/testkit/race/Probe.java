package dev.headgate.testkit.race;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts what really runs at each gate. It counts late and uncounts early, so what it sees broken is broken. */
final class Probe {
    private final Map<String, Integer> limits = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> running = new ConcurrentHashMap<>();
    private final Collection<String> violations = new ConcurrentLinkedQueue<>();

    void limit(String gate, int max) {
        limits.put(gate, max);
    }

    void enter(List<String> gates) {
        for (String gate : gates) {
            int now = running.computeIfAbsent(gate, key -> new AtomicInteger()).incrementAndGet();
            if (now > limits.getOrDefault(gate, Integer.MAX_VALUE)) {
                violations.add("%d at once at gate %s".formatted(now, gate));
            }
        }
    }

    void leave(List<String> gates) {
        gates.forEach(gate ->
                running.computeIfAbsent(gate, key -> new AtomicInteger()).decrementAndGet());
    }

    List<String> violations() {
        return new ArrayList<>(violations);
    }
}

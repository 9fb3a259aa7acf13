package dev.headgate.proof.race;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongUnaryOperator;

/**
 * Counts what really runs at each gate, and when it starts. It counts late and uncounts early, so what it sees broken is
 * broken.
 */
final class Probe {
    private final Map<String, LongUnaryOperator> inTime = new ConcurrentHashMap<>();
    private final Map<String, Collection<Long>> starts = new ConcurrentHashMap<>();

    private final Map<String, Integer> limits = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> running = new ConcurrentHashMap<>();
    private final Collection<String> violations = new ConcurrentLinkedQueue<>();

    void limit(String gate, int max) {
        limits.put(gate, max);
    }

    /** @param most how many may start within so many nanoseconds, both ends included */
    void limitInTime(String gate, LongUnaryOperator most) {
        inTime.put(gate, most);
        starts.put(gate, new ConcurrentLinkedQueue<>());
    }

    /** A handler starts, at this moment of the process's own clock. */
    void start(List<String> gates, long nanos) {
        for (String gate : gates) {
            Collection<Long> moments = starts.get(gate);
            if (moments != null) {
                moments.add(nanos);
            }
        }
    }

    private void judge(String gate, LongUnaryOperator most, Collection<String> found) {
        long[] moments = starts.getOrDefault(gate, List.of()).stream()
                .mapToLong(Long::longValue)
                .sorted()
                .toArray();
        for (int from = 0; from < moments.length; from++) {
            for (int to = from; to < moments.length; to++) {
                long span = moments[to] - moments[from];
                if (to - from + 1 > most.applyAsLong(span)) {
                    found.add("%d started within %d us at gate %s".formatted(to - from + 1, span / 1_000, gate));
                    return;
                }
            }
        }
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
        List<String> all = new ArrayList<>(violations);
        inTime.forEach((gate, most) -> judge(gate, most, all));
        return all;
    }
}

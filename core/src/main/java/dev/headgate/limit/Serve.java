package dev.headgate.limit;

import dev.headgate.internal.text.Served;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which of its queues a worker with free slots serves first. It decides between queues only: within a queue the oldest
 * head goes first, or the fair share if the queue has one; a queue of which nothing may start gives its turn away.
 *
 * @param weights by queue, if it goes by weights
 */
public record Serve(Order order, Map<String, Integer> weights) {
    public static final int WEIGHT_MAX = 1_000;

    /** The oldest head of all queues, as if they were one. What a worker does unless it is told otherwise. */
    public static final Serve OLDEST_FIRST = new Serve(Order.OLDEST_FIRST, Map.of());

    /** In the order in which they were named: a later queue gets a slot only if nothing of an earlier one may start. */
    public static final Serve STRICT = new Serve(Order.STRICT, Map.of());

    /** One job of each queue in turn. */
    public static final Serve ROUND_ROBIN = new Serve(Order.ROUND_ROBIN, Map.of());

    /** The kinds of order. */
    public enum Order {
        OLDEST_FIRST,
        STRICT,
        ROUND_ROBIN,
        WEIGHTED
    }

    public Serve {
        weights = Map.copyOf(weights);
    }

    /**
     * Starts in proportion to these weights while there is enough to do in each queue; none starves. A queue that was
     * empty comes back with neither credit nor debt.
     *
     * @param byQueue one weight from 1 to {@link #WEIGHT_MAX} for each queue of the worker
     */
    public static Serve weighted(Map<String, Integer> byQueue) {
        return new Serve(Order.WEIGHTED, byQueue);
    }

    /** The weight of a queue: its own, else that of the longest pattern that covers it, else 1. */
    public int weightOf(String queue) {
        Integer own = weights.get(queue);
        if (own != null) {
            return own;
        }
        int weight = 1;
        int longest = -1;
        for (Map.Entry<String, Integer> each : weights.entrySet()) {
            if (each.getKey().length() > longest && Served.covers(each.getKey(), queue)) {
                longest = each.getKey().length();
                weight = each.getValue();
            }
        }
        return weight;
    }

    /** What is wrong with this order for a worker of these queues; empty if it fits. */
    public List<String> faults(Collection<String> queues) {
        List<String> faults = new ArrayList<>();
        if (order != Order.WEIGHTED) {
            return faults;
        }
        for (String queue : queues) {
            if (!weights.containsKey(queue)) {
                faults.add("serving: expected a weight for each queue, got none for '%s'".formatted(queue));
            }
        }
        new TreeMap<>(weights).forEach((queue, weight) -> {
            if (!queues.contains(queue)) {
                faults.add("serving: expected weights of queues that it serves, got one for '%s'; it serves %s"
                        .formatted(queue, String.join(", ", queues)));
            }
            if (weight < 1 || weight > WEIGHT_MAX) {
                faults.add(
                        "serving: expected a weight of 1 to %d, got %d for '%s'".formatted(WEIGHT_MAX, weight, queue));
            }
        });
        return faults;
    }
}

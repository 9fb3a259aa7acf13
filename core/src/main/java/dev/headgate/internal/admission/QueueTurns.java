package dev.headgate.internal.admission;

import dev.headgate.limit.Serve;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How one worker takes turns between its queues: the order it was given, and how far each queue is ahead of the others.
 * Immutable: a turn returns the next value, and a turn that fails changes nothing. Only the worker keeps it, not the
 * store.
 *
 * @param queues in the order in which they were named
 * @param ahead how much service a queue has had before its turn; a queue that is not here is not ahead
 */
public record QueueTurns(Serve serve, List<String> queues, Map<String, Long> ahead) {
    public static final QueueTurns OLDEST_FIRST = new QueueTurns(Serve.OLDEST_FIRST, List.of());

    /** What a start costs a queue of weight 1. Divisible by every weight up to 16, and nearly exact for the rest. */
    private static final long UNIT = 720_720;

    public QueueTurns {
        queues = List.copyOf(queues);
        ahead = Map.copyOf(ahead);
    }

    public QueueTurns(Serve serve, List<String> queues) {
        this(serve, queues, Map.of());
    }

    /** Whether queues take turns; if not, all are served as one. */
    public boolean isByQueue() {
        return serve.order() != Serve.Order.OLDEST_FIRST;
    }

    /** A count that continues from here. */
    Tally tally() {
        return new Tally(this);
    }

    private long charge(String queue) {
        return switch (serve.order()) {
            case OLDEST_FIRST, STRICT -> 0;
            case ROUND_ROBIN -> UNIT;
            case WEIGHTED -> Math.ceilDiv(UNIT, serve.weights().getOrDefault(queue, 1));
        };
    }

    /**
     * The starts of one plan, counted as in {@link Shares}: the queue with the least tag is next, its start moves the
     * time there and raises its own tag by the price of a start. Time starts over with each plan, so numbers stay
     * small.
     */
    static final class Tally {
        private final QueueTurns before;
        private final Map<String, Long> tags;
        private long time;

        private Tally(QueueTurns before) {
            this.before = before;
            this.tags = new HashMap<>(before.ahead);
        }

        long tag(String queue) {
            return Math.max(time, tags.getOrDefault(queue, 0L));
        }

        void start(String queue) {
            time = tag(queue);
            tags.put(queue, time + before.charge(queue));
        }

        QueueTurns after() {
            Map<String, Long> ahead = new HashMap<>();
            tags.forEach((queue, tag) -> {
                if (tag > time) {
                    ahead.put(queue, tag - time);
                }
            });
            return new QueueTurns(before.serve, before.queues, ahead);
        }
    }
}

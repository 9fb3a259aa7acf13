package dev.headgate.internal.admission;

import dev.headgate.limit.Serve;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Where one worker stands in serving its queues: the order it was told, and how far each queue is ahead of the others.
 * Immutable: a turn answers the next one, and a turn that came to nothing changes nothing. It lives in the worker alone;
 * the store keeps none of it.
 *
 * @param queues in the order in which they were named
 * @param ahead how much service a queue has had before its turn; a queue that is not here is not ahead
 */
public record QueueTurns(Serve serve, List<String> queues, Map<String, Long> ahead) {
    public static final QueueTurns OLDEST_FIRST = new QueueTurns(Serve.OLDEST_FIRST, List.of());

    /** What a start costs a queue of weight 1. Whole for every weight up to 16, and nearly so for the rest. */
    private static final long UNIT = 720_720;

    public QueueTurns {
        queues = List.copyOf(queues);
        ahead = Map.copyOf(ahead);
    }

    public QueueTurns(Serve serve, List<String> queues) {
        this(serve, queues, Map.of());
    }

    /** Whether queues have turns; if not, they are served as one. */
    public boolean isByQueue() {
        return serve.order() != Serve.Order.OLDEST_FIRST;
    }

    /** A count to go on with. */
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
     * The starts of one plan, counted as in {@link Shares}: next is the queue with the least tag, its start moves the time
     * there, and its own tag on by what a start costs it. Time starts over with each plan, so numbers stay small.
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

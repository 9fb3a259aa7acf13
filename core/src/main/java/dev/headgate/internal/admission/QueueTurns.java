package dev.headgate.internal.admission;

import dev.headgate.limit.Serve;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How one worker takes turns between its queues: the order it was given, and how far each queue is ahead of the others.
 * Immutable: a turn returns the next value, and a turn that fails changes nothing. Only the worker keeps it, not the
 * store.
 *
 * @param queues in the order in which they were named, by name or by pattern
 * @param ahead how much service a queue has had before its turn; a queue that is not here is not ahead
 * @param ranks where the pattern stands among what was named that covers a queue; queues of equal rank take no turns in a strict
 *     order. Empty if no pattern was named
 * @param sweep how far the worker has come with the queues that its patterns cover
 */
public record QueueTurns(
        Serve serve, List<String> queues, Map<String, Long> ahead, Map<String, Integer> ranks, Sweep sweep) {
    public static final QueueTurns OLDEST_FIRST = new QueueTurns(Serve.OLDEST_FIRST, List.of());

    /**
     * A turn looks at so many queues of patterns at most. If more have work, the next turn goes on behind them.
     *
     * @param pattern the number of the pattern to go on with
     * @param after the last of its queues that was looked at
     * @param opens when the first queue opens by time that was looked at since the sweep began; absent if none does
     * @param isAgain something may be left to start in queues that were looked at since the sweep began
     */
    public record Sweep(int pattern, String after, @Nullable Long opens, boolean isAgain) {
        public static final Sweep START = new Sweep(0, "", null, false);

        /** Whether it stands at the beginning. */
        public boolean isStart() {
            return pattern == 0 && after.isEmpty();
        }
    }

    /** What a start costs a queue of weight 1. Divisible by every weight up to 16, and nearly exact for the rest. */
    private static final long UNIT = 720_720;

    public QueueTurns {
        queues = List.copyOf(queues);
        ahead = Map.copyOf(ahead);
        ranks = Map.copyOf(ranks);
    }

    public QueueTurns(Serve serve, List<String> queues) {
        this(serve, queues, Map.of(), Map.of(), Sweep.START);
    }

    /** The same for one turn over these queues. */
    public QueueTurns among(List<String> found, Map<String, Integer> rankOf) {
        return new QueueTurns(serve, found, ahead, rankOf, sweep);
    }

    /** The same for the next turn, which goes on here. */
    public QueueTurns goingOn(Sweep further) {
        return new QueueTurns(serve, queues, ahead, ranks, further);
    }

    /** Whether these queues have the same place in a strict order: then the older job goes first. */
    boolean isTied(String one, String other) {
        return serve.order() == Serve.Order.STRICT
                && ranks.containsKey(one)
                && Objects.equals(ranks.get(one), ranks.get(other));
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
            case WEIGHTED -> Math.ceilDiv(UNIT, serve.weightOf(queue));
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
            return new QueueTurns(before.serve, before.queues, ahead, before.ranks, before.sweep);
        }
    }
}

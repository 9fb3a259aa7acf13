package dev.headgate.internal.claim;

import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.admission.QueueTurns;
import dev.headgate.internal.admission.QueueTurns.Sweep;
import dev.headgate.internal.lease.TurnRequest;
import dev.headgate.internal.text.Served;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.StoreTransaction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The queues that a turn looks at: those that its worker named, and of those that its patterns cover the ones that have work.
 *
 * <p>Design note: what a pattern covers is found anew in each turn, from the indexes that a claim reads anyway: which queues have
 * ready lanes, doorbells and waiting jobs without gates. So nothing must be kept of queues that exist, and a queue that no worker
 * has heard of is found by the turn that its first job wakes. The number of queues in one turn is bounded; if more have work, the
 * next turn goes on behind them and none is passed by.
 */
final class QueuesOfTurn {
    /** The most queues of patterns in one turn. */
    static final int FOUND_MAX = 128;

    /** How many names are read for that: queues that are paused do not count. */
    private static final int READ_MAX = 8 * FOUND_MAX;

    private final StoreTransaction tx;
    private final PolicyBook book;
    private final TurnRequest request;
    private final Served served;
    private Collection<String> all;
    private Sweep next = Sweep.START;

    QueuesOfTurn(StoreTransaction tx, PolicyBook book, TurnRequest request) {
        this.tx = tx;
        this.book = book;
        this.request = request;
        this.served = Served.of(request.queues());
        this.all = request.queues();
    }

    /** Finds those that the patterns cover. Without a free slot only queues of ended jobs matter. */
    void find() {
        if (!served.hasPatterns()) {
            return;
        }
        Set<String> found = new LinkedHashSet<>(served.names());
        request.ended().forEach(ended -> {
            String queue = ended.lease().spec().lane().queue();
            if (covers(queue)) {
                found.add(queue);
            }
        });
        if (request.slots() > 0) {
            read(found);
        }
        all = found;
    }

    private void read(Set<String> found) {
        Sweep sweep = request.serving().sweep();
        String after = sweep.after();
        int read = 0;
        int left = FOUND_MAX;
        for (int pattern = sweep.pattern(); pattern < served.prefixes().size(); pattern++) {
            List<String> page;
            do {
                page = tx.demand().queuesWithWork(served.prefixes().get(pattern), after, FOUND_MAX);
                for (String queue : page) {
                    left -= isUnpaused(queue) && found.add(queue) ? 1 : 0;
                    after = queue;
                    if (left == 0) {
                        next = new Sweep(pattern, after, null, false);
                        return;
                    }
                }
                read += page.size();
                if (read >= READ_MAX) {
                    next = new Sweep(pattern, after, null, false);
                    return;
                }
            } while (page.size() == FOUND_MAX);
            after = "";
        }
    }

    private boolean isUnpaused(String queue) {
        return !book.isPaused(GateKey.queue(queue));
    }

    boolean hasPatterns() {
        return served.hasPatterns();
    }

    /** Whether the worker serves the queue, also if this turn does not look at it. */
    boolean covers(String queue) {
        return served.hasPatterns() ? served.covers(queue) : all.contains(queue);
    }

    /** All that this turn looks at. */
    Collection<String> all() {
        return all;
    }

    /**
     * Looks at this queue too, after the gates of queues were locked. Returns whether that is possible: a queue with limits or a fair
     * share is left to the next turn.
     */
    boolean add(String queue, Predicate<String> isFair) {
        if (all.contains(queue)) {
            return true;
        }
        boolean mayJoin = served.hasPatterns()
                && covers(queue)
                && !request.serving().isByQueue()
                && isUnpaused(queue)
                && !book.isCounted(GateKey.queue(queue))
                && !isFair.test(queue);
        return mayJoin && all.add(queue);
    }

    /** Scheduled jobs of which queues are to be put into their lanes. */
    Collection<String> withDue(long now) {
        return withDue(tx, served, all, now);
    }

    static Collection<String> withDue(StoreTransaction tx, Served served, Collection<String> named, long now) {
        if (!served.hasPatterns()) {
            return named;
        }
        Set<String> due = new LinkedHashSet<>(named);
        for (String prefix : served.prefixes()) {
            due.addAll(tx.demand().queuesWithDue(prefix, now, FOUND_MAX));
        }
        return due;
    }

    /** How many of each queue to read if so many are needed of all: the more queues have work, the less of each. */
    int ofEach(int most) {
        int queues = all.size();
        return served.hasPatterns() && queues > 4 ? Math.min(most, Math.max(4, Math.ceilDiv(4 * most, queues))) : most;
    }

    /** In which order they take turns. */
    QueueTurns turns() {
        QueueTurns turns = request.serving();
        if (!served.hasPatterns() || !turns.isByQueue()) {
            return turns;
        }
        Map<String, Integer> ranks = new HashMap<>();
        List<String> ordered = new ArrayList<>();
        for (String queue : all) {
            ranks.put(queue, rank(queue));
        }
        for (int rank = 0; rank < request.queues().size(); rank++) {
            for (String queue : all) {
                if (ranks.getOrDefault(queue, 0) == rank) {
                    ordered.add(queue);
                }
            }
        }
        return turns.among(ordered, ranks);
    }

    /** Its own place, else that of the first pattern that covers it. */
    private int rank(String queue) {
        int own = request.queues().indexOf(queue);
        for (int rank = 0; own < 0 && rank < request.queues().size(); rank++) {
            own = Served.covers(request.queues().get(rank), queue) ? rank : own;
        }
        return own;
    }

    /** Whether more queues have work than this turn looked at. */
    boolean isCut() {
        return !next.isStart();
    }

    /** Whether this turn is the last of a sweep, and earlier ones left something behind. */
    boolean isAgain() {
        return !isCut() && request.serving().sweep().isAgain();
    }

    /** When the first queue opens that earlier turns of this sweep looked at; absent if none does. */
    @Nullable
    Long opens() {
        return request.serving().sweep().opens();
    }

    /** Where the next turn goes on. */
    Sweep next(@Nullable Long opens, boolean isLeft) {
        return isCut()
                ? new Sweep(
                        next.pattern(),
                        next.after(),
                        opens,
                        isLeft || request.serving().sweep().isAgain())
                : Sweep.START;
    }
}

package dev.headgate.internal.admission;

import dev.headgate.limit.GateKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The offered lanes of a plan, and which of them is tried next.
 *
 * <p>Design note: turns of queues. Only the first lanes of a queue and their first jobs were read. If they are used up
 * while more jobs wait there, and it is that queue's turn, the plan has no next lane: otherwise another queue would get
 * this queue's turn. The next turnaround reads on. It does so only if something of that queue has moved, or the worker
 * would repeat it for ever.
 */
final class PlanOrder {
    private final Map<GateKey, GateLedger> gates;
    private final QueueTurns serving;
    private final QueueTurns.Tally tally;
    private final Map<String, PriorityQueue<LaneCursor>> byQueue = new TreeMap<>();
    private final Map<String, FairOrder> fairOrders = new TreeMap<>();
    private final Set<String> unread = new HashSet<>();
    private final Set<String> moved = new HashSet<>();
    private final Map<String, Long> usedUp = new HashMap<>();

    PlanOrder(Map<GateKey, GateLedger> gates, QueueTurns serving) {
        this.gates = gates;
        this.serving = serving;
        this.tally = serving.tally();
    }

    void add(LaneCursor cursor) {
        FairOrder fair = fairOrder(cursor);
        if (fair == null) {
            byQueue.computeIfAbsent(cursor.offer.queue(), queue -> new PriorityQueue<>(LaneCursor.BY_RANK))
                    .add(cursor);
        } else {
            fair.add(cursor);
        }
    }

    /** Says that a lane was read and has no jobs. */
    void meet(LaneCursor gone) {
        FairOrder fair = fairOrder(gone);
        if (fair != null) {
            fair.meet(gone);
        }
    }

    /** Says that a lane has jobs that were not read. */
    void isUnfinished(LaneCursor cursor) {
        unread.add(cursor.offer.queue());
        FairOrder fair = fairOrder(cursor);
        if (fair == null) {
            usedUp.merge(cursor.offer.queue(), cursor.offer.heads().getLast().rank(), Math::min);
        } else {
            fair.isUnfinished(cursor);
        }
    }

    /** Whether an older lane of its queue has jobs that were not read: one of them may pass where this one may not. */
    boolean isBehindUnseen(LaneCursor cursor) {
        Long before = usedUp.get(cursor.offer.queue());
        return before != null && before < cursor.head().rank();
    }

    /** Says that a queue has lanes that were not read. */
    void hasMore(String queue) {
        unread.add(queue);
    }

    /** Says that a job of this queue was started, set aside or turned away. */
    void moved(String queue) {
        if (serving.isByQueue()) {
            moved.add(queue);
        }
    }

    void started(String queue) {
        if (serving.isByQueue()) {
            tally.start(queue);
        }
    }

    QueueTurns served() {
        return tally.after();
    }

    private @Nullable FairOrder fairOrder(LaneCursor cursor) {
        String queue = cursor.offer.queue();
        GateLedger ledger = gates.get(GateKey.queue(queue));
        Shares shares = ledger == null ? null : ledger.line().shares();
        return ledger == null || shares == null
                ? null
                : fairOrders.computeIfAbsent(queue, name -> new FairOrder(ledger, shares));
    }

    /** Takes out the next lane. */
    @Nullable
    LaneCursor next(Set<String> shutQueues) {
        LaneCursor next = serving.isByQueue() ? nextByQueue(shutQueues) : oldest();
        if (next != null) {
            remove(next);
        }
        return next;
    }

    private void remove(LaneCursor cursor) {
        String queue = cursor.offer.queue();
        PriorityQueue<LaneCursor> plain = byQueue.get(queue);
        FairOrder fair = fairOrders.get(queue);
        if (plain != null) {
            plain.remove(cursor);
        } else if (fair != null) {
            fair.remove(cursor);
        }
    }

    /**
     * The oldest head of all queues. A fair queue takes part with the head whose turn it is, whatever else waits there.
     */
    private @Nullable LaneCursor oldest() {
        LaneCursor oldest = null;
        for (PriorityQueue<LaneCursor> queue : byQueue.values()) {
            oldest = older(oldest, queue.peek());
        }
        LaneCursor fairest = null;
        for (FairOrder fair : fairOrders.values()) {
            fairest = older(fairest, fair.first());
        }
        if (oldest == null || (fairest != null && LaneCursor.BY_RANK.compare(fairest, oldest) < 0)) {
            return fairest;
        }
        GateLedger shared = sharedGate(oldest);
        return shared == null ? oldest : firstAt(shared, oldest, all());
    }

    private static @Nullable LaneCursor older(@Nullable LaneCursor one, @Nullable LaneCursor other) {
        return one == null || (other != null && LaneCursor.BY_RANK.compare(other, one) < 0) ? other : one;
    }

    private @Nullable LaneCursor nextByQueue(Set<String> shutQueues) {
        String turn = null;
        for (String queue : serving.queues()) {
            boolean isWaiting = first(queue) != null || isBlind(queue, shutQueues);
            if (isWaiting && (turn == null || isBefore(queue, turn))) {
                turn = queue;
            }
        }
        LaneCursor first = turn == null ? null : first(turn);
        PriorityQueue<LaneCursor> plain = turn == null ? null : byQueue.get(turn);
        GateLedger shared = first == null || plain == null ? null : sharedGate(first);
        return first == null || plain == null || shared == null ? first : firstAt(shared, first, plain);
    }

    private boolean isBefore(String queue, String turn) {
        if (serving.isTied(queue, turn)) {
            LaneCursor one = first(queue);
            LaneCursor other = first(turn);
            return one != null && other != null && LaneCursor.BY_RANK.compare(one, other) < 0;
        }
        return tally.tag(queue) < tally.tag(turn);
    }

    private @Nullable LaneCursor first(String queue) {
        FairOrder fair = fairOrders.get(queue);
        PriorityQueue<LaneCursor> plain = byQueue.get(queue);
        if (fair != null) {
            return fair.first();
        }
        return plain == null ? null : plain.peek();
    }

    /** Whether a queue may have unread jobs, and another turnaround is worth its cost. */
    private boolean isBlind(String queue, Set<String> shutQueues) {
        FairOrder fair = fairOrders.get(queue);
        boolean hasUnread = unread.contains(queue) || (fair != null && fair.hasUnseen());
        return hasUnread && moved.contains(queue) && !shutQueues.contains(queue);
    }

    private static @Nullable GateLedger sharedGate(LaneCursor cursor) {
        for (GateLedger gate : cursor.ledgers) {
            if (gate.key().scope() == GateKey.Scope.GATE && gate.line().shares() != null) {
                return gate;
            }
        }
        return null;
    }

    /** At a shared gate the oldest lane may have to let others go first; then it is their turn now. */
    private static LaneCursor firstAt(GateLedger shared, LaneCursor oldest, Iterable<LaneCursor> rivals) {
        LaneCursor first = oldest;
        for (LaneCursor other : rivals) {
            boolean isHere = other.ledgers.contains(shared);
            first = isHere && shared.line().isBefore(other.waiter(shared), first.waiter(shared)) ? other : first;
        }
        return first;
    }

    /** Whether an open fair queue has unread jobs that may start. */
    boolean hasUnseen(Set<String> shutQueues) {
        return fairOrders.entrySet().stream()
                .anyMatch(fair ->
                        !shutQueues.contains(fair.getKey()) && fair.getValue().hasUnseen());
    }

    /** Takes out all lanes that are left. */
    List<LaneCursor> drain() {
        List<LaneCursor> left = all();
        byQueue.clear();
        fairOrders.values().forEach(fair -> left.addAll(fair.drain()));
        return left;
    }

    private List<LaneCursor> all() {
        List<LaneCursor> all = new ArrayList<>();
        byQueue.values().forEach(all::addAll);
        return all;
    }
}

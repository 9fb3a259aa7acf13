package dev.headgate.internal.admission;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The offered lanes of one fair queue. The next lane is the oldest head of the share whose turn it is. Only some shares
 * and some of their lanes were read; if an unread share may be next, {@link #first} is absent and the next turnaround
 * looks again.
 */
final class FairOrder {
    private final GateLedger queue;
    private final Shares shares;
    private final Map<String, PriorityQueue<LaneCursor>> byShare = new HashMap<>();
    private final Set<String> unfinished = new HashSet<>();

    FairOrder(GateLedger queue, Shares shares) {
        this.queue = queue;
        this.shares = shares;
    }

    void add(LaneCursor cursor) {
        byShare.computeIfAbsent(cursor.share(queue), share -> new PriorityQueue<>(LaneCursor.BY_RANK))
                .add(cursor);
    }

    /** Says that a lane of this share was read and has no jobs. */
    void meet(LaneCursor gone) {
        byShare.computeIfAbsent(gone.share(queue), share -> new PriorityQueue<>(LaneCursor.BY_RANK));
    }

    void remove(LaneCursor cursor) {
        PriorityQueue<LaneCursor> own = byShare.get(cursor.share(queue));
        if (own != null) {
            own.remove(cursor);
        }
    }

    /** Says that a lane of this share has jobs that were not read. */
    void isUnfinished(LaneCursor cursor) {
        unfinished.add(cursor.share(queue));
    }

    /** The lane whose head is next; absent if there is none, or if it is not known which is next. */
    @Nullable
    LaneCursor first() {
        LaneCursor first = null;
        for (PriorityQueue<LaneCursor> share : byShare.values()) {
            LaneCursor each = share.peek();
            if (each != null && (first == null || isBefore(each, first))) {
                first = each;
            }
        }
        if (first == null || shares.isBeyondSight(first.share(queue))) {
            return null;
        }
        long tag = shares.tag(first.share(queue));
        boolean isTurnOfUnseen = blind().stream().anyMatch(share -> shares.tag(share) < tag);
        return isTurnOfUnseen ? null : first;
    }

    private boolean isBefore(LaneCursor one, LaneCursor other) {
        int order = shares.compare(
                one.share(queue),
                one.head().rank(),
                other.share(queue),
                other.head().rank());
        return order != 0 ? order < 0 : one.offer.lane().compareTo(other.offer.lane()) < 0;
    }

    /** Shares with more jobs waiting, of which all read jobs are used up. */
    private List<String> blind() {
        List<String> blind = new ArrayList<>();
        byShare.forEach((share, lanes) -> {
            if (lanes.isEmpty() && (shares.isPartlySeen(share) || unfinished.contains(share))) {
                blind.add(share);
            }
        });
        return blind;
    }

    boolean hasUnseen() {
        return shares.hasHorizon() || !blind().isEmpty();
    }

    /** Takes out all lanes that are left. */
    List<LaneCursor> drain() {
        List<LaneCursor> left = new ArrayList<>();
        byShare.values().forEach(left::addAll);
        byShare.values().forEach(PriorityQueue::clear);
        return left;
    }
}

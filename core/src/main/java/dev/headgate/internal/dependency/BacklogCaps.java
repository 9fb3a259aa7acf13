package dev.headgate.internal.dependency;

import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.job.JobState;
import dev.headgate.job.Lane;
import dev.headgate.limit.BacklogCap;
import dev.headgate.limit.BacklogCap.Overflow;
import dev.headgate.limit.BacklogFullException;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.BacklogTable.Caps;
import dev.headgate.spi.HeadOfLane;
import dev.headgate.spi.HistoryTable.Revived;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.NewJob;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.Wake;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Holds caps on waiting jobs, in the transaction that adds the jobs. */
public final class BacklogCaps {
    private BacklogCaps() {}

    /**
     * The caps for which the jobs of this lane count.
     *
     * @throws IllegalArgumentException if two of its gates are capped: a job counts for one gate only
     */
    public static Caps capsOf(Lane lane, PolicyBook book) {
        if (!book.hasCaps()) {
            return Caps.NONE;
        }
        String capped = null;
        for (String gate : lane.gates()) {
            if (cap(GateKey.gate(gate), book) != null) {
                if (capped != null) {
                    throw new IllegalArgumentException(
                            "gates '%s' and '%s' both cap their backlog, and a job counts for one gate only; name one of them, or lift one cap"
                                    .formatted(capped, gate));
                }
                capped = gate;
            }
        }
        return new Caps(cap(GateKey.queue(lane.queue()), book) != null, capped);
    }

    private static @Nullable BacklogCap cap(GateKey key, PolicyBook book) {
        return book.policyFor(key).options().backlog();
    }

    /** Makes room for these jobs: refuses them, or drops the oldest. Returns the heads of lanes that lost jobs. */
    public static List<HeadOfLane> makeRoom(
            StoreTransaction tx, PolicyBook book, List<NewJob> jobs, Set<Wake> wakes, long now) {
        if (!book.hasCaps()) {
            return List.of();
        }
        TreeMap<GateKey, Integer> asked = new TreeMap<>();
        Map<Lane, Caps> known = new HashMap<>();
        for (NewJob job : jobs) {
            Lane lane = job.spec().lane();
            Caps caps = known.computeIfAbsent(lane, each -> capsOf(each, book));
            if (caps.isQueue()) {
                asked.merge(GateKey.queue(lane.queue()), 1, Integer::sum);
            }
            if (caps.gate() != null) {
                asked.merge(GateKey.gate(caps.gate()), 1, Integer::sum);
            }
        }
        if (asked.isEmpty()) {
            return List.of();
        }
        tx.backlog().lock(asked.navigableKeySet());
        List<HeadOfLane> dropped = new ArrayList<>();
        asked.forEach((key, more) -> dropped.addAll(makeRoom(tx, key, cap(key, book), more, wakes, now)));
        return dropped;
    }

    private static List<HeadOfLane> makeRoom(
            StoreTransaction tx, GateKey key, @Nullable BacklogCap cap, int more, Set<Wake> wakes, long now) {
        if (cap == null) {
            return List.of();
        }
        boolean isDropping = cap.overflow() == Overflow.DROP_OLDEST;
        long most = isDropping ? Integer.MAX_VALUE : (long) cap.max() + BacklogFullException.COUNTED_BEYOND;
        int waiting = tx.backlog().count(key, (int) Math.min(Integer.MAX_VALUE, most));
        int excess = waiting + more - cap.max();
        if (excess <= 0) {
            return List.of();
        }
        if (!isDropping || more > cap.max()) {
            throw new BacklogFullException(key, cap, waiting, more);
        }
        List<JobRow> oldest = tx.backlog().oldest(key, excess);
        if (oldest.size() < excess) {
            throw new BacklogFullException(key, cap, waiting, more);
        }
        String why = "dropped: the backlog of %s is full (%d) and newer jobs came".formatted(key, cap.max());
        oldest.forEach(job -> tx.jobs().endWaiting(job.id(), JobState.CANCELLED, why, now));
        new Dependents(tx, wakes, now).ended(oldest.stream().map(JobRow::id).toList());
        return oldest.stream()
                .filter(job ->
                        job.state() == JobState.QUEUED && !job.spec().lane().isPlain())
                .map(job -> HeadOfLane.left(job.spec().lane(), job.place().rank()))
                .toList();
    }

    /** Makes all live jobs count for the caps of this book, after a cap was set or lifted. */
    public static void recount(StoreTransaction tx, PolicyBook book) {
        Map<Lane, Caps> caps = new HashMap<>();
        for (Lane lane : tx.backlog().lanes()) {
            caps.put(lane, laxCapsOf(lane, book));
        }
        tx.backlog().mark(caps);
    }

    /** Makes jobs count again that have come back from history. */
    public static void recount(StoreTransaction tx, PolicyBook book, List<Revived> revived) {
        if (book.hasCaps()) {
            Map<Caps, List<Long>> byCaps = new LinkedHashMap<>();
            for (Revived job : revived) {
                byCaps.computeIfAbsent(laxCapsOf(job.head().lane(), book), caps -> new ArrayList<>())
                        .add(job.job());
            }
            byCaps.forEach((caps, jobs) -> tx.backlog().mark(jobs, caps));
        }
    }

    /** Jobs that are there already are never refused: if two of their gates are capped, they count for the first. */
    private static Caps laxCapsOf(Lane lane, PolicyBook book) {
        String capped = lane.gates().stream()
                .filter(gate -> cap(GateKey.gate(gate), book) != null)
                .findFirst()
                .orElse(null);
        return new Caps(cap(GateKey.queue(lane.queue()), book) != null, capped);
    }
}

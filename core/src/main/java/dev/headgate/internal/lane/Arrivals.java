package dev.headgate.internal.lane;

import dev.headgate.spi.HeadOfLane;
import dev.headgate.spi.Pending;
import dev.headgate.spi.StoreTransaction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Finds what has come into lanes: doorbells and due jobs. */
public final class Arrivals {
    public static final int BATCH_MAX = 1000;

    /** The least number of doorbells that a turn takes, however few slots are free: the first lanes may be blocked. */
    private static final int BELLS_MIN = 64;

    private static final int FAIR_BATCHES_MAX = 10;

    private final StoreTransaction tx;
    private final LockedShares sharing;
    private final Collection<String> served;
    private final Collection<String> open;
    private final LongFunction<Collection<String>> withDue;
    private Pending<List<HeadOfLane>> bells = Pending.of(List.of());
    private Pending<Optional<Long>> nextDue = Pending.of(Optional.empty());
    private int bellsMax;

    /**
     * Reads the doorbells of the served queues.
     *
     * @param served names and patterns
     * @param open those of the served queues that could start something; doorbells of the others wait
     * @param withDue from when on which of the served queues may have due jobs
     */
    public Arrivals(
            StoreTransaction tx,
            LockedShares sharing,
            Collection<String> served,
            Collection<String> open,
            LongFunction<Collection<String>> withDue) {
        this.tx = tx;
        this.sharing = sharing;
        this.served = served;
        this.open = open;
        this.withDue = withDue;
    }

    /**
     * What a filing found.
     *
     * @param arrivals the heads that came into lanes of open queues that are not fair; they are in no row yet
     * @param isMore whether more is waiting to be filed
     * @param isLookDue whether {@link dev.headgate.internal.dependency.DependencyStore#look} has work to do
     * @param isWhole {@code nextDue} is what it was before, because nothing was due
     * @param nextDue when the next job is due by its own time, or must end by it
     */
    public record Filed(
            List<HeadOfLane> arrivals,
            boolean isMore,
            boolean isLookDue,
            boolean isWhole,
            @Nullable Long nextDue) {
        public static final Filed NOTHING = new Filed(List.of(), false, false, false, null);
    }

    /** Asks for what is due, and for the doorbells of queues that are not fair; {@link #file} reads the answers. */
    public void ask(int lanesMax) {
        List<String> others = new ArrayList<>(open);
        others.removeIf(sharing::isFair);
        if (!others.isEmpty()) {
            bellsMax = Math.max(lanesMax, BELLS_MIN);
            bells = tx.lanes().takeArrivals(others, bellsMax, bellsMax);
        }
        nextDue = NextDue.of(tx, served);
    }

    /**
     * Takes the doorbells and promotes the jobs that are due.
     *
     * @param mayExpire whether the caller can end jobs whose deadline has passed; if so, such jobs throw
     */
    public Filed file(long now, boolean mayExpire) {
        Long due = nextDue.get().orElse(null);
        boolean isDue = due != null && due <= now;
        if (isDue && mayExpire && tx.jobs().isAnyExpired(now)) {
            throw new ExpiryDueException();
        }
        List<HeadOfLane> arrivals = new ArrayList<>(bells.get());
        boolean isMore = !arrivals.isEmpty() && arrivals.size() >= bellsMax;
        isMore |= takeFair(arrivals);
        if (isDue) {
            List<HeadOfLane> promoted = tx.jobs().promoteDue(withDue.apply(now), now, BATCH_MAX);
            isMore |= promoted.size() == BATCH_MAX;
            arrivals.addAll(openOf(promoted));
        }
        List<HeadOfLane> heads = oldestPerLane(arrivals);
        if (!sharing.isAny()) {
            return new Filed(heads, isMore, due != null && due < 0, !isDue, due);
        }
        List<HeadOfLane> fair = heads.stream()
                .filter(head -> sharing.isFair(head.lane().queue()))
                .toList();
        if (!fair.isEmpty()) {
            sharing.file(fair);
        }
        List<HeadOfLane> others = heads.stream()
                .filter(head -> !sharing.isFair(head.lane().queue()))
                .toList();
        return new Filed(others, isMore, due != null && due < 0, !isDue, due);
    }

    /**
     * Takes doorbells of fair queues; returns whether there may be more. Takes many, because a tenant gets its share only when
     * its doorbell is taken, and one tenant with many doorbells must not keep the others out.
     */
    private boolean takeFair(List<HeadOfLane> arrivals) {
        if (!sharing.isAny()) {
            return false;
        }
        List<String> fair = open.stream().filter(sharing::isFair).toList();
        boolean isMoreFair = !fair.isEmpty();
        for (int i = 0; isMoreFair && i < FAIR_BATCHES_MAX; i++) {
            List<HeadOfLane> rung = tx.lanes().takeArrivals(fair, BATCH_MAX, 0).get();
            arrivals.addAll(rung);
            isMoreFair = rung.size() >= BATCH_MAX;
        }
        return isMoreFair;
    }

    /** Rings for lanes of queues that are shut or that other workers serve, and returns the rest. */
    private List<HeadOfLane> openOf(List<HeadOfLane> moved) {
        List<HeadOfLane> gated =
                moved.stream().filter(head -> !head.lane().isPlain()).toList();
        List<HeadOfLane> elsewhere = gated.stream()
                .filter(head -> !open.contains(head.lane().queue()))
                .toList();
        if (!elsewhere.isEmpty()) {
            tx.lanes().ring(oldestPerLane(elsewhere));
        }
        return gated.stream().filter(head -> open.contains(head.lane().queue())).toList();
    }

    /** One entry per lane, its oldest head, in lane order: rows are always locked in the same order. */
    public static List<HeadOfLane> oldestPerLane(Collection<HeadOfLane> arrivals) {
        if (arrivals.size() < 2) {
            return List.copyOf(arrivals);
        }
        Map<String, HeadOfLane> oldest = new TreeMap<>();
        for (HeadOfLane arrival : arrivals) {
            oldest.merge(arrival.laneId(), arrival, HeadOfLane::and);
        }
        return List.copyOf(oldest.values());
    }
}

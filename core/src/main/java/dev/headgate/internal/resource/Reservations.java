package dev.headgate.internal.resource;

import dev.headgate.internal.admission.ClaimPlan.Unfit;
import dev.headgate.internal.admission.JobFit;
import dev.headgate.internal.resource.Demands.Demand;
import dev.headgate.internal.resource.Demands.Guess;
import dev.headgate.internal.resource.ProfileLearner.Declared;
import dev.headgate.internal.resource.ProfileLearner.Finish;
import dev.headgate.internal.resource.Stocks.Reserved;
import dev.headgate.internal.time.Ticker;
import dev.headgate.resource.Capacity;
import dev.headgate.resource.Headroom;
import dev.headgate.resource.Needs;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The resources of one worker: what it has, what its jobs hold, what it had to pass over. {@link #fit} and {@link
 * #note} belong to the thread that claims; the rest is thread-safe.
 */
public final class Reservations {
    private static final long LOOK_NANOS = 250_000_000L;
    private static final long REBUILD_NANOS = 1_000_000_000L;

    private final Ticker ticker;
    private final Stocks stocks;
    private final @Nullable Needs unknown;
    private final Map<String, Declared> declared;
    private final ProfileLearner learner = new ProfileLearner();
    private final PassedOver passedOver = new PassedOver();
    private final Object looking = new Object();
    private final Set<Reservation> trials = ConcurrentHashMap.newKeySet();
    private final Set<String> apart;
    private final boolean isInRegions;
    private volatile int passed;
    private volatile Demands demands;
    private volatile long rebuiltNanos;
    private long lookedNanos;

    /**
     * Begins with nothing reserved.
     *
     * @param apart types whose work is not done on the threads of their jobs, so that it cannot be measured
     * @param process the process of the worker
     * @param root where the files of the system are found; {@code /} but for tests
     */
    public Reservations(
            Headroom headroom,
            Map<String, Declared> declared,
            Set<String> apart,
            ProcessResources process,
            Path root,
            Ticker ticker) {
        this.ticker = ticker;
        this.stocks = new Stocks(headroom, process, root);
        this.unknown = headroom.unknown();
        this.declared = Map.copyOf(declared);
        this.apart = Set.copyOf(apart);
        this.isInRegions = process.heap().isInRegions();
        stocks.look();
        this.lookedNanos = ticker.nanos();
        this.demands = rebuild();
    }

    private Demands rebuild() {
        rebuiltNanos = ticker.nanos();
        Estimate other = Estimate.of(Needs.NONE, null, null, unknown);
        Map<String, Estimate> estimates = learner.estimates(declared, unknown, apart);
        if (isInRegions) {
            estimates.replaceAll((type, estimate) -> estimate.inRegions());
        }
        return new Demands(stocks.names(), estimates, ThreadMemory.canTell() ? other : other.unmeasured(), guesses());
    }

    /** What the first runs of unknown types have shown so far. */
    private Map<String, Guess> guesses() {
        Map<String, Guess> guesses = new HashMap<>();
        for (Reservation reservation : trials) {
            guesses.merge(reservation.type, reservation.guess(), Guess::or);
        }
        return guesses;
    }

    /** Jobs that began on a guess keep no more than their type is expected to need by now. */
    private void settle() {
        if (trials.isEmpty()) {
            return;
        }
        demands = rebuild();
        long whole = stocks.levels().whole[0];
        for (Reservation reservation : trials) {
            Demand now = demands.of(reservation.type);
            if (reservation.held != null) {
                reservation.held.shrinkMemory(now.isNothing() ? 1 : now.amount(0, whole));
            }
        }
        trials.removeIf(reservation -> !demands.of(reservation.type).isGuess());
    }

    /** The present capacity, given the time in which all jobs must be done. */
    public JobFit fit(TimeLeft time) {
        long now = ticker.nanos();
        if (learner.isUrgent()) {
            demands = rebuild();
            settle();
        } else if (learner.isChanged() && now - rebuiltNanos >= REBUILD_NANOS) {
            demands = rebuild();
        }
        if (time.equals(TimeLeft.FOR_EVER) && !demands.isAny()) {
            return JobFit.ALWAYS;
        }
        if (demands.isAny()) {
            look();
        }
        return new ResourceFit(demands, stocks.levels(), time, passedOver, now);
    }

    /** Asks the sources, unless that was a moment ago. */
    private void look() {
        synchronized (looking) {
            if (ticker.nanos() - lookedNanos >= LOOK_NANOS) {
                lookNow();
            }
        }
    }

    /** Asks the sources, whenever that was. */
    public void lookNow() {
        synchronized (looking) {
            lookedNanos = ticker.nanos();
            stocks.look();
            settle();
        }
    }

    /** Notes what a turn passed over; returns whether to look again at once, further. */
    public boolean note(List<Unfit> unfit, boolean isBeyondSight) {
        passed = unfit.size();
        return (!unfit.isEmpty() || passedOver.size() > 0) && passedOver.note(unfit, isBeyondSight, ticker.nanos());
    }

    /** How many jobs the latest turn passed over. */
    public int passed() {
        return passed;
    }

    /**
     * Whether one of these waits for memory, though no job of this process holds any: only a collection of the heap can
     * tell.
     */
    public boolean isHeapInDoubt(List<Unfit> unfit) {
        if (unfit.isEmpty() || stocks.isMemoryHeld()) {
            return false;
        }
        Stocks.Levels levels = stocks.levels();
        for (Unfit each : unfit) {
            long need = demands.of(each.head().type()).amount(0, levels.whole[0]);
            if (need > levels.free[0] && need > 0) {
                return true;
            }
        }
        return false;
    }

    /** Whether more jobs at once would not fit: memory is short, or a waiting job does not fit already. */
    public boolean isTight() {
        look();
        return passed > 0 || stocks.levels().free[0] <= 0;
    }

    /**
     * Reserves what one job needs, and measures its run. Absent if another worker of this process has taken the
     * capacity since the claim.
     */
    public @Nullable Reservation admit(long job, String type) {
        Demand demand = demands.of(type);
        Reserved held = demand.isNothing() ? null : stocks.reserve(demand);
        if (held == null && !demand.isNothing()) {
            return null;
        }
        passedOver.started(job);
        Reservation reservation = new Reservation(type, held, !apart.contains(type) && learner.isToMeasure(type));
        if (demand.isGuess()) {
            trials.add(reservation);
        }
        return reservation;
    }

    /** What the store knows of job types counts from the next look on. */
    public void learn(Map<String, Profile> profiles) {
        learner.learn(profiles);
        rebuiltNanos = ticker.nanos() - REBUILD_NANOS;
    }

    public ProfileLearner learner() {
        return learner;
    }

    public Map<String, Declared> declared() {
        return declared;
    }

    /** What to publish. */
    public Capacity capacity() {
        look();
        return stocks.capacity();
    }

    /** One job at work: what it holds, and what it is seen to take. */
    public final class Reservation {
        private final String type;
        private final @Nullable Reserved held;
        private final boolean isMeasured;
        private volatile long beganNanos;
        private volatile long allocatedBefore = -1;
        private volatile @Nullable Thread thread;

        private Reservation(String type, @Nullable Reserved held, boolean isMeasured) {
            this.type = type;
            this.held = held;
            this.isMeasured = isMeasured;
            this.beganNanos = ticker.nanos();
        }

        /** Whether it must run on a platform thread, so that its allocation is measured. */
        public boolean isMeasured() {
            return isMeasured;
        }

        /** Called on the thread of its handler, before that begins. */
        public void begin() {
            Thread own = Thread.currentThread();
            allocatedBefore = apart.contains(type) ? -1 : ThreadMemory.allocated(own);
            thread = own;
            beganNanos = ticker.nanos();
        }

        private Guess guess() {
            return Guess.after((ticker.nanos() - beganNanos) / 1_000, Math.max(0, allocated()));
        }

        /** By its thread since it began; negative if that is not known. */
        private long allocated() {
            Thread own = thread;
            long now = own == null || allocatedBefore < 0 ? -1 : ThreadMemory.allocated(own);
            return now < 0 ? -1 : now - allocatedBefore;
        }

        /** Called on the same thread, when the handler is done; gives the resources back. */
        public void end(Finish finish) {
            learner.ran(type, (ticker.nanos() - beganNanos) / 1_000, finish, allocated(), isMeasured);
            trials.remove(this);
            if (held != null) {
                held.release();
            }
        }
    }
}

package dev.headgate.room;

import dev.headgate.admission.ClaimPlan.Unfit;
import dev.headgate.admission.Fit;
import dev.headgate.room.Learner.Declared;
import dev.headgate.room.Learner.Finish;
import dev.headgate.room.Profile.Measure;
import dev.headgate.room.Stocks.Held;
import dev.headgate.time.Ticker;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The room of one worker: what it has, what its jobs hold, what it had to pass over. {@link #fit} and {@link #note} belong to
 * the thread that claims; the rest is thread-safe.
 */
public final class Quarters {
    private static final long LOOK_NANOS = 250_000_000L;
    private static final long REBUILD_NANOS = 1_000_000_000L;

    private final Ticker ticker;
    private final Stocks stocks;
    private final Needs unknown;
    private final Map<String, Declared> declared;
    private final Learner learner = new Learner();
    private final PassedOver passedOver = new PassedOver();
    private final Object looking = new Object();
    private volatile int passed;
    private volatile Demands demands;
    private volatile long rebuiltNanos;
    private long lookedNanos;

    /**
     * @param house the process that the worker is in
     * @param root where the files of the system are found; {@code /} but for tests
     */
    public Quarters(Headroom headroom, Map<String, Declared> declared, House house, Path root, Ticker ticker) {
        this.ticker = ticker;
        this.stocks = new Stocks(headroom, house, root);
        this.unknown = headroom.unknown();
        this.declared = Map.copyOf(declared);
        stocks.look();
        this.lookedNanos = ticker.nanos();
        this.demands = rebuild();
    }

    private Demands rebuild() {
        rebuiltNanos = ticker.nanos();
        return new Demands(stocks.names(), learner.estimates(declared, unknown), unknown);
    }

    /** What there is room for now, given the time in which all must be done. */
    public Fit fit(TimeLeft time) {
        long now = ticker.nanos();
        if (learner.isChanged() && now - rebuiltNanos >= REBUILD_NANOS) {
            demands = rebuild();
        }
        if (time.equals(TimeLeft.FOR_EVER) && !demands.isAny()) {
            return Fit.ALWAYS;
        }
        if (demands.isAny()) {
            look();
        }
        return new WorkerFit(demands, stocks.levels(), time, passedOver, now);
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
        }
    }

    /** Takes note of what a turn passed over; answers whether to look again at once, further. */
    public boolean note(List<Unfit> unfit, boolean isBeyondSight) {
        passed = unfit.size();
        return (!unfit.isEmpty() || passedOver.size() > 0) && passedOver.note(unfit, isBeyondSight, ticker.nanos());
    }

    /** How many jobs the latest look passed over. */
    public int passed() {
        return passed;
    }

    /** Whether one of these waits for memory, though no job of this process holds any: only a collection of the heap can tell. */
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

    /** Whether more jobs at once would find no room: memory is short, or what waits does not fit already. */
    public boolean isTight() {
        look();
        return passed > 0 || stocks.levels().free[0] <= 0;
    }

    /** Makes ready to run one job: keeps its room and measures it. */
    public Stay admit(long job, String type) {
        passedOver.started(job);
        Demands.Demand demand = demands.of(type);
        return new Stay(type, demand.isNothing() ? null : stocks.reserve(demand));
    }

    /** What is live of the heap was looked up: those at work have that much of it. */
    public void share(Collection<Stay> stays) {
        Long live = stocks.takeRenewedLive();
        if (live == null) {
            return;
        }
        boolean isOneType = stays.stream().map(stay -> stay.type).distinct().count() == 1;
        long each = learner.growthOfEach(live, stays.size(), isOneType);
        stays.forEach(stay -> stay.growth = Math.max(stay.growth, each));
    }

    /** What the store knows of job types counts from the next look on. */
    public void learn(Map<String, Profile> profiles) {
        learner.learn(profiles);
        rebuiltNanos = ticker.nanos() - REBUILD_NANOS;
    }

    public Learner learner() {
        return learner;
    }

    public Map<String, Declared> declared() {
        return declared;
    }

    /** What to tell others. */
    public Capacity capacity() {
        look();
        return stocks.capacity();
    }

    /** One job at work: what it holds, and what it is seen to take. */
    public final class Stay {
        private final String type;
        private final @Nullable Held held;
        private long beganNanos;
        private long allocatedBefore = -1;
        private volatile long growth = -1;

        private Stay(String type, @Nullable Held held) {
            this.type = type;
            this.held = held;
            this.beganNanos = ticker.nanos();
        }

        /** On the thread of its handler, before that begins. */
        public void begin() {
            allocatedBefore = ThreadMemory.allocated();
            beganNanos = ticker.nanos();
        }

        /** On the same thread, when the handler is done; gives the room back. */
        public void end(Finish finish) {
            long micros = (ticker.nanos() - beganNanos) / 1_000;
            if (allocatedBefore >= 0) {
                learner.ran(type, micros, finish, ThreadMemory.allocated() - allocatedBefore, Measure.ALLOCATED);
            } else {
                learner.ran(type, micros, finish, growth, Measure.HEAP_GROWTH);
            }
            if (held != null) {
                held.release();
            }
        }
    }
}

package dev.headgate.limiter;

import dev.headgate.internal.admission.GateFigures;
import dev.headgate.internal.admission.GateLedger;
import dev.headgate.internal.admission.GateState;
import dev.headgate.internal.admission.ReleaseKind;
import dev.headgate.internal.admission.Start;
import dev.headgate.internal.admission.Waiter;
import dev.headgate.internal.time.Chance;
import dev.headgate.limit.BackOff;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Hold;
import dev.headgate.limit.Limit;
import dev.headgate.limit.Margin;
import dev.headgate.limiter.Limiter.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A limiter of any limits: a gate's ledger behind a lock, and the limiters that must agree too. A decision locks all of
 * them, in one order, asks all of them and then takes of all or of none.
 */
final class GuardedLimiter {
    static final GateKey KEY = GateKey.gate("limiter");
    private static final AtomicLong ORDERS = new AtomicLong();
    private static final Denied IN_LINE = new Denied(GateLedger.UNTIL_RELEASE, () -> "others wait already (line)");

    final LocalTime time;
    final ReentrantLock lock = new ReentrantLock();
    final List<Runnable> bells = new CopyOnWriteArrayList<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final ReentrantLock turnstile = new ReentrantLock(true);
    private final long order = ORDERS.incrementAndGet();
    private final List<GuardedLimiter> alone = List.of(this);
    private final List<GuardedLimiter> joined = new CopyOnWriteArrayList<>();
    private final @Nullable GuardedCustom custom;
    private final Chance chance;
    private GatePolicy policy;
    private GateLedger ledger;
    private long generation;
    private long lastPermit;

    GuardedLimiter(GatePolicy policy, @Nullable CustomLimit custom, LocalTime time, Chance chance) {
        this.time = time;
        this.custom = custom == null ? null : new GuardedCustom(custom);
        this.chance = chance;
        this.policy = policy;
        this.ledger = new GateLedger(KEY, policy, GateState.NEW);
    }

    /** Goes on from where the cell is; the lock is held until that is known. */
    void begin(@Nullable LimitCell cell) {
        if (custom != null) {
            custom.limit().whenOpened(this::ring);
        }
        lock.lock();
        try {
            if (cell != null) {
                ledger = new GateLedger(KEY, policy, cell.moveTo(this));
            }
        } finally {
            lock.unlock();
        }
    }

    /** This one and all that must agree, each once, in the order of their locks. */
    List<GuardedLimiter> all() {
        if (joined.isEmpty()) {
            return alone;
        }
        TreeSet<GuardedLimiter> found = new TreeSet<>(Comparator.comparingLong((GuardedLimiter each) -> each.order));
        collect(found);
        return List.copyOf(found);
    }

    private void collect(Set<GuardedLimiter> found) {
        if (found.add(this)) {
            joined.forEach(other -> other.collect(found));
        }
    }

    @SuppressWarnings("LockNotBeforeTry") // every caller has the try block, and the unlock in its finally
    private static void lock(List<GuardedLimiter> all) {
        for (GuardedLimiter each : all) {
            each.lock.lock();
        }
    }

    private static void unlock(List<GuardedLimiter> all) {
        for (GuardedLimiter each : all) {
            each.lock.unlock();
        }
    }

    void join(GuardedLimiter other) {
        joined.add(other);
    }

    void add(Limit limit) {
        lock.lock();
        try {
            List<Limit> limits = new ArrayList<>(policy.limits());
            limits.add(limit.margin(Margin.NONE)); // the call follows at once
            GatePolicy changed = new GatePolicy(limits, policy.shadows(), policy.backOff(), policy.options());
            ledger = new GateLedger(KEY, changed, ledger.state());
            policy = changed;
        } finally {
            lock.unlock();
        }
    }

    Answer tryAcquire(long cost) {
        return ask(all(), cost, false);
    }

    private Answer ask(List<GuardedLimiter> all, long cost, boolean isFirst) {
        lock(all);
        try {
            Denied denied = deniedByLedgers(all, cost);
            if (denied != null) {
                return Denied.later(denied, deniedByCustom(all, cost));
            }
            return !isFirst && waiting.get() > 0 ? IN_LINE : take(all, cost);
        } finally {
            unlock(all);
        }
    }

    /** Custom limits come first: they may refuse, the ledgers have agreed already. */
    private Answer take(List<GuardedLimiter> all, long cost) {
        CustomLimit.@Nullable Taken[] taken = new CustomLimit.@Nullable Taken[all.size()];
        for (int i = 0; i < taken.length; i++) {
            GuardedCustom asked = all.get(i).custom;
            CustomLimit.Answer answer = asked == null ? null : asked.tryTake(cost);
            if (answer instanceof Denied denied) {
                undo(all, taken, i);
                return Denied.later(denied, deniedByCustom(all.subList(i + 1, taken.length), cost));
            }
            taken[i] = (CustomLimit.Taken) answer;
        }
        LocalPermit.Part[] parts = new LocalPermit.Part[taken.length];
        for (int i = 0; i < parts.length; i++) {
            GuardedLimiter each = all.get(i);
            long now = each.time.micros();
            long id = ++each.lastPermit;
            each.ledger.tryTake(id, cost, now);
            parts[i] = new LocalPermit.Part(each, each.generation, id, now, taken[i]);
        }
        return new LocalPermit(parts, all.indexOf(this), cost);
    }

    private static void undo(List<GuardedLimiter> all, CustomLimit.@Nullable Taken[] taken, int count) {
        for (int i = count - 1; i >= 0; i--) {
            GuardedCustom custom = all.get(i).custom;
            CustomLimit.Taken one = taken[i];
            if (custom != null && one != null) {
                custom.undo(one);
            }
        }
    }

    private static @Nullable Denied denied(List<GuardedLimiter> all, long cost) {
        Denied ledgers = deniedByLedgers(all, cost);
        Denied custom = deniedByCustom(all, cost);
        return ledgers == null ? custom : Denied.later(ledgers, custom);
    }

    private static @Nullable Denied deniedByLedgers(List<GuardedLimiter> all, long cost) {
        Denied latest = null;
        for (GuardedLimiter each : all) {
            Denied denied = denied(each.ledger, cost, each.time.micros());
            latest = denied == null ? latest : Denied.later(denied, latest);
        }
        return latest;
    }

    private static @Nullable Denied deniedByCustom(List<GuardedLimiter> all, long cost) {
        Denied latest = null;
        for (GuardedLimiter each : all) {
            Denied denied = each.custom == null ? null : each.custom.check(cost);
            latest = denied == null ? latest : Denied.later(denied, latest);
        }
        return latest;
    }

    static @Nullable Denied denied(GateLedger ledger, long cost, long now) {
        long opens = ledger.opens(cost, now);
        if (opens <= now) {
            return null;
        }
        String reason = Denied.text(ledger.checkLimits(new Waiter("", 0, cost), now));
        return new Denied(opens >= GateLedger.UNTIL_RELEASE ? opens : opens - now, () -> reason);
    }

    boolean tryStart(long cost) {
        List<GuardedLimiter> all = all();
        lock(all);
        try {
            for (GuardedLimiter each : all) {
                if (each.custom != null) {
                    throw new IllegalStateException(
                            "limiter: tryStart does not know its starts apart, as the custom limit here must; expected tryAcquire");
                }
                long now = each.time.micros();
                if (waiting.get() > 0 || each.ledger.opens(cost, now) > now) {
                    return false;
                }
            }
            all.forEach(each -> each.start(cost));
            return true;
        } finally {
            unlock(all);
        }
    }

    private void start(long cost) {
        if (holdsPlaces()) {
            ledger.tryTake(0, cost, time.micros());
        } else {
            ledger.permits().start(cost, 0, time.micros());
        }
    }

    private boolean holdsPlaces() {
        return !policy.limits().stream().allMatch(Limit::isTimed);
    }

    void finish(long cost) {
        List<GuardedLimiter> all = all();
        lock(all);
        try {
            for (GuardedLimiter each : all) {
                if (each.holdsPlaces() && each.ledger.leases() > 0 && each.ledger.unitsInUse() >= cost) {
                    each.ledger.release(0, cost, ReleaseKind.OK);
                }
            }
        } finally {
            unlock(all);
        }
        all.forEach(GuardedLimiter::ring);
    }

    @Nullable
    Denied check(long cost) {
        List<GuardedLimiter> all = all();
        lock(all);
        try {
            Denied denied = denied(all, cost);
            return denied == null && waiting.get() > 0 ? IN_LINE : denied;
        } finally {
            unlock(all);
        }
    }

    int available(int max) {
        List<GuardedLimiter> all = all();
        lock(all);
        try {
            int room = waiting.get() > 0 ? 0 : max;
            for (GuardedLimiter each : all) {
                room = Math.min(room, each.ledger.startableCount(new Waiter("", 0, 1), each.time.micros(), room));
                room = each.custom == null || room == 0 ? room : each.custom.available(room);
            }
            return room;
        } finally {
            unlock(all);
        }
    }

    Answer acquire(long cost, Duration timeout) throws InterruptedException {
        try (WaitingThread place = new WaitingThread(this, timeout)) {
            waiting.incrementAndGet();
            try {
                return place.await(turnstile, all -> ask(all, cost, true));
            } finally {
                waiting.decrementAndGet();
                ring();
            }
        }
    }

    boolean hold(long micros, String reason) {
        List<GuardedLimiter> all = all();
        boolean isLonger = false;
        lock(all);
        try {
            for (GuardedLimiter each : all) {
                long now = each.time.micros();
                isLonger |= each.ledger.hold(now + micros, false, reason, now);
            }
        } finally {
            unlock(all);
        }
        return isLonger;
    }

    boolean lift() {
        List<GuardedLimiter> all = all();
        boolean wasHeld = false;
        lock(all);
        try {
            for (GuardedLimiter each : all) {
                wasHeld |= each.ledger.lift(each.time.micros());
            }
        } finally {
            unlock(all);
        }
        all.forEach(GuardedLimiter::ring);
        return wasHeld;
    }

    List<Limiter.Use> usage() {
        List<GuardedLimiter> all = all();
        List<Limiter.Use> usage = new ArrayList<>();
        lock(all);
        try {
            usage.addAll(usage(ledger, time.micros()));
            all.stream()
                    .filter(each -> !each.equals(this))
                    .forEach(each -> usage.addAll(usage(each.ledger, each.time.micros())));
        } finally {
            unlock(all);
        }
        return List.copyOf(usage);
    }

    static List<Limiter.Use> usage(GateLedger ledger, long now) {
        GateFigures figures = ledger.figures(now);
        return ledger.policy().limits().stream()
                .map(limit -> new Limiter.Use(limit, figures.used(limit), figures.most(limit)))
                .toList();
    }

    void clear() {
        List<GuardedLimiter> all = all();
        lock(all);
        try {
            for (GuardedLimiter each : all) {
                each.ledger = new GateLedger(KEY, each.policy, GateState.NEW);
                each.generation++;
                if (each.custom != null) {
                    each.custom.clear();
                }
            }
        } finally {
            unlock(all);
        }
        all.forEach(GuardedLimiter::ring);
    }

    /** Runs if the permit still counts here. */
    boolean change(long granted, LedgerChange change) {
        lock.lock();
        try {
            if (granted != generation) {
                return false;
            }
            change.on(ledger, time.micros());
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** What happens to a ledger at an instant. */
    interface LedgerChange {
        void on(GateLedger ledger, long now);
    }

    /** What a permit really cost; false if it counts no more. */
    boolean settle(LocalPermit.Part part, long charged, long actual) {
        return change(part.generation(), (gate, now) -> {
            gate.settle(charged, actual, part.startedAt(), now);
            CustomLimit.Taken taken = part.taken();
            if (custom != null && taken != null) {
                custom.settle(taken, actual);
            }
        });
    }

    /** The start of a permit is over. */
    void end(LocalPermit.Part part, long held, ReleaseKind how) {
        change(part.generation(), (gate, now) -> {
            gate.release(part.id(), held, how);
            CustomLimit.Taken taken = part.taken();
            if (custom != null && taken != null) {
                custom.end(taken);
            }
        });
    }

    int jitter() {
        return (int) Math.floorMod(chance.next(), (long) BackOff.JITTER_FULL);
    }

    /** A permit of the cell counts as one of the first generation. */
    void giveBack(CellPermit permit) {
        change(0, (gate, now) -> gate.release(0, permit.cost(), permit.how()));
        ring();
    }

    boolean settleFromCell(long charged, long actual, long startedElapsed) {
        boolean isCounted = change(
                0,
                (gate, now) ->
                        gate.permits().settleStart(charged, actual, new Start(time.base() + startedElapsed, 0), now));
        ring();
        return isCounted;
    }

    boolean rejectFromCell(long startedElapsed, @Nullable Duration retryAfter) {
        int jitter = jitter();
        Long wait = Hold.waitMicros(retryAfter);
        Start start = new Start(time.base() + startedElapsed, 0);
        return change(0, (gate, now) -> gate.reject(start, wait, jitter, "rejected", now));
    }

    void ring() {
        bells.forEach(Runnable::run);
    }

    LocalLimiter.Subscription listen(Runnable listener) {
        // A wrapper of its own, so that the same listener may listen twice and leave once.
        Runnable bell = () -> listener.run();
        List<GuardedLimiter> heard = all();
        heard.forEach(each -> each.bells.add(bell));
        return () -> heard.forEach(each -> each.bells.remove(bell));
    }
}

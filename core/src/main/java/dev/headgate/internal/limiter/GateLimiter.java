package dev.headgate.internal.limiter;

import dev.headgate.internal.admission.GateLedger;
import dev.headgate.internal.limiter.PermitStore.Granted;
import dev.headgate.internal.limiter.PermitStore.Refused;
import dev.headgate.internal.limiter.PermitStore.Reply;
import dev.headgate.internal.time.Chance;
import dev.headgate.internal.time.Micros;
import dev.headgate.internal.time.Nanos;
import dev.headgate.internal.time.Ticker;
import dev.headgate.limit.BackOff;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.Margin;
import dev.headgate.limit.Spans;
import dev.headgate.limiter.Denied;
import dev.headgate.limiter.LocalLimiter;
import dev.headgate.limiter.StoredLimiter;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A limiter of gates of the store; see {@link StoredLimiter}. */
public final class GateLimiter implements StoredLimiter {
    /** How long a permit lives unless something else is said. */
    public static final Duration TIME_TO_LIVE = Duration.ofSeconds(30);

    private static final Duration TIME_TO_LIVE_MIN = Duration.ofMillis(100);
    private static final Duration TIME_TO_LIVE_MAX = Duration.ofDays(1);
    /** How often a permit that came too late is asked for again at once. */
    private static final int TRIES_MAX = 3;

    private static final long LOOK_MIN_NANOS = 5_000_000;
    private static final long LOOK_MAX_NANOS = 100_000_000;

    private final PermitStore store;
    private final List<GateKey> gates;
    private final Duration timeToLive;
    private final Chance chance;
    private final Ticker ticker;
    private final ReentrantLock turnstile = new ReentrantLock(true);
    private final Set<Thread> sleepers = ConcurrentHashMap.newKeySet();

    /**
     * Asks these gates for every permit, all or none.
     *
     * @param gates at least one; the first is the one that a rejection shuts
     */
    public GateLimiter(PermitStore store, List<GateKey> gates) {
        this(store, gates, TIME_TO_LIVE, Chance.SYSTEM);
    }

    /**
     * Takes from these gates together.
     *
     * @param gate the one that a rejection closes
     */
    public static GateLimiter of(PermitStore store, String gate, String... more) {
        return new GateLimiter(
                store,
                Stream.concat(Stream.of(gate), Arrays.stream(more))
                        .map(GateKey::gate)
                        .toList());
    }

    /** The same for queues and gates. */
    public static GateLimiter of(PermitStore store, GateKey first, GateKey... more) {
        return new GateLimiter(
                store, Stream.concat(Stream.of(first), Arrays.stream(more)).toList());
    }

    private GateLimiter(PermitStore store, List<GateKey> gates, Duration timeToLive, Chance chance) {
        gates.forEach(gate -> gate.requireCapacity("limiter"));
        if (gates.isEmpty()) {
            throw new IllegalArgumentException("limiter: expected at least one gate, got none");
        }
        this.store = store;
        this.gates = gates.stream().distinct().toList();
        this.timeToLive = timeToLive;
        this.chance = chance;
        this.ticker = store.ticker();
    }

    @Override
    public GateLimiter timeToLive(Duration time) {
        return new GateLimiter(store, gates, checkTimeToLive(time), chance);
    }

    /** Returns it, if a permit can live so long without being renewed. */
    public static Duration checkTimeToLive(Duration time) {
        if (time.compareTo(TIME_TO_LIVE_MIN) < 0 || time.compareTo(TIME_TO_LIVE_MAX) > 0) {
            throw new IllegalArgumentException("time to live: expected %s to %s, got %s"
                    .formatted(Spans.text(TIME_TO_LIVE_MIN), Spans.text(TIME_TO_LIVE_MAX), time));
        }
        return time;
    }

    @Override
    public Answer tryAcquire(long cost) {
        return ask(cost, ticker.nanos() + Nanos.FOR_EVER);
    }

    /** Asks again if the permit comes too late for its limits, a few times and until the deadline at the latest. */
    private Answer ask(long cost, long deadline) {
        LocalLimiter.checkCost(cost);
        for (int tries = 1; ; tries++) {
            // Below all numbers of jobs, and below the number that stands for an unknown job.
            long id = -2 - (chance.next() >>> 2);
            Reply asked = store.ask(gates, cost, id, timeToLive);
            if (asked instanceof Refused refused) {
                return denied(refused);
            }
            Granted granted = (Granted) asked;
            long nanos = ticker.nanos();
            if (!granted.isLate(nanos)) {
                return new StoredPermit(this, granted, granted.age(nanos));
            }
            store.giveUp(granted.parts(), granted.age(nanos));
            ring();
            if (tries == TRIES_MAX || ticker.nanos() - deadline >= 0) {
                return late(granted, granted.age(nanos), tries);
            }
        }
    }

    private static Denied late(Granted granted, Duration lag, int tries) {
        long allowance = Margin.startAllowance(granted.margin());
        return Denied.after(
                Micros.duration(allowance),
                "a permit came %s after its grant, its limits allow %s; asked for %d times (late)"
                        .formatted(Spans.text(lag), Spans.text(Micros.duration(allowance)), tries));
    }

    private static Denied denied(Refused refused) {
        if (refused.waitMicros() == GateLedger.NEVER) {
            return Denied.never(refused.reason());
        }
        return refused.waitMicros() == GateLedger.UNTIL_RELEASE
                ? Denied.untilRelease(refused.reason())
                : Denied.after(Micros.duration(Math.max(0, refused.waitMicros())), refused.reason());
    }

    @Override
    public Answer acquire(long cost, Duration timeout) throws InterruptedException {
        long deadline = ticker.nanos() + Nanos.of(timeout);
        if (!turnstile.tryLock(Math.max(0, Nanos.of(timeout)), TimeUnit.NANOSECONDS)) {
            return Denied.untilRelease("others waited before (line)");
        }
        Thread thread = Thread.currentThread();
        sleepers.add(thread);
        try {
            long look = LOOK_MIN_NANOS;
            Answer answer = ask(cost, deadline);
            while (true) {
                long left = deadline - ticker.nanos();
                if (!(answer instanceof Denied denied) || denied.isNever() || left <= 0) {
                    return answer;
                }
                Duration next = denied.next();
                long opens = next == null ? Nanos.FOR_EVER : Nanos.of(next);
                LockSupport.parkNanos(this, Math.min(left, Math.min(opens, look)));
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                Denied still =
                        left <= look || opens <= look ? null : check(cost).orElse(null);
                answer = still == null ? ask(cost, deadline) : still;
                look = Math.min(LOOK_MAX_NANOS, look * 2);
            }
        } finally {
            sleepers.remove(thread);
            turnstile.unlock();
        }
    }

    @Override
    public Optional<Denied> check(long cost) {
        LocalLimiter.checkCost(cost);
        Refused refused = store.check(gates, cost);
        return refused == null ? Optional.empty() : Optional.of(denied(refused));
    }

    @Override
    public List<Use> usage() {
        return store.usage(gates);
    }

    @Override
    public boolean hold(Duration span, String reason) {
        return LocalLimiter.holdMicros(span) > 0 && store.holds().hold(gates, span, reason);
    }

    @Override
    public boolean holdUntil(Instant until, String reason) {
        return store.holds().holdUntil(gates, until, reason);
    }

    @Override
    public boolean release() {
        boolean wasHeld = store.holds().release(gates);
        ring();
        return wasHeld;
    }

    /** For all users of these gates. Places that jobs hold stay taken. */
    @Override
    public void clear() {
        store.clear(gates);
        ring();
    }

    long nanos() {
        return ticker.nanos();
    }

    PermitStore store() {
        return store;
    }

    boolean renew(StoredPermit permit) {
        return store.renew(permit.parts(), timeToLive);
    }

    boolean reject(StoredPermit permit, @Nullable Duration retryAfter) {
        int jitter = (int) Math.floorMod(chance.next(), (long) BackOff.JITTER_FULL);
        return store.reject(permit.parts().getFirst(), retryAfter, jitter);
    }

    void ring() {
        sleepers.forEach(LockSupport::unpark);
    }
}

package dev.headgate.internal.limiter;

import dev.headgate.explain.Decision;
import dev.headgate.internal.admission.GateFigures;
import dev.headgate.internal.admission.GateLedger;
import dev.headgate.internal.admission.Permits;
import dev.headgate.internal.admission.ReleaseKind;
import dev.headgate.internal.admission.Start;
import dev.headgate.internal.admission.StartMargin;
import dev.headgate.internal.admission.Waiter;
import dev.headgate.internal.gate.LineHeads;
import dev.headgate.internal.gate.LockedGates;
import dev.headgate.internal.gate.NextWake;
import dev.headgate.internal.operate.HoldStore;
import dev.headgate.internal.policy.PolicyStore;
import dev.headgate.internal.time.Micros;
import dev.headgate.internal.time.Ticker;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.Hold;
import dev.headgate.limit.Margin;
import dev.headgate.limiter.Limiter;
import dev.headgate.spi.Backend;
import dev.headgate.spi.GateRow;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.Wake;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Every transition of permits: places at gates that are held without a job. Thread-safe.
 *
 * <p>A permit takes what is free now and not reserved: it has no place in the line of jobs, because it does not wait in
 * the store. A gate that opens by time alone holds no places, so nothing is reserved at it and nothing can leak.
 *
 * <p>A permit has the margin of its gates, like the start of a job. If it reaches its owner too late, it must be given
 * up; see {@link Granted#isLate}.
 */
public final class PermitStore {
    private static final Wake ANYTHING = new Wake.Anything();

    /** How old a reading of the store's clock may be for a grant that has a margin. */
    private static final long FRESH_NANOS = 1_000_000;

    private static final long NANOS_PER_MICRO = 1_000;

    private final Backend backend;
    private final PolicyStore policies;
    private final Ticker ticker;

    /** What a request for a permit returns. */
    public sealed interface Reply {}

    /**
     * What was granted, gate by gate.
     *
     * @param margin the most microseconds until its call; 0 if there is no bound
     * @param askedNanos the reading of the ticker before the store was asked for the time of the grant
     */
    public record Granted(List<Part> parts, long margin, long askedNanos) implements Reply {
        /** The greatest possible time since the grant. */
        public Duration age(long nanos) {
            return Duration.ofNanos(Math.max(0, nanos - askedNanos));
        }

        /** Whether it came too late for its limits: it must be given up. */
        public boolean isLate(long nanos) {
            return margin > 0 && nanos - askedNanos > Margin.startAllowance(margin) * NANOS_PER_MICRO;
        }

        /** Whether its limits count it by now whenever its call was made: its end changes nothing. */
        public boolean isMarginOver(long nanos) {
            return nanos - askedNanos >= margin * NANOS_PER_MICRO;
        }
    }

    /**
     * Nothing was taken.
     *
     * @param waitMicros until time opens the gates, {@link GateLedger#UNTIL_RELEASE} or {@link GateLedger#NEVER}
     */
    public record Refused(long waitMicros, String reason) implements Reply {}

    /**
     * What a permit has of one gate.
     *
     * @param units what it counts now, as settled
     * @param charged what it counted when it was granted
     * @param isHolding whether it holds a place, which ends with it
     */
    public record Part(GateKey gate, long id, long units, long charged, boolean isHolding, Start start) {
        /** The part after it was settled. */
        public Part settled(long actual) {
            return new Part(gate, id, actual, charged, isHolding, start);
        }
    }

    public PermitStore(Backend backend) {
        this(backend, Ticker.SYSTEM);
    }

    Backend backend() {
        return backend;
    }

    public PermitStore(Backend backend, Ticker ticker) {
        this.backend = backend;
        this.policies = new PolicyStore(backend);
        this.ticker = ticker;
    }

    /** Measures the age of a grant. */
    public Ticker ticker() {
        return ticker;
    }

    /** Takes from all gates or from none. */
    public Reply ask(List<GateKey> gates, long cost, long id, Duration timeToLive) {
        return decide(gates, (tx, ledgers, now, askedNanos) -> {
            Refused refused = refused(ledgers.byKey(), cost, now);
            return refused != null
                    ? refused
                    : grant(ledgers, gates, cost, id, now + Micros.of(timeToLive), now, askedNanos);
        });
    }

    /** Takes from all gates what none of them refuses. */
    static Granted grant(
            LockedGates ledgers, List<GateKey> gates, long cost, long id, long until, long now, long askedNanos) {
        long margin = margin(ledgers, cost, now);
        List<Part> parts = new ArrayList<>();
        for (GateKey key : gates) {
            GateLedger gate = gate(ledgers, key);
            boolean isHolding = gate.permits().areNeeded();
            if (isHolding) {
                gate.permits().grant(id, cost, until, margin, now);
            } else {
                gate.permits().start(cost, margin, now);
            }
            parts.add(new Part(key, id, cost, cost, isHolding, new Start(gate.clock(now), margin)));
        }
        return new Granted(parts, margin, askedNanos);
    }

    /** A start has one deadline, however many gates it passes. */
    private static long margin(LockedGates ledgers, long cost, long now) {
        StartMargin deadline = new StartMargin();
        for (GateLedger gate : ledgers.byKey().values()) {
            deadline.pass(gate, cost, now);
        }
        return deadline.micros();
    }

    /** Undoes a permit that came too late to be used. */
    public void giveUp(List<Part> parts, Duration lag) {
        each(parts, (ledgers, gate, part, now) -> giveUp(ledgers, gate, part, lag, now));
    }

    static boolean giveUp(LockedGates ledgers, GateLedger gate, Part part, Duration lag, long now) {
        gate.lagged(Micros.of(lag), true);
        if (!part.isHolding) {
            gate.permits().giveUpStart(part.units, part.start, now);
        } else if (!gate.permits().giveUp(part.id, part.start, now)) {
            return false;
        }
        ledgers.late(gate, part.units, part.start, now);
        return true;
    }

    /** Why {@link #ask} would be refused now; absent if it would not. */
    public @Nullable Refused check(List<GateKey> gates, long cost) {
        return backend.read(tx -> {
            long now = tx.now();
            return refused(ledgers(tx, gates, now), cost, now);
        });
    }

    /** What is used of each limit of these gates, in their order. */
    public List<Limiter.Use> usage(List<GateKey> gates) {
        return backend.read(tx -> {
            long now = tx.now();
            Map<GateKey, GateLedger> ledgers = ledgers(tx, gates, now);
            return gates.stream()
                    .map(key -> Objects.requireNonNull(ledgers.get(key), "one of each"))
                    .flatMap(gate -> usage(gate, now))
                    .toList();
        });
    }

    private static Stream<Limiter.Use> usage(GateLedger gate, long now) {
        GateFigures figures = gate.figures(now);
        return gate.policy().limits().stream()
                .map(limit -> new Limiter.Use(limit, figures.used(limit), figures.most(limit)));
    }

    private static Map<GateKey, GateLedger> ledgers(StoreTransaction tx, List<GateKey> gates, long now) {
        Map<GateKey, GateLedger> ledgers = new TreeMap<>();
        gates.forEach(key -> ledgers.put(key, ledger(tx, GateRow.fresh(key), now)));
        tx.gates().findAll(gates).forEach(row -> ledgers.put(row.key(), ledger(tx, row, now)));
        return ledgers;
    }

    private static GateLedger ledger(StoreTransaction tx, GateRow row, long now) {
        return row.ledger(tx.policies(), now);
    }

    /** Of all refusals the one that lasts longest. */
    static @Nullable Refused refused(Map<GateKey, GateLedger> ledgers, long cost, long now) {
        Refused longest = null;
        for (GateLedger gate : ledgers.values()) {
            Refused refused = refused(gate, cost, now);
            if (refused != null && (longest == null || refused.waitMicros > longest.waitMicros)) {
                longest = refused;
            }
        }
        return longest;
    }

    private static @Nullable Refused refused(GateLedger gate, long cost, long now) {
        if (gate.permits().count() >= Permits.MAX) {
            String reason = "%s: %d permits of limiters are out, which is the most".formatted(gate.key(), Permits.MAX);
            return new Refused(GateLedger.UNTIL_RELEASE, reason);
        }
        return switch (gate.checkLimits(new Waiter("", Long.MAX_VALUE, cost), now)) {
            case Decision.Admitted admitted -> null;
            case Decision.NeverFits never -> new Refused(GateLedger.NEVER, never.toString());
            case Decision.Blocked blocked -> {
                Instant next = blocked.next();
                yield new Refused(
                        next == null ? GateLedger.UNTIL_RELEASE : Math.max(1, Micros.of(next) - now),
                        "%s: %s".formatted(blocked.gate(), blocked.cause().text()));
            }
        };
    }

    /** The same as {@link #giveBack(List, ReleaseKind, Duration)} for a permit of which no more is known. */
    public void giveBack(List<Part> parts, ReleaseKind how) {
        giveBack(parts, how, null);
    }

    /**
     * The calls of these have been made: they count from now if their margin is not over, and give their places back.
     * What was given back before, or has ended, stays as it is. A part without place and margin need not be given back.
     *
     * @param lag the time from the grant until its owner had it; absent if that is not known
     */
    public void giveBack(List<Part> parts, ReleaseKind how, @Nullable Duration lag) {
        List<Part> told = parts.stream()
                .filter(part -> part.isHolding || part.start.margin() > 0)
                .toList();
        if (!told.isEmpty()) {
            each(told, (ledgers, gate, part, now) -> giveBack(ledgers, gate, part, how, lag, now));
        }
    }

    static boolean giveBack(
            LockedGates ledgers, GateLedger gate, Part part, ReleaseKind how, @Nullable Duration lag, long now) {
        if (lag != null) {
            gate.lagged(Micros.of(lag), false);
        }
        if (!part.isHolding) {
            gate.permits().end(part.units, part.start, now);
        } else if (!gate.permits().giveBack(part.id, how, part.start, now)) {
            return false;
        }
        // What it was settled to need beyond its charge counts since then.
        ledgers.ended(gate, Math.min(part.charged, part.units), how, part.start, now);
        return true;
    }

    /** Sets what was really needed; false if no part counts any more. */
    public boolean settle(List<Part> parts, long actual) {
        return this.<Boolean>change(keys(parts), (ledgers, now) -> settle(ledgers, parts, actual, now));
    }

    static boolean settle(LockedGates ledgers, List<Part> parts, long actual, long now) {
        boolean isAny = false;
        for (Part part : parts) {
            GateLedger gate = gate(ledgers, part.gate);
            if (settle(gate, part, actual, now)) {
                ledgers.settled(gate, actual - part.units, part.start, now);
                isAny = true;
            }
        }
        return isAny;
    }

    private static boolean settle(GateLedger gate, Part part, long actual, long now) {
        if (part.isHolding) {
            return gate.permits().settle(part.id, actual, part.start, now);
        }
        gate.permits().settleStart(part.units, actual, part.start, now);
        return true;
    }

    /** What the gate stands for has pushed back; false if the permit no longer counts. */
    public boolean reject(Part part, @Nullable Duration retryAfter, int jitter) {
        Long wait = Hold.waitMicros(retryAfter);
        holds().countAfterPushBack(part.gate, wait);
        return each(List.of(part), (ledgers, gate, its, now) -> reject(gate, its, wait, jitter, now));
    }

    static boolean reject(GateLedger gate, Part part, @Nullable Long wait, int jitter, long now) {
        boolean isOut = !part.isHolding || gate.permits().isOut(part.id);
        if (isOut) {
            gate.reject(part.start, wait, jitter, "rejected", now);
        }
        return isOut;
    }

    /** Holds all places longer; false if one of them has ended. */
    public boolean renew(List<Part> parts, Duration timeToLive) {
        List<Part> holding = parts.stream().filter(Part::isHolding).toList();
        return holding.isEmpty()
                || change(keys(holding), (ledgers, now) -> renew(ledgers, holding, now + Micros.of(timeToLive)));
    }

    static boolean renew(LockedGates ledgers, List<Part> holding, long until) {
        boolean areAllOut = true;
        for (Part part : holding) {
            areAllOut &= gate(ledgers, part.gate).permits().renew(part.id, until);
        }
        return areAllOut;
    }

    /** Closes and opens the gates and queues of this store. */
    public HoldStore holds() {
        return new HoldStore(backend, policies);
    }

    /** Resets the gates and voids all permits. What jobs hold stays in use. */
    public void clear(List<GateKey> gates) {
        change(gates, (ledgers, now) -> {
            ledgers.byKey().values().forEach(gate -> {
                ledgers.clear(gate, now);
                gate.permits().revoke();
            });
            return true;
        });
    }

    private interface PartChange {
        boolean on(LockedGates ledgers, GateLedger gate, Part part, long now);
    }

    private boolean each(List<Part> parts, PartChange change) {
        return this.<Boolean>change(keys(parts), (ledgers, now) -> {
            boolean isAny = false;
            for (Part part : parts) {
                isAny |= change.on(ledgers, gate(ledgers, part.gate), part, now);
            }
            return isAny;
        });
    }

    static GateLedger gate(LockedGates ledgers, GateKey key) {
        return Objects.requireNonNull(ledgers.byKey().get(key), "asked for locked gates only");
    }

    static List<GateKey> keys(List<Part> parts) {
        return parts.stream().map(Part::gate).toList();
    }

    private <T> T change(List<GateKey> gates, BiFunction<LockedGates, Long, T> work) {
        return decide(gates, (tx, ledgers, now, askedNanos) -> work.apply(ledgers, now));
    }

    /** What is done while gates are locked. */
    interface Decide<T> {
        T on(StoreTransaction tx, LockedGates ledgers, long now, long askedNanos);
    }

    /** One transaction over locked gates. Wakes jobs that wait in line at one of them if it has moved. */
    <T> T decide(List<GateKey> gates, Decide<T> work) {
        Set<Wake> moved = new HashSet<>(); // of the last try: a transition may run again
        T answer = policies.decide(tx -> {
            long asked = ticker.nanos(); // the time may come along with the policies or the locks
            LockedGates ledgers = new LockedGates(tx);
            ledgers.lockAll(gates, tx.now());
            long read = tx.now();
            boolean isFresh = ticker.nanos() - asked <= FRESH_NANOS
                    || ledgers.byKey().values().stream().allMatch(gate -> gate.margin() == 0);
            long askedNanos = isFresh ? asked : ticker.nanos();
            long now = isFresh ? read : tx.now();
            ledgers.byKey().values().forEach(gate -> gate.permits().expire(now));
            T decided = work.on(tx, ledgers, now, askedNanos);
            moved.clear();
            if (ledgers.byKey().values().stream().anyMatch(GateLedger::isTouched)) {
                LineHeads.refresh(ledgers);
                ledgers.save(now);
                ledgers.byKey().values().forEach(gate -> movedBy(gate, now).ifPresent(moved::add));
            }
            return decided;
        });
        if (!moved.isEmpty()) {
            backend.publish(moved);
        }
        return answer;
    }

    /** A queue has no line: its workers are woken if it is open and nothing was taken. */
    private static Optional<Wake> movedBy(GateLedger gate, long now) {
        if (gate.key().scope() == GateKey.Scope.GATE) {
            return gate.line().head() == null ? Optional.empty() : Optional.of(ANYTHING);
        }
        boolean isOpen = gate.starts() == 0 && gate.next(NextWake.ANY_JOB, now) == GateLedger.AT_ONCE;
        return isOpen ? Optional.of(new Wake.Queue(gate.key().name())) : Optional.empty();
    }
}

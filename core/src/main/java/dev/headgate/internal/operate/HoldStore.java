package dev.headgate.internal.operate;

import dev.headgate.internal.lease.LeaseRelease;
import dev.headgate.internal.policy.PolicyStore;
import dev.headgate.internal.time.Micros;
import dev.headgate.job.JobFilter;
import dev.headgate.job.Lane;
import dev.headgate.job.Outcome;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.Hold;
import dev.headgate.spi.Backend;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.Wake;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Every transition that shuts a gate or a queue for a time, or opens it again. Thread-safe.
 *
 * <p>Design note. A queue without limits has no row that turns look at, so a hold alone would not be seen. Such a queue is counted
 * from before its hold until after it: an override that limits nothing says so to every process, also to older programs, and ends
 * by itself.
 */
public final class HoldStore {
    /** Turns must still look at a queue when its hold ends by a clock that was read a moment later. */
    private static final long AFTER_HOLD_MICROS = Micros.of(Duration.ofMinutes(1));

    /** A probe follows, and may be rejected again. */
    private static final long AFTER_PUSH_BACK_MICROS = Micros.of(Duration.ofHours(1));

    /** Among so many of the newest jobs is looked for one of a queue that nothing else names. */
    private static final int LOOK_MAX = 1_000;

    private final Backend backend;
    private final PolicyStore policies;

    public HoldStore(Backend backend, PolicyStore policies) {
        this.backend = backend;
        this.policies = policies;
    }

    /**
     * What became of a push-back.
     *
     * @param at the gate or queue that is shut now; absent if nothing has that name
     * @param span how long it is shut; zero if nothing is
     * @param isGone the lease is gone, so nothing was shut
     */
    public record PushedBack(@Nullable GateKey at, Duration span, boolean isGone) {
        static final PushedBack UNKNOWN = new PushedBack(null, Duration.ZERO, false);
        static final PushedBack GONE = new PushedBack(null, Duration.ZERO, true);

        public boolean isHeld() {
            return at != null;
        }
    }

    /** The gate of this name if there is one, else the queue; a gate if neither is known. */
    public GateKey named(String name) {
        GateKey known = backend.<@Nullable GateKey>read(tx -> known(tx, name));
        return known == null ? GateKey.gate(name) : known;
    }

    /**
     * Shuts a gate or queue because what lies behind it pushed back a running job. The job may name it or not: of a name that is
     * both, its own gate comes first, then its own queue, then any gate, then any queue.
     */
    public PushedBack pushBack(JobRow lease, Outcome.PushedBack pushed) {
        Lane lane = lease.spec().lane();
        GateKey own = LeaseRelease.shutBy(lane, pushed);
        GateKey at = own == null ? backend.<@Nullable GateKey>read(tx -> known(tx, pushed.gate())) : own;
        if (at == null) {
            return PushedBack.UNKNOWN;
        }
        Long wait = Hold.waitMicros(pushed.retryAfter());
        countAfterPushBack(at, wait);
        Duration shut = policies.<@Nullable Duration>decide(tx -> Holds.pushBack(tx, at, lease, pushed));
        if (shut == null) {
            return PushedBack.GONE;
        }
        backend.publish(Set.of(new Wake.Anything()));
        return new PushedBack(at, shut, false);
    }

    /** Shuts a gate or queue because what lies behind it pushed back, as an operator says; returns for how long it is shut. */
    public Duration pushBack(GateKey key, @Nullable Duration retryAfter, int jitter, String reason) {
        single("push back", key);
        Long wait = Hold.waitMicros(retryAfter);
        countAfterPushBack(key, wait);
        Duration shut = policies.decide(tx -> Holds.pushBack(tx, key, wait, jitter, reason));
        backend.publish(Set.of(new Wake.Anything()));
        return shut;
    }

    /** Shuts a gate or queue for this long; false if it is shut for longer already, or the span is zero or less. */
    public boolean hold(GateKey key, Duration span, String reason) {
        return hold(List.of(key), span, reason);
    }

    /** The same for several in one transaction; false if it changes none of them. */
    public boolean hold(List<GateKey> keys, Duration span, String reason) {
        keys.forEach(key -> single("hold", key));
        if (span.isNegative() || span.isZero()) {
            return false;
        }
        keys.forEach(key -> countQueue(key, Micros.of(span) + AFTER_HOLD_MICROS));
        return policies.decide(tx -> Holds.hold(tx, keys, now -> now + Micros.of(span), reason));
    }

    /**
     * The same until an instant of store time; false also if that is past.
     *
     * @throws IllegalArgumentException if it is too far away
     */
    public boolean holdUntil(GateKey key, Instant until, String reason) {
        return holdUntil(List.of(key), until, reason);
    }

    /** The same for several in one transaction; false if it changes none of them. */
    public boolean holdUntil(List<GateKey> keys, Instant until, String reason) {
        keys.forEach(key -> single("hold", key));
        Instant now = now();
        if (!until.isAfter(now)) {
            return false;
        }
        if (until.isAfter(now.plus(Hold.SPAN_MAX))) {
            throw new IllegalArgumentException(
                    "hold of %s: expected an end at most %d days away, got %s; the store's time is %s"
                            .formatted(keys.size() == 1 ? keys.getFirst() : keys, Hold.SPAN_MAX.toDays(), until, now));
        }
        long end = Micros.of(until);
        keys.forEach(key -> countQueue(key, end - Micros.of(now) + AFTER_HOLD_MICROS));
        return policies.decide(tx -> Holds.hold(tx, keys, at -> end, reason));
    }

    /** The store's time. */
    public Instant now() {
        return Micros.instant(backend.read(StoreTransaction::now));
    }

    /** Ends a hold, its back-off and its probe; what was spent stays spent. False if it was not held. */
    public boolean release(GateKey key) {
        return release(List.of(key));
    }

    /** The same for several in one transaction; false if none was held. */
    public boolean release(List<GateKey> keys) {
        keys.forEach(key -> single("release", key));
        boolean wasHeld = policies.decide(tx -> Holds.release(tx, keys));
        backend.publish(Set.of(new Wake.Anything()));
        return wasHeld;
    }

    /**
     * Opens a gate or queue as if it were new: no hold, nothing spent. What is in use stays in use. False if the store remembers
     * nothing of it; then nothing is written.
     */
    public boolean clear(GateKey key) {
        single("clear", key);
        boolean isCleared = policies.decide(tx -> Holds.clear(tx, key));
        if (isCleared) {
            backend.publish(Set.of(new Wake.Anything()));
        }
        return isCleared;
    }

    /** A pattern stands for gates that may not be there yet, so it has no state to shut or open. */
    private static void single(String act, GateKey key) {
        key.requireCapacity(act);
        if (key.isPattern()) {
            throw new IllegalArgumentException(
                    "%s: expected the name of one %s, got the pattern '%s'; name each of its %ss, or pause all of them: headgate pause %s '%s'"
                            .formatted(
                                    act,
                                    key.scope().text(),
                                    key.name(),
                                    key.scope().text(),
                                    key.scope().text(),
                                    key.name()));
        }
    }

    /** To be called before a gate or queue is shut by what lies behind it. */
    public void countAfterPushBack(GateKey key, @Nullable Long waitMicros) {
        countQueue(key, (waitMicros == null ? 0 : waitMicros) + AFTER_PUSH_BACK_MICROS);
    }

    private void countQueue(GateKey key, long span) {
        if (key.scope() == GateKey.Scope.QUEUE) {
            policies.count(key, span);
        }
    }

    private static @Nullable GateKey known(StoreTransaction tx, String name) {
        GateKey gate = GateKey.gate(name);
        GateKey queue = GateKey.queue(name);
        if (gate.isPattern()) {
            return null;
        }
        List<GateKey> rows = tx.gates().findAll(List.of(queue, gate)).stream()
                .map(row -> row.key())
                .toList();
        if (rows.contains(gate) || tx.policies().isNamed(gate)) {
            return gate;
        }
        boolean isQueue = rows.contains(queue)
                || tx.policies().isNamed(queue)
                || tx.workers().list().stream()
                        .anyMatch(worker -> worker.queues().contains(name))
                || !tx.jobs()
                        .ids()
                        .list(JobFilter.all().queue(name).limit(1), LOOK_MAX)
                        .isEmpty();
        return isQueue ? queue : null;
    }
}

package dev.headgate.internal.operate;

import dev.headgate.internal.admission.GateLedger;
import dev.headgate.internal.admission.PushBack;
import dev.headgate.internal.admission.Start;
import dev.headgate.internal.gate.LineHeads;
import dev.headgate.internal.gate.LockedGates;
import dev.headgate.internal.time.Micros;
import dev.headgate.job.Outcome;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.Hold;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.JobTable.LeaseRef;
import dev.headgate.spi.StoreTransaction;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Shuts and opens single gates and queues. */
public final class Holds {
    private interface Change<T extends @Nullable Object> {
        T on(LockedGates ledgers, GateLedger gate, long now);
    }

    private Holds() {}

    /** In the name of a running job, and only while it holds its lease. Returns for how long it is shut; absent if the lease is gone. */
    static @Nullable Duration pushBack(StoreTransaction tx, GateKey key, JobRow lease, Outcome.PushedBack pushed) {
        LeaseRef ref = new LeaseRef(lease.id(), lease.lease().epoch());
        String worker = Objects.requireNonNull(lease.lease().worker(), "a leased job has a worker");
        Long wait = Hold.waitMicros(pushed.retryAfter());
        long startedAt = Objects.requireNonNull(lease.lease().startedAt(), "a leased job has started");
        Start start = new Start(startedAt, lease.lease().margin());
        return Holds.<@Nullable Duration>change(tx, key, (ledgers, gate, now) -> {
            if (tx.jobs().held(worker, List.of(ref)).isEmpty()) {
                return null;
            }
            gate.reject(start, wait, pushed.jitter(), pushed.reason(), now);
            return Micros.duration(Math.max(0, gate.heldUntil() - now));
        });
    }

    /** In the name of an operator. Returns for how long it is shut. */
    static Duration pushBack(StoreTransaction tx, GateKey key, @Nullable Long wait, int jitter, String reason) {
        return Holds.<Duration>change(tx, key, (ledgers, gate, now) -> {
            PushBack.tell(gate, wait, jitter, reason, now);
            return Micros.duration(Math.max(0, gate.heldUntil() - now));
        });
    }

    static boolean hold(StoreTransaction tx, List<GateKey> keys, LongUnaryOperator until, String reason) {
        return changeAny(tx, keys, (ledgers, gate, now) -> gate.hold(until.applyAsLong(now), false, reason, now));
    }

    static boolean release(StoreTransaction tx, List<GateKey> keys) {
        List<GateKey> known = keys.stream().filter(key -> isRemembered(tx, key)).toList();
        return !known.isEmpty() && changeAny(tx, known, (ledgers, gate, now) -> gate.lift(now));
    }

    static boolean clear(StoreTransaction tx, GateKey key) {
        return isRemembered(tx, key)
                && Holds.<Boolean>change(tx, key, (ledgers, gate, now) -> {
                    ledgers.clear(gate, now);
                    return true;
                });
    }

    /** Locking a gate creates its row, and a mistyped name that has a row looks like a gate from then on. */
    private static boolean isRemembered(StoreTransaction tx, GateKey key) {
        return !tx.gates().findAll(List.of(key)).isEmpty();
    }

    private static boolean changeAny(StoreTransaction tx, List<GateKey> keys, Change<Boolean> change) {
        return Holds.<Boolean>changeAll(tx, keys, (ledgers, now) -> {
            boolean isAny = false;
            for (GateKey key : keys) {
                isAny |= change.on(
                        ledgers, Objects.requireNonNull(ledgers.byKey().get(key)), now);
            }
            return isAny;
        });
    }

    private static <T extends @Nullable Object> T change(StoreTransaction tx, GateKey key, Change<T> change) {
        return Holds.<T>changeAll(
                tx,
                List.of(key),
                (ledgers, now) -> change.on(
                        ledgers, Objects.requireNonNull(ledgers.byKey().get(key)), now));
    }

    private static <T extends @Nullable Object> T changeAll(
            StoreTransaction tx, List<GateKey> keys, BiFunction<LockedGates, Long, T> change) {
        LockedGates ledgers = new LockedGates(tx);
        ledgers.lockAll(keys, tx.now());
        long now = tx.now();
        T answer = change.apply(ledgers, now);
        LineHeads.refresh(ledgers);
        ledgers.save(now);
        return answer;
    }
}

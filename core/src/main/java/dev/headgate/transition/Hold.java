package dev.headgate.transition;

import dev.headgate.admission.GateKey;
import dev.headgate.admission.GateLedger;
import dev.headgate.admission.Micros;
import dev.headgate.admission.Start;
import dev.headgate.job.Outcome;
import dev.headgate.store.JobRow;
import dev.headgate.store.JobTable.LeaseRef;
import dev.headgate.store.StoreTransaction;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** Shuts and opens single gates. */
final class Hold {
    private interface Change {
        boolean on(Ledgers ledgers, GateLedger gate, long now);
    }

    private Hold() {}

    /** In the name of a running job, and only while it holds its lease. */
    static boolean pushBack(StoreTransaction tx, JobRow lease, Outcome.PushedBack pushed) {
        LeaseRef ref = new LeaseRef(lease.id(), lease.epoch());
        String worker = Objects.requireNonNull(lease.worker(), "a leased job has a worker");
        Long wait = pushed.retryAfter() == null ? null : Long.valueOf(Micros.of(pushed.retryAfter()));
        long startedAt = Objects.requireNonNull(lease.startedAt(), "a leased job has started");
        Start start = new Start(startedAt, lease.margin());
        return change(tx, GateKey.gate(pushed.gate()), (ledgers, gate, now) -> {
            boolean isHeld = !tx.jobs().held(worker, List.of(ref)).isEmpty();
            if (isHeld) {
                gate.reject(start, wait, pushed.jitter(), pushed.reason(), now);
            }
            return isHeld;
        });
    }

    static boolean hold(StoreTransaction tx, GateKey key, Duration span, String reason) {
        return change(tx, key, (ledgers, gate, now) -> gate.hold(now + Micros.of(span), false, reason, now));
    }

    static void clear(StoreTransaction tx, GateKey key) {
        change(tx, key, (ledgers, gate, now) -> {
            ledgers.clear(gate, now);
            return true;
        });
    }

    private static boolean change(StoreTransaction tx, GateKey key, Change change) {
        Ledgers ledgers = new Ledgers(tx);
        long early = tx.now();
        if (key.scope() == GateKey.Scope.QUEUE) {
            ledgers.lockQueue(key, early);
        } else {
            ledgers.lockGates(List.of(key), early);
        }
        long now = tx.now();
        boolean isChanged =
                change.on(ledgers, Objects.requireNonNull(ledgers.byKey().get(key)), now);
        Lines.refresh(ledgers);
        ledgers.save(now);
        return isChanged;
    }
}

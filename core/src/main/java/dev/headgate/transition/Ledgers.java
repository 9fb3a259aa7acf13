package dev.headgate.transition;

import dev.headgate.admission.GateKey;
import dev.headgate.admission.GateLedger;
import dev.headgate.admission.GateLedger.Waiter;
import dev.headgate.admission.Micros;
import dev.headgate.admission.PolicyBook;
import dev.headgate.job.Lane;
import dev.headgate.store.GateRow;
import dev.headgate.store.StoreTransaction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The gates a transition has locked, with their working copies. Writes each changed gate once, at the end. */
final class Ledgers {
    /** How long a place is kept for a lane that was woken for a worker elsewhere. */
    private static final long HANDOVER_MICROS = Micros.PER_SECOND / 4;

    private final StoreTransaction tx;
    private final PolicyBook book;
    private final Map<GateKey, GateLedger> byKey = new HashMap<>();
    private final Map<GateKey, GateRow> stored = new HashMap<>();
    private final Map<GateKey, List<Waiter>> awaited = new HashMap<>();

    Ledgers(StoreTransaction tx) {
        this.tx = tx;
        this.book = tx.policies();
    }

    /** Locks the gates of those queues that have limits or get some back; any other queue has no row and is never waited for. */
    void lockQueues(Collection<String> queues, long now) {
        TreeSet<GateKey> keys = new TreeSet<>();
        for (String queue : queues) {
            GateKey key = GateKey.queue(queue);
            if (book.isCounted(key)) {
                keys.add(key);
            }
        }
        lock(keys, now);
    }

    void lockGates(Collection<GateKey> gates, long now) {
        lock(new TreeSet<>(gates), now);
    }

    private void lock(SortedSet<GateKey> keys, long now) {
        if (keys.isEmpty()) {
            return;
        }
        for (GateRow row : tx.gates().lock(keys)) {
            stored.put(row.key(), row);
            byKey.put(row.key(), row.ledger(book.policyFor(row.key()), now));
        }
    }

    Map<GateKey, GateLedger> byKey() {
        return byKey;
    }

    @Nullable
    GateLedger queue(String queue) {
        return byKey.get(GateKey.queue(queue));
    }

    boolean hasAll(Collection<GateKey> keys) {
        return byKey.keySet().containsAll(keys);
    }

    /** Gives back what one ended lease held, at its queue and at each of its gates. */
    void release(Lane lane, long cost) {
        GateLedger queue = queue(lane.queue());
        if (queue != null) {
            queue.release(cost);
        }
        for (String gate : lane.gates()) {
            Objects.requireNonNull(byKey.get(GateKey.gate(gate)), "released gates are locked")
                    .release(cost);
        }
    }

    /** A woken lane that nobody has started yet counts as if it had, or the gate would wake its whole line. */
    void expect(GateKey gate, Waiter woken) {
        awaited.computeIfAbsent(gate, key -> new ArrayList<>()).add(woken);
    }

    /** Writes every gate that changed, with the instant at which time will move its line. */
    void save(long now) {
        if (book.endsBy(now)) {
            throw new OverrideEndedException();
        }
        List<GateRow> changed = new ArrayList<>();
        byKey.forEach((key, ledger) -> {
            Long wakeAt = wakeAt(ledger, now);
            GateRow before = Objects.requireNonNull(stored.get(key));
            if (ledger.isTouched() || !Objects.equals(before.wakeAt(), wakeAt)) {
                changed.add(GateRow.of(ledger, wakeAt));
            }
        });
        if (!changed.isEmpty()) {
            changed.sort(Comparator.comparing(GateRow::key));
            tx.gates().save(changed);
        }
    }

    private @Nullable Long wakeAt(GateLedger ledger, long now) {
        List<Waiter> woken = awaited.get(ledger.key());
        if (woken == null || ledger.lineHead() == null) {
            return ledger.wakeAt(now);
        }
        GateLedger trial = ledger.trial();
        woken.forEach(lane -> trial.take(lane, now));
        Long opens = trial.wakeAt(now);
        // Those who were woken may have no worker, or none with a free slot: then the place goes to the next in line.
        return opens == null ? now + HANDOVER_MICROS : Math.min(opens, now + HANDOVER_MICROS);
    }
}

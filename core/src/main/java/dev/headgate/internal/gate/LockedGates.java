package dev.headgate.internal.gate;

import dev.headgate.internal.admission.GateLedger;
import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.admission.ReleaseKind;
import dev.headgate.internal.admission.Shares;
import dev.headgate.internal.admission.Start;
import dev.headgate.internal.admission.Waiter;
import dev.headgate.internal.lane.LockedShares;
import dev.headgate.internal.lease.LeaseRelease;
import dev.headgate.internal.time.Micros;
import dev.headgate.job.Cost;
import dev.headgate.job.Lane;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.Backend;
import dev.headgate.spi.GateRow;
import dev.headgate.spi.JournalChain;
import dev.headgate.spi.JournalTable.Entry;
import dev.headgate.spi.LaneRow;
import dev.headgate.spi.Pending;
import dev.headgate.spi.ReleasedRow;
import dev.headgate.spi.StoreTransaction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The gates that a transition has locked, each with its working copy. Writes each changed gate once, at the end. */
public final class LockedGates {
    /** How long a place is reserved for a lane that was woken for another worker. */
    private static final long HANDOVER_MICROS = Micros.PER_SECOND / 4;

    /** When to look again at a line whose first lane is locked by another transaction. */
    private static final long LOOK_AGAIN_MICROS = Micros.PER_SECOND / 100;

    private static final Pending<List<GateRow>> NOTHING_ASKED = Pending.of(List.of());

    private final StoreTransaction tx;
    private final PolicyBook book;
    private final Map<GateKey, GateLedger> byKey = new HashMap<>();
    private final LockedShares sharing;
    private final Map<GateKey, GateRow> stored = new HashMap<>();
    private final Map<GateKey, List<Waiter>> awaited = new HashMap<>();
    private final Set<GateKey> missed = new HashSet<>();
    private final JournalWriter evidence;
    private Pending<List<GateRow>> asked = NOTHING_ASKED;
    private @Nullable Long firstMoved;
    private @Nullable Long firstKept;

    public LockedGates(StoreTransaction tx) {
        this.tx = tx;
        this.book = tx.policies();
        this.evidence = new JournalWriter(book.version());
        this.sharing = new LockedShares(tx, book, byKey);
    }

    /**
     * Runs a transition that writes gates; once more if an override ended between its look at the policies and its decision. Each
     * transition that calls {@link #save} runs in here.
     */
    public static <T extends @Nullable Object> T decide(Backend backend, Function<StoreTransaction, T> work) {
        while (true) {
            try {
                return backend.write(work);
            } catch (OverrideEndedException again) {
                // The next look is later than that end, so this ends with the last override.
            }
        }
    }

    /**
     * Locks the gates of those queues that have limits. Other queues have no row and are never waited for. Returns a time after
     * the locks.
     */
    public long lockQueues(Collection<String> queues) {
        askQueues(queues);
        return holdQueues();
    }

    /** Asks for the same locks. What is asked for next is read under them, and may come in the same trip. */
    public void askQueues(Collection<String> queues) {
        TreeSet<GateKey> keys = new TreeSet<>();
        for (String queue : queues) {
            GateKey key = GateKey.queue(queue);
            if (book.isCounted(key)) {
                keys.add(key);
            }
        }
        asked = keys.isEmpty() ? NOTHING_ASKED : tx.gates().lock(keys);
    }

    /** Takes up the gates that were asked for. Returns a time after the locks. */
    public long holdQueues() {
        long now = tx.now();
        asked.get().forEach(row -> hold(row, now));
        asked = NOTHING_ASKED;
        return now;
    }

    /** Locks gates and queues, queues first, whether or not they have limits. */
    public void lockAll(Collection<GateKey> keys, long now) {
        TreeSet<GateKey> queues = new TreeSet<>(keys);
        queues.removeIf(key -> key.scope() != GateKey.Scope.QUEUE);
        TreeSet<GateKey> gates = new TreeSet<>(keys);
        gates.removeAll(queues);
        lock(queues, now);
        lock(gates, now);
    }

    /** Returns whether there was any to lock. */
    public boolean lockGates(Collection<GateKey> gates, long now) {
        if (gates.isEmpty()) {
            return false;
        }
        lock(new TreeSet<>(gates), now);
        return true;
    }

    /** Waits for these gates, and locks the others if no other transaction has. Returns whether there was any. */
    public boolean lockGates(Collection<GateKey> gates, Collection<GateKey> ifFree, long now) {
        TreeSet<GateKey> others = new TreeSet<>(ifFree);
        others.removeAll(gates);
        if (others.isEmpty()) {
            return lockGates(gates, now);
        }
        tx.gates().lock(new TreeSet<>(gates), others).forEach(row -> hold(row, now));
        return true;
    }

    private void lock(SortedSet<GateKey> keys, long now) {
        if (keys.isEmpty()) {
            return;
        }
        tx.gates().lock(keys).get().forEach(row -> hold(row, now));
    }

    /** The working copies of gates that are only looked at, in a transaction that reads. */
    void readGates(Collection<GateKey> gates, long now) {
        if (!gates.isEmpty()) {
            tx.gates().findAll(gates).forEach(row -> hold(row, now));
        }
    }

    private void hold(GateRow row, long now) {
        stored.put(row.key(), row);
        GateLedger ledger = row.ledger(book, now);
        sharing.attach(ledger, now);
        byKey.put(row.key(), ledger);
    }

    public LockedShares sharing() {
        return sharing;
    }

    /** The head of a lane as one gate sees it. */
    public static Waiter waiter(LaneRow lane, GateLedger at) {
        Shares shares = at.line().shares();
        String share = shares == null ? "" : shares.rule().keyOf(lane.lane().gates());
        return new Waiter(lane.id(), lane.rank(), at.key().unitsOf(lane.cost()), 0, share);
    }

    public Map<GateKey, GateLedger> byKey() {
        return byKey;
    }

    @Nullable
    public GateLedger queue(String queue) {
        return byKey.get(GateKey.queue(queue));
    }

    public boolean hasAll(Collection<GateKey> keys) {
        return byKey.keySet().containsAll(keys);
    }

    /** Gives back what one ended lease held, at its queue and at each of its gates. */
    public void release(ReleasedRow row, LeaseRelease how, long now) {
        if (how.isLate()) {
            giveUp(row.job(), row.lane(), row.cost(), how, row.start(), now);
        } else {
            release(row.job(), row.lane(), row.cost(), how, row.start(), now);
        }
    }

    /** Gives back all that a start took, because it reached no handler in time. */
    private void giveUp(long job, Lane lane, Cost cost, LeaseRelease how, Start start, long now) {
        GateLedger queue = queue(lane.queue());
        if (queue != null) {
            how.tellLag(queue);
            queue.giveUp(job, cost.units(), start, now);
            evidence.late(queue, cost.units(), start, now);
            sharing.givenUp(queue, lane, cost.units(), start.at(), now);
        }
        for (String gate : lane.gates()) {
            GateLedger ledger = Objects.requireNonNull(byKey.get(GateKey.gate(gate)), "released gates are locked");
            how.tellLag(ledger);
            ledger.giveUp(job, cost.at(gate), start, now);
            evidence.late(ledger, cost.at(gate), start, now);
            sharing.givenUp(ledger, lane, cost.at(gate), start.at(), now);
        }
    }

    private void release(long job, Lane lane, Cost cost, LeaseRelease how, Start start, long now) {
        GateLedger queue = queue(lane.queue());
        if (queue != null) {
            how.tellLag(queue);
            queue.release(job, cost.units(), how.at(queue.key()), start, now);
            evidence.ended(queue, cost.units(), how.at(queue.key()), start, now);
            how.pushBack(queue, start, now);
            sharing.ended(queue, lane, 0, 0, start.at(), now);
        }
        for (String gate : lane.gates()) {
            GateLedger ledger = Objects.requireNonNull(byKey.get(GateKey.gate(gate)), "released gates are locked");
            long charged = cost.at(gate);
            long actual = how.actual(gate, charged);
            if (actual != charged) {
                ledger.settle(charged, actual, start, now);
                settled(ledger, actual - charged, start, now);
            }
            how.tellLag(ledger);
            ledger.release(job, actual, how.at(ledger.key()), start, now);
            // A debt counts from now anyway.
            evidence.ended(ledger, Math.min(charged, actual), how.at(ledger.key()), start, now);
            how.pushBack(ledger, start, now);
            sharing.ended(ledger, lane, charged, actual, start.at(), now);
        }
    }

    /** Clears a gate, and notes it in its journal: without the note the next starts would look like too many. */
    public void clear(GateLedger ledger, long now) {
        ledger.clear();
        evidence.cleared(ledger, now);
    }

    /** Notes in the journal that a start needs more units than it was charged, or less. */
    public void settled(GateLedger ledger, long more, Start start, long now) {
        evidence.settled(ledger, more, start, now);
    }

    /** Notes in the journal that a start without a job has come back. */
    public void ended(GateLedger ledger, long units, ReleaseKind how, Start start, long now) {
        evidence.ended(ledger, units, how, start, now);
    }

    /** Notes in the journal that a start without a job came too late and does not count. */
    public void late(GateLedger ledger, long units, Start start, long now) {
        evidence.late(ledger, units, start, now);
    }

    /** A woken lane that has not started yet counts as started, or the gate would wake its whole line. */
    public void expect(GateKey gate, Waiter woken) {
        awaited.computeIfAbsent(gate, key -> new ArrayList<>()).add(woken);
    }

    /**
     * These lanes could pass, but the row of the first is locked by another transaction: they stay in line, and the gate is due
     * again in {@link #LOOK_AGAIN_MICROS}.
     *
     * @return whether the gate had no wake time before, so that sleeping workers do not know of it
     */
    public boolean leaveInLine(GateKey gate, List<LaneRow> line) {
        GateLedger ledger = Objects.requireNonNull(byKey.get(gate), "only lines of locked gates are woken");
        line.reversed().forEach(lane -> ledger.line().head(waiter(lane, ledger)));
        missed.add(gate);
        return Objects.requireNonNull(stored.get(gate)).wakeAt() == null;
    }

    /**
     * If one of the locked gates opens within this time, waits for it. Returns the store's time.
     *
     * @param asking is run before each reading of the store's clock is asked for
     */
    public long whenOpen(long now, long patience, Runnable asking) {
        Long first = null;
        for (GateRow row : stored.values()) {
            Long opens = row.key().scope() == GateKey.Scope.QUEUE
                    ? NextWake.opens(Objects.requireNonNull(byKey.get(row.key())), now)
                    : row.wakeAt();
            first = opens == null || opens <= now ? first : NextWake.earlier(first, opens);
        }
        return first != null && first <= now + patience ? tx.waitUntil(first, asking) : now;
    }

    /** The earliest time at which a gate moves its line, among gates that let something start or have a new wake time. */
    @Nullable
    Long firstMoved() {
        return firstMoved;
    }

    /** The same of the others that were locked. */
    @Nullable
    Long firstKept() {
        return firstKept;
    }

    /** Writes every gate that changed, with the instant at which time will move its line. */
    public void save(long now) {
        if (book.endsBy(now)) {
            throw new OverrideEndedException();
        }
        sharing.save();
        Map<GateKey, JournalChain> journals = new HashMap<>();
        List<Entry> entries = chained(evidence.entries(byKey.values(), now), journals);
        List<GateRow> changed = new ArrayList<>();
        byKey.forEach((key, ledger) -> {
            Long wakeAt = wakeAt(ledger, now);
            GateRow before = Objects.requireNonNull(stored.get(key));
            boolean isMoved = ledger.starts() > 0 || !Objects.equals(before.wakeAt(), wakeAt);
            JournalChain journal = journals.getOrDefault(key, before.journal());
            if (isMoved || ledger.isTouched() || journals.containsKey(key)) {
                changed.add(GateRow.of(ledger, wakeAt, journal));
            }
            if (isMoved) {
                firstMoved = NextWake.earlier(firstMoved, wakeAt);
            } else {
                firstKept = NextWake.earlier(firstKept, wakeAt);
            }
        });
        if (!changed.isEmpty()) {
            changed.sort(Comparator.comparing(GateRow::key));
            tx.gates().save(changed);
        }
        if (!entries.isEmpty()) {
            tx.journal().append(entries);
        }
    }

    /** The entries with their numbers and hashes, each as the next one of its gate; and how far the journals go then. */
    private List<Entry> chained(List<Entry> entries, Map<GateKey, JournalChain> journals) {
        List<Entry> chained = new ArrayList<>(entries.size());
        for (Entry entry : entries) {
            JournalChain before = journals.computeIfAbsent(
                    entry.gate(), key -> Objects.requireNonNull(stored.get(key)).journal());
            Entry next = before.link(entry);
            journals.put(entry.gate(), before.with(next));
            chained.add(next);
        }
        return chained;
    }

    private @Nullable Long wakeAt(GateLedger ledger, long now) {
        Long opens = wakeAtOfLine(ledger, now);
        return opens == null || !missed.contains(ledger.key())
                ? opens
                : Long.valueOf(Math.max(opens, now + LOOK_AGAIN_MICROS));
    }

    private @Nullable Long wakeAtOfLine(GateLedger ledger, long now) {
        List<Waiter> woken = awaited.get(ledger.key());
        if (woken == null || ledger.line().head() == null) {
            return ledger.wakeAt(now);
        }
        GateLedger trial = ledger.trial();
        woken.forEach(lane -> trial.take(lane, now));
        Long opens = trial.wakeAt(now);
        // The woken lanes may have no worker with a free slot: then their places go to the next in line.
        return opens == null ? now + HANDOVER_MICROS : Math.min(opens, now + HANDOVER_MICROS);
    }
}

package dev.headgate.internal.claim;

import dev.headgate.internal.admission.ClaimPlan;
import dev.headgate.internal.admission.ClaimPlan.Fate;
import dev.headgate.internal.admission.Waiter;
import dev.headgate.internal.gate.LockedGates;
import dev.headgate.job.Cost;
import dev.headgate.job.Lane;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.HeadOfLane;
import dev.headgate.spi.LaneRow;
import dev.headgate.spi.LaneState;
import dev.headgate.spi.Pending;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.Wake;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The lanes that a turn may claim from: ready ones, those whose doorbell it took, and those that it pulls out of a line.
 * Writes each once, at the end.
 *
 * <p>Design note: a lane has a row only while it waits for something. Most doorbells are taken by a turn that starts the jobs
 * they announce, and then no row is written at all. A row is created only under the locks of all gates of the lane, so a turn
 * that holds them and finds no row is the only one at work on the lane. If there is a ready row, another turn may have locked
 * it and may still wait for these gates. Waiting for that turn would be a deadlock, so the doorbell is rung again instead.
 * (Lanes of fair queues are filed under their queue's lock, because its order is read from the rows.)
 */
final class LockedLanes {
    private static final Comparator<LaneRow> BY_RANK =
            Comparator.comparingLong(LaneRow::rank).thenComparing(LaneRow::id);

    private final StoreTransaction tx;
    private final LockedGates ledgers;
    private final Set<Wake> wakes;
    private final Map<String, LaneRow> lanes = new LinkedHashMap<>();
    private final Map<String, LaneRow> stored = new HashMap<>();
    private final Map<String, HeadOfLane> arrived = new LinkedHashMap<>();
    private final Map<String, Long> taken = new HashMap<>();
    private final Set<String> pulled = new HashSet<>();
    private final Set<String> bare = new HashSet<>();
    private final Map<String, LaneRow> passedOver = new LinkedHashMap<>();
    private final Set<String> unread = new HashSet<>();
    private final List<HeadOfLane> bells = new ArrayList<>();
    private @Nullable Pending<List<LaneRow>> asked;

    /** @param wakes gets the queues of lanes that were pulled and left ready */
    LockedLanes(StoreTransaction tx, LockedGates ledgers, Set<Wake> wakes) {
        this.tx = tx;
        this.ledgers = ledgers;
        this.wakes = wakes;
    }

    Collection<LaneRow> all() {
        return lanes.values();
    }

    /** Those that were pulled out of a line. */
    Set<String> pulled() {
        return pulled;
    }

    /** Whether it was not offered because older ones were enough. */
    boolean isPassedOver(LaneRow lane) {
        return passedOver.containsKey(lane.id());
    }

    /** Whether it has no row, only a doorbell. */
    boolean isFresh(LaneRow lane) {
        return !stored.containsKey(lane.id());
    }

    /** Queues that may have more ready lanes than are offered. */
    Set<String> unread() {
        return unread;
    }

    /** Notes doorbells that were taken. Whether their lanes have rows is read under the locks of their gates. */
    void arrive(List<HeadOfLane> heads, boolean isMore) {
        for (HeadOfLane head : heads) {
            arrived.put(head.laneId(), head);
            taken.put(head.laneId(), head.rank());
            if (isMore) {
                unread.add(head.lane().queue());
            }
        }
    }

    /** Asks for the ready lanes of these queues, unless arrivals must be filed first because one of them is fair. */
    void askReady(Collection<String> queues, int perQueue) {
        boolean isAnyFair = queues.stream().anyMatch(ledgers.sharing()::isFair);
        asked = isAnyFair ? null : ledgers.sharing().lockReady(queues, perQueue);
    }

    /** Takes up the ready lanes of these queues. */
    void lockReady(Collection<String> queues, int perQueue) {
        Pending<List<LaneRow>> ready = asked == null ? ledgers.sharing().lockReady(queues, perQueue) : asked;
        Map<String, Integer> read = new HashMap<>();
        for (LaneRow lane : ready.get()) {
            hold(lane);
            if (read.merge(lane.lane().queue(), 1, Integer::sum) == perQueue) {
                unread.add(lane.lane().queue());
            }
        }
    }

    private void hold(LaneRow row) {
        lanes.put(row.id(), row);
        stored.put(row.id(), row);
    }

    /** The gates of the lane that comes first; none if there is no lane. */
    List<GateKey> gatesOfFirst() {
        LaneRow first = lanes.values().stream().min(BY_RANK).orElse(null);
        HeadOfLane arrival = arrived.values().stream()
                .min(Comparator.comparingLong(HeadOfLane::rank))
                .orElse(null);
        if (arrival != null && (first == null || arrival.rank() < first.rank())) {
            return gateKeys(arrival);
        }
        return first == null ? List.of() : first.gateKeys();
    }

    private static List<GateKey> gateKeys(HeadOfLane head) {
        return GateKey.gatesOf(head.lane());
    }

    /** The gates of all of them. */
    Set<GateKey> gateKeys() {
        Set<GateKey> keys = new HashSet<>();
        lanes.values().forEach(lane -> keys.addAll(lane.gateKeys()));
        arrived.values().forEach(head -> keys.addAll(gateKeys(head)));
        return keys;
    }

    /** Takes up the lanes of the doorbells that were taken. The caller holds their gates. */
    void meetArrivals(long now) {
        ringAgain();
        for (LaneRow ready : arrived.isEmpty() ? List.<LaneRow>of() : List.copyOf(lanes.values())) {
            HeadOfLane head = arrived.remove(ready.id());
            if (head != null && head.rank() < ready.rank()) {
                lanes.put(ready.id(), ready.ready(head, now));
            }
        }
        meetStored(now);
        for (HeadOfLane head : arrived.values()) {
            lanes.put(
                    head.laneId(),
                    new LaneRow(
                            head.laneId(),
                            head.lane(),
                            LaneState.READY,
                            head.rank(),
                            head.cost(),
                            null,
                            now,
                            head.passes(),
                            ""));
        }
        arrived.clear();
    }

    /** Rings doorbells again if another transaction holds one of their gates. */
    private void ringAgain() {
        for (HeadOfLane head : List.copyOf(arrived.values())) {
            if (!ledgers.hasAll(gateKeys(head))) {
                arrived.remove(head.laneId());
                bells.add(head);
            }
        }
    }

    /**
     * A lane that waits is ready again if something happened at or before the head that it waits with. Others are skipped, also
     * if they are locked: their holder must first get the gate locks that this turn holds.
     */
    private void meetStored(long now) {
        Map<String, HeadOfLane> touched = new LinkedHashMap<>();
        for (LaneRow seen : arrived.isEmpty() ? List.<LaneRow>of() : tx.lanes().findAll(arrived.keySet())) {
            HeadOfLane head = Objects.requireNonNull(arrived.remove(seen.id()));
            if (head.rank() <= seen.rank()) {
                touched.put(seen.id(), head);
            }
        }
        if (touched.isEmpty()) {
            return;
        }
        List<LaneRow> readied = new ArrayList<>();
        for (LaneRow row : tx.lanes().lock(touched.keySet())) {
            HeadOfLane head = Objects.requireNonNull(touched.remove(row.id()));
            if (head.rank() <= row.rank()) {
                readied.add(row.ready(head, now));
            }
        }
        bells.addAll(touched.values());
        readied.forEach(this::hold);
        if (!readied.isEmpty()) {
            // Now, because the lines are read next and these lanes are in none of them.
            tx.lanes().save(readied);
        }
    }

    /** Whether a doorbell had to be rung once more. */
    boolean hasBells() {
        return !bells.isEmpty();
    }

    /**
     * Takes these lanes out of their lines. A lane whose row another transaction has locked stays first in its line, the
     * lanes behind it stay too, and the gate is due again soon: nothing else would wake them.
     */
    void pull(Map<GateKey, List<LaneRow>> woken) {
        Set<String> wanted = new TreeSet<>();
        woken.values().forEach(line -> line.forEach(lane -> wanted.add(lane.id())));
        Map<String, LaneRow> locked = new HashMap<>();
        tx.lanes().lock(wanted).forEach(lane -> locked.put(lane.id(), lane));
        woken.forEach((gate, line) -> {
            int free = 0;
            while (free < line.size() && locked.containsKey(line.get(free).id())) {
                LaneRow lane = Objects.requireNonNull(locked.get(line.get(free).id()));
                hold(lane);
                pulled.add(lane.id());
                free++;
            }
            if (free < line.size() && ledgers.leaveInLine(gate, line.subList(free, line.size()))) {
                wakes.add(new Wake.Anything());
            }
        });
    }

    /**
     * Looks for pulled lanes of other workers' queues that are empty: their last job was dropped to make room, and those
     * workers have not taken the doorbell yet. No place is reserved for an empty lane, so all workers must look at what stands
     * behind it. Returns whether there are any.
     */
    boolean findBare(Collection<String> served) {
        for (String id : pulled) {
            LaneRow lane = Objects.requireNonNull(lanes.get(id));
            if (!served.contains(lane.lane().queue())) {
                bare.add(id);
            }
        }
        if (!bare.isEmpty()) {
            tx.jobs().heads(List.copyOf(bare), 1).forEach(head -> bare.remove(head.lane()));
        }
        if (!bare.isEmpty()) {
            wakes.add(new Wake.Anything());
        }
        return !bare.isEmpty();
    }

    /**
     * The lanes to offer: all that were pulled, and the oldest of each queue. A pulled lane of another worker's queue, or with a
     * gate that this turn has not locked, is only made ready.
     */
    List<LaneRow> claimable(Collection<String> served, int perQueue) {
        List<LaneRow> chosen = new ArrayList<>();
        Map<String, List<LaneRow>> byQueue = new LinkedHashMap<>();
        for (LaneRow lane : lanes.values()) {
            if (served.contains(lane.lane().queue()) && ledgers.hasAll(lane.gateKeys())) {
                boolean isOrdered = pulled.contains(lane.id())
                        || ledgers.sharing().isFair(lane.lane().queue());
                (isOrdered ? chosen : byQueue.computeIfAbsent(lane.lane().queue(), queue -> new ArrayList<>()))
                        .add(lane);
            }
        }
        for (List<LaneRow> queue : byQueue.values()) {
            queue.sort(BY_RANK);
            int most = Math.min(perQueue, queue.size());
            chosen.addAll(queue.subList(0, most));
            for (LaneRow lane : queue.subList(most, queue.size())) {
                passedOver.put(lane.id(), lane);
                unread.add(lane.lane().queue());
            }
        }
        return chosen;
    }

    /** Those that were not offered because older ones were enough, oldest first; now these turn out not to be enough. */
    List<LaneRow> takePassedOver() {
        List<LaneRow> rest = List.copyOf(passedOver.values());
        passedOver.clear();
        return rest;
    }

    /** For jobs that start as heads of their lanes: how often the lane was turned away before, if it was. */
    Map<Long, Integer> passesBefore(ClaimPlan plan) {
        Map<Long, Integer> passes = new HashMap<>();
        Set<String> met = new HashSet<>();
        for (ClaimPlan.Grant grant : plan.grants()) {
            LaneRow lane = lanes.get(grant.lane());
            if (lane != null && lane.passes() > 0 && met.add(grant.lane())) {
                passes.put(grant.job(), lane.passes());
            }
        }
        return passes;
    }

    /** Writes what the plan decided. */
    void save(ClaimPlan plan, long now) {
        Set<String> started = new HashSet<>();
        plan.grants().forEach(grant -> started.add(grant.lane()));
        List<LaneRow> added = new ArrayList<>();
        List<LaneRow> changed = new ArrayList<>();
        List<String> gone = new ArrayList<>();
        List<LaneRow> denied = new ArrayList<>();
        for (LaneRow lane : lanes.values()) {
            LaneRow wanted = after(lane, plan.fates().get(lane.id()), started.contains(lane.id()), now);
            LaneRow after = wanted == null ? null : ledgers.sharing().placed(wanted);
            if (wanted != null && after == null) {
                // A lane joins a fair order only under the lock of its queue: the doorbell is for a turn that has it.
                bells.add(new HeadOfLane(lane.lane(), lane.id(), wanted.rank(), wanted.cost(), wanted.passes()));
            }
            LaneRow before = stored.get(lane.id());
            if (before != null && before.waitingAt() == null && after != null && after.waitingAt() != null) {
                denied.add(after);
            }
            if (after == null) {
                if (before != null) {
                    gone.add(lane.id());
                }
            } else if (before == null) {
                added.add(after);
            } else if (!after.equals(before)) {
                changed.add(after);
            }
        }
        changed.sort(Comparator.comparing(LaneRow::id));
        tx.lanes().add(added);
        tx.lanes().save(changed);
        tx.lanes().remove(gone);
        ledgers.sharing().denied(denied);
        tx.lanes().unring(answered(plan));
        tx.lanes().ring(bells); // last, or unring would take them away
    }

    /**
     * Doorbells that are not needed any more: of jobs that start, and of those that their lane stands with from now on. Other
     * jobs of these lanes were seen with them. Each doorbell that was left would lock its gates for nothing later.
     */
    private List<HeadOfLane> answered(ClaimPlan plan) {
        List<HeadOfLane> answered = new ArrayList<>();
        for (ClaimPlan.Grant grant : plan.grants()) {
            note(answered, grant.lane(), grant.rank());
        }
        plan.fates().forEach((lane, fate) -> {
            switch (fate) {
                case Fate.Ready ready -> note(answered, lane, ready.rank());
                case Fate.Waiting waiting -> note(answered, lane, waiting.rank());
                case Fate.Empty empty -> {}
            }
        });
        return answered;
    }

    private void note(List<HeadOfLane> answered, String id, long rank) {
        LaneRow lane = lanes.get(id);
        if (lane != null && !Objects.equals(taken.get(id), rank)) {
            answered.add(new HeadOfLane(lane.lane(), id, rank, lane.cost()));
        }
    }

    /** The row to write; absent if the lane waits for nothing. */
    private @Nullable LaneRow after(LaneRow lane, @Nullable Fate fate, boolean hasStarted, long now) {
        LaneRow counted = hasStarted ? lane.withPasses(0) : lane;
        return switch (fate) {
            case Fate.Empty empty -> null;
            case Fate.Waiting(GateKey at, long rank, Cost cost, int passes) ->
                counted.waiting(at, rank, cost, hasStarted ? 1 : passes, now);
            case Fate.Ready(long rank, Cost cost) -> leftReady(counted, rank, cost, hasStarted, now);
            case null -> bare.contains(lane.id()) ? null : leftReady(counted, lane.rank(), lane.cost(), false, now);
        };
    }

    private LaneRow leftReady(LaneRow lane, long rank, Cost cost, boolean hasStarted, long now) {
        if (pulled.contains(lane.id())) {
            if (!hasStarted && lane.waitingAt() != null) {
                GateKey at = lane.waitingAt();
                ledgers.expect(at, new Waiter(lane.id(), rank, at.unitsOf(cost), 0, lane.share()));
            }
            wakes.add(new Wake.Queue(lane.lane().queue()));
        }
        boolean isUnchanged =
                lane.waitingAt() == null && lane.rank() == rank && lane.cost().equals(cost);
        return isUnchanged ? lane : lane.ready(rank, cost, now);
    }

    List<Lane> shapes() {
        List<Lane> shapes = new ArrayList<>(lanes.size());
        lanes.values().forEach(row -> shapes.add(row.lane()));
        return shapes;
    }
}

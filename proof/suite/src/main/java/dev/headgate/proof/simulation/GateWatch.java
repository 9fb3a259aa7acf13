package dev.headgate.proof.simulation;

import dev.headgate.internal.limiter.PermitStore.Part;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Limit;
import dev.headgate.proof.simulation.PolicyWatch.Term;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One gate or queue: which starts hold it by the commits, and whether its limits allow that. */
final class GateWatch {
    private final GateKey key;
    private final Map<Long, Permit> permits = new TreeMap<>();
    private Term term = Term.NONE;
    private LimitWatch[] limits = new LimitWatch[0];
    private List<CallWatch> calls = List.of();
    private long leases;
    private long units;
    private long lastEnd = Long.MIN_VALUE;

    /** A place of a limiter, for so long at most. */
    private record Permit(long units, long until) {}

    GateWatch(GateKey key) {
        this.key = key;
    }

    GateKey key() {
        return key;
    }

    long leases() {
        return leases;
    }

    long units() {
        return units;
    }

    /** From now on the limits are those that are in force now. */
    void look(PolicyWatch policies, long now) {
        if (policies.isOver(term, now)) {
            Term next = policies.at(key, now);
            if (!next.limits().equals(term.limits())) {
                change(next.limits());
            }
            term = next;
        }
    }

    /** It is written at this time. */
    void touch(long now) {
        for (LimitWatch limit : limits) {
            limit.touch(now);
        }
    }

    /** Ends the permits whose time is over. Only where the store does: its clock may step back before it looks. */
    void endPermits(long now) {
        if (permits.isEmpty()) {
            return;
        }
        for (Iterator<Permit> each = permits.values().iterator(); each.hasNext(); ) {
            Permit permit = each.next();
            if (permit.until <= now) {
                each.remove();
                free(permit);
                lastEnd = Math.max(lastEnd, permit.until);
            }
        }
    }

    /** Whether a permit ended after that. The store may have looked before, and waited for a lock since: then it counts once more. */
    boolean hasEndedSince(long micros) {
        return lastEnd > micros;
    }

    /** What a limit has let start counts on, as long as it stays as it is. */
    private void change(List<Limit> now) {
        LimitWatch[] before = limits;
        limits = new LimitWatch[now.size()];
        for (int i = 0; i < limits.length; i++) {
            limits[i] = kept(before, now.get(i));
        }
        calls = watches(now, calls);
    }

    /** What the called side counts: the limits that have a margin. */
    private static List<CallWatch> watches(List<Limit> now, List<CallWatch> before) {
        List<CallWatch> all = new ArrayList<>();
        for (Limit limit : now) {
            CallWatch fresh = CallWatch.of(limit);
            if (fresh != null) {
                all.add(before.stream()
                        .filter(old -> old.limit().equals(limit))
                        .findFirst()
                        .orElse(fresh));
            }
        }
        return all;
    }

    List<CallWatch> calls() {
        return calls;
    }

    /** Whether what was decided by is what is in force. */
    void decidedBy(GatePolicy policy, Track job, Judge judge) {
        if (!policy.limits().equals(term.limits())) {
            judge.broken(
                    "I6",
                    "%s: %s starts by %s, but %s is in force".formatted(key, job, policy.limits(), term.limits()));
        }
    }

    private static LimitWatch kept(LimitWatch[] before, Limit limit) {
        for (LimitWatch each : before) {
            if (each.limit().equals(limit)) {
                return each;
            }
        }
        return LimitWatch.of(limit);
    }

    /** An operator made it as new. */
    void clear() {
        for (int i = 0; i < limits.length; i++) {
            limits[i] = LimitWatch.of(limits[i].limit());
        }
        calls = watches(term.limits(), List.of());
    }

    void start(Track job, long now, Judge judge) {
        start(job, job.ref(), key.unitsOf(job.spec.cost()), now, judge);
    }

    private void start(Object starter, StartRef ref, long cost, long now, Judge judge) {
        leases++;
        units += cost;
        for (LimitWatch limit : limits) {
            if (!limit.noteStart(ref, now, cost, leases, units)) {
                judge.broken(
                        limit.invariant(),
                        "%s: %s breaks %s: %s, with %d leases of %d units"
                                .formatted(key, starter, limit.limit().text(), limit.figures(now), leases, units));
            }
        }
    }

    // Permits: places that are held without a job.

    void permit(Part part, long until, long now, Judge judge) {
        start(part, new StartRef(part.id(), 0), part.units(), now, judge);
        Permit permit = new Permit(part.units(), until);
        if (part.isHolding()) {
            permits.put(part.id(), permit);
            return;
        }
        if (!term.limits().stream().allMatch(Limit::isTimed)) {
            judge.broken("I6", "%s: %s holds no place, but %s counts places".formatted(key, part, term.limits()));
        }
        free(permit);
    }

    private void free(Permit permit) {
        leases--;
        units -= permit.units;
    }

    /** When the last place of a limiter that is never given back is free. */
    long permitsUntil() {
        return permits.values().stream().mapToLong(Permit::until).max().orElse(0);
    }

    void endPermit(long id) {
        Permit permit = permits.remove(id);
        if (permit != null) {
            free(permit);
        }
    }

    /** One that reached its owner too late is as if it had never been granted, unless it has ended. */
    void giveUpPermit(Part part) {
        if (part.isHolding()) {
            Permit permit = permits.remove(part.id());
            if (permit == null) {
                return;
            }
            free(permit);
        }
        for (LimitWatch limit : limits) {
            limit.noteGivenUp(new StartRef(part.id(), 0));
        }
    }

    /** False if it has ended. */
    boolean renewPermit(long id, long until) {
        Permit permit = permits.get(id);
        if (permit != null) {
            permits.put(id, new Permit(permit.units, Math.max(until, permit.until)));
        }
        return permit != null;
    }

    /** False if it has ended; one that holds no place never does. */
    boolean settlePermit(Part part, long actual, long now) {
        Permit permit = part.isHolding() ? permits.get(part.id()) : new Permit(part.units(), 0);
        if (permit == null) {
            return false;
        }
        settle(new StartRef(part.id(), 0), permit.units, actual, now);
        if (part.isHolding()) {
            units += actual - permit.units;
            permits.put(part.id(), new Permit(actual, permit.until));
        }
        return true;
    }

    void release(Track job) {
        leases--;
        units -= key.unitsOf(job.spec.cost());
    }

    /** A start that has come back did not run: it is as if it had never been granted. */
    void giveUp(Track job) {
        for (LimitWatch limit : limits) {
            limit.noteGivenUp(job.ref());
        }
    }

    /** A start took another amount than it was charged. */
    void settle(StartRef ref, long charged, long actual, long now) {
        if (charged == actual) {
            return; // the gate does not even look at its clock for it
        }
        for (LimitWatch limit : limits) {
            limit.noteSettling(ref, charged, actual, now);
        }
    }

    boolean hasLimits() {
        return !term.limits().isEmpty();
    }

    /** Whether what the store has noted is what the commits add up to. */
    boolean isLike(long storedLeases, long storedUnits) {
        return storedLeases == leases && storedUnits == units;
    }

    @Override
    public String toString() {
        return "%s: %d leases, %d units, %s".formatted(key, leases, units, term.limits());
    }
}

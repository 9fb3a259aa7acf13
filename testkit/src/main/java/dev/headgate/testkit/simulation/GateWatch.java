package dev.headgate.testkit.simulation;

import dev.headgate.admission.GateKey;
import dev.headgate.admission.GatePolicy;
import dev.headgate.admission.Limit;
import java.util.Objects;

/** One gate or queue: who holds it by the commits, and whether its limits allow that. */
final class GateWatch {
    private final GateKey key;
    private GatePolicy policy = GatePolicy.OPEN;
    private LimitWatch[] limits = new LimitWatch[0];
    private long leases;
    private long units;

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

    /** From now on these limits are in force. What a limit has let start counts on, as long as it stays as it is. */
    void policy(GatePolicy now) {
        if (now.limits().equals(policy.limits())) {
            policy = now;
            return;
        }
        LimitWatch[] before = limits;
        limits = new LimitWatch[now.limits().size()];
        for (int i = 0; i < limits.length; i++) {
            limits[i] = kept(before, now.limits().get(i));
        }
        policy = now;
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
    }

    void start(Track job, long now, Judge judge) {
        long cost = key.unitsOf(job.spec.cost());
        leases++;
        units += cost;
        for (LimitWatch limit : limits) {
            if (!limit.noteStart(now, cost, leases, units)) {
                judge.broken(
                        limit.invariant(),
                        "%s: %s breaks %s: %s, with %d leases of %d units; last changed by %s"
                                .formatted(
                                        key,
                                        job,
                                        limit.limit().text(),
                                        limit.figures(now),
                                        leases,
                                        units,
                                        policy.text()));
            }
        }
    }

    void release(Track job) {
        leases--;
        units -= key.unitsOf(job.spec.cost());
    }

    /** What had started at an instant took another amount than it was charged. */
    void settle(long charged, long actual, long startedAt, long now) {
        for (LimitWatch limit : limits) {
            limit.noteSettling(charged, actual, startedAt, now);
        }
    }

    /** Whether what the store has noted is what the commits add up to. */
    boolean isLike(long storedLeases, long storedUnits) {
        return storedLeases == leases && storedUnits == units;
    }

    @Override
    public String toString() {
        return "%s: %d leases, %d units, %s".formatted(key, leases, units, Objects.toString(policy.text()));
    }
}

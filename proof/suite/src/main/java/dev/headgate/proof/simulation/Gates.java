package dev.headgate.proof.simulation;

import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.limiter.PermitStore.Part;
import dev.headgate.job.Lane;
import dev.headgate.limit.GateKey;
import dev.headgate.policy.PolicyChange;
import dev.headgate.spi.GateRow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All gates and queues as the commits show them, with the limits in force and the permits that are out. */
final class Gates {
    private final Judge judge;
    private final PolicyWatch policies = new PolicyWatch();
    private final Map<Lane, GateWatch[]> byLane = new HashMap<>();
    private final Map<GateKey, GateWatch> gates = new TreeMap<>();

    Gates(Judge judge) {
        this.judge = judge;
    }

    /** The queue of a lane, and all its gates. */
    GateWatch[] of(Lane lane) {
        return byLane.computeIfAbsent(lane, its -> {
            GateWatch[] all = new GateWatch[its.gates().size() + 1];
            all[0] = gate(GateKey.queue(its.queue()));
            for (int i = 1; i < all.length; i++) {
                all[i] = gate(GateKey.gate(its.gates().get(i - 1)));
            }
            return all;
        });
    }

    private GateWatch gate(GateKey key) {
        return gates.computeIfAbsent(key, GateWatch::new);
    }

    /** Policies have changed. */
    void policies(List<PolicyChange> changes, long now) {
        policies.saved(changes);
        gates.values().forEach(gate -> gate.look(policies, now));
    }

    /** The store has looked at it: limits come into force or end by time, and so do permits. */
    private void touch(GateWatch gate, long now) {
        gate.look(policies, now);
        gate.touch(now);
        gate.endPermits(now);
    }

    /** A job starts, by the decision of this book. I6: of the limits that are in force now, no others. */
    void started(Track job, PolicyBook book, long now) {
        for (GateWatch gate : job.gates) {
            touch(gate, now);
            gate.decidedBy(book.policyFor(gate.key()), job, judge);
            gate.start(job, now, judge);
        }
    }

    /** I8: a start counts from the time at which its gates were locked, or later. Else the next would follow too early. */
    void checkTime(Object starter, @Nullable Long at, Commit commit) {
        if (at != null && at < commit.locked()) {
            judge.broken(
                    "I8",
                    "%s: its start counts from %d microseconds before its gates were locked"
                            .formatted(starter, commit.locked() - at));
        }
    }

    /** An operator made it as new. */
    void cleared(GateKey gate) {
        gate(gate).clear();
    }

    /**
     * Of a whole commit: what a gate has noted is what is held.
     *
     * @param begun when the transaction began
     */
    void saved(GateRow row, long begun, long now) {
        GateWatch gate = gate(row.key());
        touch(gate, now);
        if (!gate.isLike(row.leases(), row.units()) && !gate.hasEndedSince(begun)) {
            judge.broken(
                    "I11",
                    "%s: %d leases of %d units are noted, but %d of %d are held"
                            .formatted(row.key(), row.leases(), row.units(), gate.leases(), gate.units()));
        }
    }

    /** I34: its row has gone. Nothing is held there; what its limits remember shows at the next start. */
    void deleted(GateKey key, long now) {
        GateWatch gate = gate(key);
        touch(gate, now);
        judge.mixed(Judge.PRUNE, key.hashCode());
        // A queue without limits counts nothing.
        boolean isCounted = key.scope() == GateKey.Scope.GATE || gate.hasLimits();
        if (isCounted && (gate.leases() != 0 || gate.units() != 0)) {
            judge.broken("I34", "%s: pruned though it is held".formatted(gate));
        }
    }

    /** When the last place is free that a limiter has left behind. */
    long permitsUntil() {
        return gates.values().stream().mapToLong(GateWatch::permitsUntil).max().orElse(0);
    }

    /** I12: when all is done, nothing is held. */
    void checkFree(long now) {
        for (GateWatch gate : gates.values()) {
            gate.endPermits(now);
            if (gate.leases() != 0 || gate.units() != 0) {
                judge.broken("I12", "%s: still held when all is done".formatted(gate));
            }
        }
    }

    // Permits of limiters.

    void permitted(List<Part> parts, long until, long now) {
        for (Part part : parts) {
            GateWatch gate = gate(part.gate());
            touch(gate, now);
            gate.permit(part, until, now, judge);
        }
    }

    /** The gates of a permit. */
    List<GateWatch> of(List<Part> parts) {
        return parts.stream().map(part -> gate(part.gate())).toList();
    }

    void permitsGivenUp(List<Part> parts, long now) {
        for (Part part : parts) {
            GateWatch gate = gate(part.gate());
            touch(gate, now);
            gate.giveUpPermit(part);
        }
    }

    void permitsGivenBack(List<Part> parts, long now) {
        for (Part part : parts) {
            if (part.isHolding()) {
                GateWatch gate = gate(part.gate());
                touch(gate, now);
                gate.endPermit(part.id());
            }
        }
    }

    /** I5 for permits: the answer is yes if all of them were out, and no if one had ended. */
    void permitsRenewed(List<Part> parts, long until, boolean answer, long now) {
        boolean areAllOut = true;
        for (Part part : parts) {
            if (part.isHolding()) {
                GateWatch gate = gate(part.gate());
                touch(gate, now);
                areAllOut &= gate.renewPermit(part.id(), until);
            }
        }
        answered("renewed", parts, answer, areAllOut);
    }

    /** The same for what they needed in the end. */
    void permitsSettled(List<Part> parts, long actual, boolean answer, long now) {
        boolean isAny = false;
        for (Part part : parts) {
            GateWatch gate = gate(part.gate());
            touch(gate, now);
            isAny |= gate.settlePermit(part, actual, now);
        }
        answered("settled", parts, answer, isAny);
    }

    private void answered(String how, List<Part> parts, boolean answer, boolean expected) {
        if (answer != expected) {
            judge.broken(
                    "I5",
                    "permit %s: %s with the answer %s, but the answer should be %s"
                            .formatted(parts, how, answer, expected));
        }
    }
}

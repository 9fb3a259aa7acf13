package dev.headgate.proof.simulation;

import dev.headgate.limit.GateKey;
import dev.headgate.limit.Margin;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The calls that handlers make, as what the gates stand for sees them. Judges I31: no limit with a margin is exceeded by
 * them, and no handler is entered later than its start allowance.
 *
 * <p>A call is covered until so long after the entry of its handler as the second half of its margin, or for as long as its
 * lease is held if only the end of its handler ends the margin. What is not covered is not counted, and neither is a call
 * between whose grant and whose moment the store's clock jumped: gates count by that clock. Moments are real time plus all
 * those jumps, so that no gate's clock ever runs faster than they do.
 */
final class Callers {
    private static final long NANOS = 1_000;

    private final Judge judge;
    private final Map<StartRef, Lease> leases = new HashMap<>();
    private long jumped;
    private int jumps;
    private int steps;
    private boolean isBehind;
    private long calls;
    private long lates;

    /** One start, and every limit with a margin that has let it pass. */
    private static final class Lease {
        private final @Nullable String worker;
        private final long margin;
        private final long grantedNanos;
        private final int jumps;
        private final int steps;
        private final boolean isBehind;
        private final List<Part> parts = new ArrayList<>();
        private long enteredNanos = Long.MIN_VALUE;
        private boolean isRunning;
        private boolean isGivenUp;

        private Lease(@Nullable String worker, long margin, long grantedNanos, Callers all) {
            this.worker = worker;
            this.margin = margin;
            this.grantedNanos = grantedNanos;
            this.jumps = all.jumps;
            this.steps = all.steps;
            this.isBehind = all.isBehind;
        }
    }

    /** A start at one limit, and its call once that was made. */
    private static final class Part {
        private final GateKey gate;
        private final CallWatch limit;
        private final long units;
        private CallWatch.@Nullable Call call;

        private Part(GateKey gate, CallWatch limit, long units) {
            this.gate = gate;
            this.limit = limit;
            this.units = units;
        }
    }

    Callers(Judge judge) {
        this.judge = judge;
    }

    long calls() {
        return calls;
    }

    /** Starts that reached their handler too late and did not run. */
    long lates() {
        return lates;
    }

    /**
     * The store's clock was set.
     *
     * @param isNowBehind whether it has shown a later time before
     */
    void clockMoved(long micros, boolean isNowBehind) {
        isBehind = isNowBehind;
        steps++;
        if (micros > 0) {
            jumps++;
            jumped += micros;
        }
    }

    void granted(Track job, long nanos) {
        put(job, nanos);
    }

    private Lease put(Track job, long nanos) {
        Lease lease = new Lease(job.worker, job.margin, nanos, this);
        for (GateWatch gate : job.gates) {
            for (CallWatch limit : gate.calls()) {
                lease.parts.add(new Part(gate.key(), limit, gate.key().unitsOf(job.spec.cost())));
            }
        }
        leases.put(job.ref(), lease);
        return lease;
    }

    /** A limiter has let pass what is no job; limits that wait for the end of a handler do not count its call here. */
    void permitted(StartRef ref, long margin, long nanos, List<GateWatch> gates, long units) {
        Lease lease = new Lease(null, margin, nanos, this);
        for (GateWatch gate : gates) {
            gate.calls().stream()
                    .filter(limit -> !limit.isOpen())
                    .forEach(limit -> lease.parts.add(new Part(gate.key(), limit, units)));
        }
        leases.put(ref, lease);
    }

    /** A handler that prepared for long has got a new start for its call. */
    void grantedAnew(Track job, long nanos) {
        put(job, nanos).isRunning = true;
    }

    /**
     * A handler is about to make its call, having asked for that. I31: it is not later after its grant than a handler may
     * be entered.
     */
    void departs(StartRef ref, long nanos) {
        checkLag(ref, nanos, "departs");
    }

    /** A handler was told that its call would come too late, and makes none: it is as if it had never started. */
    void tooLate(StartRef ref) {
        Lease lease = leases.get(ref);
        if (lease != null) {
            lease.isGivenUp = true;
        }
    }

    /** Whether its start counts, because its handler was entered and has not been told that it is too late. */
    boolean isSpent(StartRef ref) {
        Lease lease = leases.get(ref);
        return lease != null && !lease.isGivenUp && isEntered(ref);
    }

    /** Whether it has to make its call within a certain time. */
    boolean isTimed(StartRef ref) {
        Lease lease = leases.get(ref);
        return lease != null && lease.margin > 0 && lease.margin != Margin.OPEN;
    }

    /** Under which id its worker was registered; absent if there was no such lease. */
    @Nullable
    String workerOf(StartRef ref) {
        Lease lease = leases.get(ref);
        return lease == null ? null : lease.worker;
    }

    long jumpedMicros() {
        return jumped;
    }

    void entered(StartRef ref, long nanos) {
        checkLag(ref, nanos, "was entered");
    }

    private void checkLag(StartRef ref, long nanos, String what) {
        Lease lease = leases.get(ref);
        if (lease == null) {
            judge.broken("I31", "%s: its handler %s without a grant".formatted(ref, what));
            return;
        }
        lease.enteredNanos = nanos;
        long lag = nanos - lease.grantedNanos;
        if (lease.margin > 0 && lag > lease.margin / 2 * NANOS) {
            judge.broken(
                    "I31",
                    "%s: its handler %s %d microseconds after its grant, with a margin of %d"
                            .formatted(ref, what, lag / NANOS, lease.margin));
        }
    }

    boolean isEntered(StartRef ref) {
        Lease lease = leases.get(ref);
        return lease != null && (lease.isRunning || lease.enteredNanos != Long.MIN_VALUE);
    }

    void late(StartRef ref, long nanos) {
        lates++;
        judge.noted(Judge.LATE, ref.id(), ref.epoch(), nanos);
    }

    /** Until when a call of this handler is covered if it ends then. */
    long coveredUntil(StartRef ref, long endsAt) {
        Lease lease = leases.get(ref);
        return lease == null || lease.margin == 0 ? endsAt : Math.min(endsAt, travelledBy(lease));
    }

    /** Whether some limit covers its calls until its end. */
    boolean isOpen(StartRef ref) {
        Lease lease = leases.get(ref);
        return lease != null && lease.parts.stream().anyMatch(part -> part.limit.isOpen());
    }

    private static long travelledBy(Lease lease) {
        return lease.enteredNanos + (lease.margin - lease.margin / 2) * NANOS;
    }

    /** @param storeMicros what the store's clock shows */
    void called(StartRef ref, boolean isHeld, long nanos, long storeMicros) {
        calls++;
        Lease lease = leases.get(ref);
        if (lease == null) {
            return;
        }
        for (Part part : lease.parts) {
            boolean isCovered = part.limit.isOpen() ? isHeld : lease.margin > 0 && nanos <= travelledBy(lease);
            boolean isTold = part.limit.isByCalendar()
                    ? lease.steps == steps && !lease.isBehind
                    : part.limit.isOpen() || lease.jumps == jumps;
            long units = part.limit.isByCost() ? part.units : 1;
            if (!isCovered || !isTold || units == 0) {
                continue;
            }
            CallWatch.Call call =
                    new CallWatch.Call(part.limit.isByCalendar() ? storeMicros : nanos / NANOS + jumped, units);
            part.call = call;
            if (!part.limit.note(call)) {
                judge.broken(
                        "I31",
                        "%s: the call of %s breaks %s where it arrives: %s"
                                .formatted(part.gate, ref, part.limit.limit().text(), part.limit.figures()));
            }
        }
    }

    /** A start has come back and took less than it was charged: so its call was smaller. */
    void settled(StartRef ref, GateKey gate, long actual) {
        Lease lease = leases.get(ref);
        if (lease == null) {
            return;
        }
        for (Part part : lease.parts) {
            if (part.call != null && part.limit.isByCost() && part.gate.equals(gate)) {
                part.call.units = Math.min(part.call.units, actual);
            }
        }
    }
}

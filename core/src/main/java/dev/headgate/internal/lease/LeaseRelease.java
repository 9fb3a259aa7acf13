package dev.headgate.internal.lease;

import dev.headgate.internal.admission.GateLedger;
import dev.headgate.internal.admission.ReleaseKind;
import dev.headgate.internal.admission.Start;
import dev.headgate.internal.time.Micros;
import dev.headgate.job.Lane;
import dev.headgate.job.Outcome;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.Hold;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the gates of a lease learn when it comes back.
 *
 * @param shut the gate or queue of the job that pushed back; absent if none did
 * @param isLate its handler did not run, so the start does not count
 * @param lag the time from its grant to its handler, in microseconds; absent if unknown
 */
public record LeaseRelease(
        ReleaseKind how,
        Map<String, Long> settled,
        Outcome.@Nullable PushedBack pushed,
        @Nullable GateKey shut,
        boolean isLate,
        @Nullable Long lag) {
    public static final LeaseRelease LOST = new LeaseRelease(ReleaseKind.LOST, Map.of(), null, null, false, null);

    /** A start that does not count, with nothing else known of it. */
    public static final LeaseRelease GIVEN_UP = new LeaseRelease(ReleaseKind.UNKNOWN, Map.of(), null, null, true, null);

    public static LeaseRelease of(EndedLease ended) {
        return switch (ended.outcome()) {
            case Outcome.PushedBack pushed -> of(ReleaseKind.UNKNOWN, ended, pushed);
            case Outcome.HandedBack back -> of(ReleaseKind.UNKNOWN, ended, null);
            case Outcome.Late late ->
                new LeaseRelease(ReleaseKind.UNKNOWN, Map.of(), null, null, true, Micros.of(late.lag()));
            case Outcome.Parked parked -> of(ReleaseKind.UNKNOWN, ended, null);
            default -> of(ReleaseKind.OK, ended, null);
        };
    }

    private static LeaseRelease of(ReleaseKind how, EndedLease ended, Outcome.@Nullable PushedBack pushed) {
        GateKey shut = pushed == null ? null : shutBy(ended.lease().spec().lane(), pushed);
        return new LeaseRelease(how, ended.settled(), pushed, shut, false, ended.lag());
    }

    /** Tells a gate how long it took from the grant to the handler. */
    public void tellLag(GateLedger ledger) {
        if (lag != null) {
            ledger.lagged(lag, isLate);
        }
    }

    /** A job that one gate pushed back says nothing about its other gates. */
    public ReleaseKind at(GateKey gate) {
        return gate.equals(shut) ? ReleaseKind.REJECTED : how;
    }

    public long actual(String gate, long charged) {
        return settled.getOrDefault(gate, charged);
    }

    /** The gate of this lane that pushed back, else its queue; absent if it is neither. */
    public static @Nullable GateKey shutBy(Lane lane, Outcome.PushedBack pushed) {
        if (lane.gates().contains(pushed.gate())) {
            return GateKey.gate(pushed.gate());
        }
        return lane.queue().equals(pushed.gate()) ? GateKey.queue(pushed.gate()) : null;
    }

    /** Shuts the gate or queue that pushed back. */
    public void pushBack(GateLedger ledger, Start start, long now) {
        if (pushed != null && ledger.key().equals(shut)) {
            Long wait = Hold.waitMicros(pushed.retryAfter());
            ledger.reject(start, wait, pushed.jitter(), pushed.reason(), now);
        }
    }
}

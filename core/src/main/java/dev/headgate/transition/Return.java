package dev.headgate.transition;

import dev.headgate.admission.GateKey;
import dev.headgate.admission.GateLedger;
import dev.headgate.admission.Micros;
import dev.headgate.admission.Returned;
import dev.headgate.job.Outcome;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How one lease came back, as far as its gates are concerned: well or not, and what it really took of them.
 *
 * @param isLate its handler did not run: it is as if it had never started
 */
record Return(Returned how, Map<String, Long> settled, Outcome.@Nullable PushedBack pushed, boolean isLate) {
    static final Return LOST = new Return(Returned.LOST, Map.of(), null);

    private Return(Returned how, Map<String, Long> settled, Outcome.@Nullable PushedBack pushed) {
        this(how, settled, pushed, false);
    }

    static Return of(Ended ended) {
        return switch (ended.outcome()) {
            case Outcome.PushedBack pushed -> new Return(Returned.UNKNOWN, ended.settled(), pushed);
            case Outcome.HandedBack back -> new Return(Returned.UNKNOWN, ended.settled(), null);
            case Outcome.Late late -> new Return(Returned.UNKNOWN, Map.of(), null, true);
            case Outcome.Parked parked -> new Return(Returned.UNKNOWN, ended.settled(), null);
            default -> new Return(Returned.OK, ended.settled(), null);
        };
    }

    /** A job that was pushed back at one gate says nothing about the others. */
    Returned at(GateKey gate) {
        boolean isHere = pushed != null && gate.equals(GateKey.gate(pushed.gate()));
        return isHere ? Returned.REJECTED : how;
    }

    long actual(String gate, long charged) {
        return settled.getOrDefault(gate, charged);
    }

    /** Shuts the gate that pushed back. */
    void pushBack(GateLedger ledger, long startedAt, long now) {
        if (pushed != null && ledger.key().equals(GateKey.gate(pushed.gate()))) {
            Long wait = pushed.retryAfter() == null ? null : Long.valueOf(Micros.of(pushed.retryAfter()));
            ledger.reject(startedAt, wait, pushed.jitter(), pushed.reason(), now);
        }
    }
}

package dev.headgate.transition;

import dev.headgate.admission.GateKey;
import dev.headgate.admission.GateLedger;
import dev.headgate.admission.Micros;
import dev.headgate.admission.Returned;
import dev.headgate.admission.Start;
import dev.headgate.job.Outcome;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How one lease came back, as far as its gates are concerned: well or not, and what it really took of them.
 *
 * @param isLate its handler did not run: it is as if it had never started
 * @param lag how long after its grant its handler was reached, in microseconds; absent if that is not known
 */
record Return(
        Returned how,
        Map<String, Long> settled,
        Outcome.@Nullable PushedBack pushed,
        boolean isLate,
        @Nullable Long lag) {
    static final Return LOST = new Return(Returned.LOST, Map.of(), null, false, null);

    /** As if it had never started, of which nothing else is known. */
    static final Return GIVEN_UP = new Return(Returned.UNKNOWN, Map.of(), null, true, null);

    static Return of(Ended ended) {
        return switch (ended.outcome()) {
            case Outcome.PushedBack pushed -> of(Returned.UNKNOWN, ended, pushed);
            case Outcome.HandedBack back -> of(Returned.UNKNOWN, ended, null);
            case Outcome.Late late -> new Return(Returned.UNKNOWN, Map.of(), null, true, Micros.of(late.lag()));
            case Outcome.Parked parked -> of(Returned.UNKNOWN, ended, null);
            default -> of(Returned.OK, ended, null);
        };
    }

    private static Return of(Returned how, Ended ended, Outcome.@Nullable PushedBack pushed) {
        return new Return(how, ended.settled(), pushed, false, ended.lag());
    }

    /** Tells a gate how long it took from the grant to the handler. */
    void tellLag(GateLedger ledger) {
        if (lag != null) {
            ledger.lagged(lag, isLate);
        }
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
    void pushBack(GateLedger ledger, Start start, long now) {
        if (pushed != null && ledger.key().equals(GateKey.gate(pushed.gate()))) {
            Long wait = pushed.retryAfter() == null ? null : Long.valueOf(Micros.of(pushed.retryAfter()));
            ledger.reject(start, wait, pushed.jitter(), pushed.reason(), now);
        }
    }
}

package dev.headgate.internal.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.time.Micros;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Limit;
import org.junit.jupiter.api.Test;

/** Starts without a job. */
class PermitsTest {
    private static final long SECOND = Micros.PER_SECOND;

    private static GateLedger gate(String policy) {
        return new GateLedger(GateKey.gate("api"), GatePolicy.parse(policy), GateState.NEW);
    }

    private static long next(GateLedger gate, long now) {
        return gate.next(new Waiter("", 0, 1), now);
    }

    @Test
    void oneThatHoldsNoPlaceIsInUseAtNoTimeAndCountsAtTheEndOfItsMargin() {
        GateLedger gate = gate("window 1/1h margin 10s");
        gate.permits().start(1, gate.margin(), 0);
        assertThat(gate.leases()).isZero();
        assertThat(gate.unitsInUse()).isZero();
        assertThat(next(gate, 0)).isEqualTo(3610 * SECOND);
        assertThat(gate.figures(0).lags().toEnd(100)).as("it has not ended").isNull();
    }

    @Test
    void itsEndMovesItOnceAndALateOneLeavesNothing() {
        GateLedger gate = gate("window 1/1h margin 10s");
        Start start = new Start(0, gate.margin());
        gate.permits().start(1, gate.margin(), 0);
        gate.permits().end(1, start, 2 * SECOND);
        gate.permits().end(1, start, 3 * SECOND);
        assertThat(next(gate, 3 * SECOND)).isEqualTo(3602 * SECOND);
        GateLedger other = gate("window 1/1h margin 10s");
        other.permits().start(1, other.margin(), 0);
        other.permits().giveUpStart(1, start, 6 * SECOND);
        assertThat(next(other, 6 * SECOND)).isEqualTo(GateLedger.AT_ONCE);
        assertThat(other.leases()).isZero();
    }

    /** A limit that is only tried must not make limiters hold places. */
    @Test
    void aShadowThatCountsUntilTheEndCountsOneWithoutAPlaceAtOnceAndOnce() {
        GateLedger gate = gate("window 9/1h margin 10s; shadow window 2/1h margin end");
        Limit shadow = gate.policy().shadows().getFirst();
        assertThat(gate.permits().areNeeded()).isFalse();
        Start start = new Start(0, gate.margin());
        gate.permits().start(1, gate.margin(), 0);
        gate.permits().end(1, start, SECOND);
        gate.permits().start(1, gate.margin(), SECOND);
        assertThat(gate.figures(SECOND).blockedBy(shadow)).isZero();
        gate.permits().start(1, gate.margin(), SECOND);
        assertThat(gate.figures(SECOND).blockedBy(shadow)).isEqualTo(1);
    }

    @Test
    void whatAStartWithoutAPlaceNeededMoreIsAlsoADebtOfAShadowThatCountsUntilTheEnd() {
        GateLedger gate = gate("window 99/1h margin 10s; shadow window 10/1h by-cost margin end");
        Limit shadow = gate.policy().shadows().getFirst();
        Start start = new Start(0, gate.margin());
        gate.permits().start(1, gate.margin(), 0);
        gate.permits().settleStart(1, 10, start, SECOND);
        gate.permits().start(1, gate.margin(), SECOND);
        assertThat(gate.figures(SECOND).blockedBy(shadow)).isEqualTo(1);
    }

    @Test
    void whenTheGateIsClearedItsPermitsCountNoMore() {
        GateLedger gate = gate("window 1/1h margin end");
        gate.permits().grant(-2, 1, 30 * SECOND, 0, 0);
        assertThat(next(gate, 0)).isEqualTo(GateLedger.UNTIL_RELEASE);
        gate.clear();
        gate.permits().revoke();
        assertThat(gate.leases()).isZero();
        assertThat(next(gate, 0)).isEqualTo(GateLedger.AT_ONCE);
    }
}

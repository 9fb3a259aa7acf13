package dev.headgate.internal.admission;

import static dev.headgate.internal.admission.Gates.waiter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.explain.Decision;
import dev.headgate.internal.admission.GateState.Reservation;
import dev.headgate.internal.admission.GateState.Stored;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Hold;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GateStateTest {
    private static final GatePolicy POLICY = GatePolicy.parse("rate 2/1s burst 4; concurrency 9");

    private static GateLedger restore(String memory) {
        return GateLedger.restore(GateKey.gate("a"), POLICY, new Stored(3, 5, memory), 1_000_000);
    }

    @Test
    void whatIsRememberedComesBack() {
        Random random = new Random(3);
        for (int i = 0; i < 5_000; i++) {
            long of = 1L + random.nextInt(1000);
            GateState state = new GateState(
                    random.nextInt(9),
                    random.nextInt(99),
                    random.nextLong(1L << 52),
                    random.nextBoolean(),
                    random.nextBoolean() ? null : new Hold(5, 9, 2, true, 7, "429, so %wait+= a\nbit — ö \uD83D\uDE00"),
                    random.nextBoolean() ? null : new Reservation("lane_-Az09", -random.nextLong(1L << 50), 3, 77),
                    Map.of("b.1000000j", random.nextLong(1L << 52) + "+" + random.nextLong(of) + "/" + of));
            GateState again = GateState.parse(new Stored(state.leases(), state.units(), state.memory()));
            assertThat(again).isEqualTo(state);
        }
    }

    @Test
    void aGateWithoutMemoryIsNew() {
        GateLedger gate = restore("");
        assertThat(gate.state()).isEqualTo(new GateState(3, 5, 0, false, null, null, Map.of()));
        assertThat(gate.isTouched()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "garbage",
                "seen=",
                "seen=abc",
                "seen=1 b.1000000j=",
                "seen=1 b.1000000j=5",
                "seen=1 b.1000000j=5+9/3",
                "seen=1 r=lane,1",
                "seen=1  b.1000000j=5/1",
                "=",
                " "
            })
    void anUnreadableMemoryIsAnEmptyBucketAndIsWrittenBack(String memory) {
        GateLedger gate = restore(memory);
        assertThat(gate.state().leases()).isEqualTo(3);
        assertThat(gate.state().units()).isEqualTo(5);
        assertThat(gate.isTouched()).isTrue();
        assertThat(gate.checkLimits(waiter("l", 1), 1_000_000)).isInstanceOf(Decision.Blocked.class);
        assertThat(gate.checkLimits(waiter("l", 1), 1_499_999)).isInstanceOf(Decision.Blocked.class);
        assertThat(gate.checkLimits(waiter("l", 1), 1_500_000)).isEqualTo(Decision.ADMITTED);
    }

    @Test
    void entriesOfKindsThatAreNotKnownAreKeptAsTheyAre() {
        GateLedger gate = restore("seen=1 b.1000000j=1500000/2 z.new=7,x");
        assertThat(gate.isTouched()).isFalse();
        gate.take(waiter("l", 1), 1_000_000);
        assertThat(gate.state().memory()).contains(" z.new=7,x").contains("b.1000000j=2000000/2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rate 2/1s burst 4",
                "window 2/1s",
                "window 500/1m by-cost",
                "spaced 5/1s",
                "delay 1s",
                "spaced 5/1s by-cost",
                "quota 2/day UTC"
            })
    void aLostMemoryIsASpentLimitOfWhateverKind(String limit) {
        GateLedger gate = GateLedger.restore(
                GateKey.gate("a"), GatePolicy.parse(limit), new Stored(0, 0, "seen=1 w.1000000j=!"), 1_000_000);
        GateLedger lost =
                GateLedger.restore(GateKey.gate("a"), GatePolicy.parse(limit), new Stored(0, 0, "seen"), 1_000_000);
        assertThat(gate.opens(1, 1_000_000)).isGreaterThan(1_000_000);
        assertThat(lost.opens(1, 1_000_000)).isGreaterThan(1_000_000);
        GateState written = lost.state();
        assertThat(GateLedger.restore(lost.key(), lost.policy(), new Stored(0, 0, written.memory()), 1_500_000)
                        .opens(1, 1_000_000))
                .isEqualTo(lost.opens(1, 1_000_000));
    }
}

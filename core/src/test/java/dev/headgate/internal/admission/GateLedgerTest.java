package dev.headgate.internal.admission;

import static dev.headgate.internal.admission.Gates.SECOND;
import static dev.headgate.internal.admission.Gates.gate;
import static dev.headgate.internal.admission.Gates.waiter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.explain.Decision;
import dev.headgate.explain.Decision.Cause;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.GateKey;
import org.junit.jupiter.api.Test;

class GateLedgerTest {
    private static final long NOW = 500 * SECOND;

    private static void fill(GateLedger gate, int times) {
        for (int i = 0; i < times; i++) {
            gate.take(waiter("holder", 0), NOW);
        }
    }

    @Test
    void theLongestBlockIsTheAnswerAndAReleaseHasNoKnownEnd() {
        GateLedger gate = gate("a", "rate 1/10s burst 2; rate 1/1m burst 2; concurrency 9");
        fill(gate, 2);
        assertThat(gate.checkLimits(waiter("l", 1), NOW)).satisfies(decision -> {
            assertThat(((Decision.Blocked) decision).cause().rule()).isEqualTo("rate 1/1m burst 2");
            assertThat(((Decision.Blocked) decision).next()).isEqualTo(Micros.instant(NOW + 60 * SECOND));
        });
        GateLedger both = gate("a", "rate 1/10s burst 1; concurrency 1");
        fill(both, 1);
        assertThat(((Decision.Blocked) both.checkLimits(waiter("l", 1), NOW)).next())
                .isNull();
    }

    @Test
    void nothingOvertakesTheLineButTheOlderAndItsOwnLane() {
        GateLedger gate = gate("a", "concurrency 5");
        gate.line().head(waiter("first", 10));
        assertThat(gate.check(waiter("younger", 11), NOW))
                .isEqualTo(new Decision.Blocked(GateKey.gate("a"), new Cause.InLine(false), null));
        assertThat(gate.check(waiter("older", 9), NOW)).isEqualTo(Decision.ADMITTED);
        assertThat(gate.check(waiter("first", 12), NOW)).isEqualTo(Decision.ADMITTED);
        assertThat(gate.checkLimits(waiter("younger", 11), NOW)).isEqualTo(Decision.ADMITTED);
    }

    @Test
    void aReservationIsLeftByTheYoungerAndIgnoredByTheOlder() {
        GateLedger gate = gate("a", "concurrency 2");
        fill(gate, 1);
        gate.reserve(waiter("kept", 10), NOW + SECOND);
        assertThat(gate.checkLimits(waiter("younger", 11), NOW)).satisfies(decision -> {
            assertThat(((Decision.Blocked) decision).cause()).isEqualTo(new Cause.Reserved());
            assertThat(((Decision.Blocked) decision).next()).isEqualTo(Micros.instant(NOW + SECOND));
        });
        assertThat(gate.checkLimits(waiter("older", 9), NOW)).isEqualTo(Decision.ADMITTED);
        assertThat(gate.checkLimits(waiter("kept", 12), NOW)).isEqualTo(Decision.ADMITTED);
        assertThat(gate.checkLimits(waiter("younger", 11), NOW + SECOND)).isEqualTo(Decision.ADMITTED);
        gate.take(waiter("kept", 10), NOW);
        assertThat(gate.state().reservation()).isNull();
    }

    @Test
    void theOneKeptOutIsDueWhenTimeLeavesRoomForBoth() {
        GateLedger gate = gate("a", "rate 1/1s burst 2");
        gate.take(waiter("before", 1), NOW);
        gate.reserve(waiter("kept", 10), NOW + 80 * SECOND);
        gate.line().head(waiter("younger", 11));
        assertThat(gate.checkLimits(waiter("younger", 11), NOW)).isInstanceOf(Decision.Blocked.class);
        assertThat(gate.wakeAt(NOW)).isEqualTo(NOW + SECOND);
        assertThat(gate.checkLimits(waiter("younger", 11), NOW + SECOND)).isEqualTo(Decision.ADMITTED);
    }

    @Test
    void aReservationLeavesOthersWhatIsMoreThanEnough() {
        GateLedger gate = gate("a", "budget 10");
        gate.reserve(waiter("kept", 10, 4), NOW + SECOND);
        assertThat(gate.checkLimits(waiter("younger", 11, 6), NOW)).isEqualTo(Decision.ADMITTED);
        assertThat(gate.checkLimits(waiter("younger", 11, 7), NOW)).isInstanceOf(Decision.Blocked.class);
    }

    @Test
    void onlyTheOldestReservationStands() {
        GateLedger gate = gate("a", "concurrency 1");
        gate.reserve(waiter("middle", 10), NOW + SECOND);
        gate.reserve(waiter("younger", 11), NOW + SECOND);
        assertThat(gate.state().reservation().lane()).isEqualTo("middle");
        gate.reserve(waiter("older", 9), NOW + SECOND);
        assertThat(gate.state().reservation().lane()).isEqualTo("older");
        gate.dropReservation("middle");
        assertThat(gate.state().reservation()).isNotNull();
    }

    @Test
    void theWakeIsWhenTimeAloneLetsTheFirstInLinePass() {
        GateLedger rate = gate("a", "rate 1/10s burst 1");
        assertThat(rate.wakeAt(NOW)).isNull();
        fill(rate, 1);
        rate.line().head(waiter("l", 1));
        assertThat(rate.wakeAt(NOW)).isEqualTo(NOW + 10 * SECOND);
        assertThat(rate.wakeAt(NOW + 10 * SECOND)).isEqualTo(GateLedger.AT_ONCE);
        GateLedger places = gate("a", "concurrency 1");
        fill(places, 1);
        places.line().head(waiter("l", 1));
        assertThat(places.wakeAt(NOW)).isNull();
        GateLedger budget = gate("a", "budget 3");
        budget.line().head(waiter("l", 1, 4));
        assertThat(budget.wakeAt(NOW)).isEqualTo(GateLedger.AT_ONCE);
    }

    @Test
    void roomIsHowManyCouldPassOneAfterTheOther() {
        assertThat(gate("a", "concurrency 3").startableCount(waiter("l", 1), NOW, 9))
                .isEqualTo(3);
        assertThat(gate("a", "budget 7").startableCount(waiter("l", 1, 2), NOW, 9))
                .isEqualTo(3);
        assertThat(gate("a", "rate 1/1s burst 4; concurrency 9").startableCount(waiter("l", 1), NOW, 9))
                .isEqualTo(4);
        assertThat(gate("a", "").startableCount(waiter("l", 1), NOW, 9)).isEqualTo(9);
        assertThat(gate("a", "budget 7").startableCount(waiter("l", 1, 8), NOW, 9))
                .isEqualTo(1);
    }

    @Test
    void aReleaseGivesThePlaceBackAndKeepsTheTokenSpent() {
        GateLedger gate = gate("a", "concurrency 1; rate 1/1s burst 1");
        gate.take(waiter("l", 1, 5), NOW);
        assertThat(gate.state().units()).isEqualTo(5);
        gate.release(5);
        assertThat(gate.state().leases()).isZero();
        assertThat(gate.state().units()).isZero();
        assertThat(gate.checkLimits(waiter("l", 1), NOW)).isInstanceOf(Decision.Blocked.class);
    }

    @Test
    void askingChangesNothing() {
        GateLedger gate = gate("a", "concurrency 1; budget 3; rate 1/1s burst 1");
        GateState before = gate.state();
        gate.check(waiter("l", 1), NOW);
        gate.startableCount(waiter("l", 1), NOW, 5);
        gate.wakeAt(NOW);
        assertThat(gate.state()).isEqualTo(before);
        assertThat(gate.isTouched()).isFalse();
    }

    @Test
    void aGateIsWrittenBackOnlyIfSomethingHasChanged() {
        GateLedger gate = gate("a", "concurrency 1");
        gate.resume();
        gate.lift(NOW);
        gate.dropReservation("l");
        gate.dropFormer(waiter("l", 1));
        assertThat(gate.isTouched()).isFalse();
        gate.pause();
        assertThat(gate.isTouched()).isTrue();
        GateLedger paused = again(gate);
        paused.pause();
        assertThat(paused.isTouched()).isFalse();
        paused.resume();
        assertThat(paused.isTouched()).isTrue();
        GateLedger held = again(paused);
        held.hold(NOW + SECOND, false, "", NOW);
        assertThat(held.isTouched()).isTrue();
        GateLedger heldAlready = again(held);
        heldAlready.hold(NOW + 1, false, "", NOW);
        assertThat(heldAlready.isTouched()).isFalse();
        assertThat(heldAlready.heldUntil()).isEqualTo(NOW + SECOND);
        assertThat(heldAlready.lift(NOW)).isTrue();
        assertThat(heldAlready.isTouched()).isTrue();
        assertThat(heldAlready.heldUntil()).isEqualTo(GateLedger.AT_ONCE);
        GateLedger over = again(held);
        assertThat(over.lift(NOW + SECOND)).isFalse();
        assertThat(over.isTouched()).isTrue();
    }

    @Test
    void whatIsKeptEndsWithTheHeadItWasKeptFor() {
        GateLedger gate = gate("a", "concurrency 1");
        gate.reserve(waiter("kept", 10), NOW + SECOND);
        GateLedger again = again(gate);
        again.dropFormer(waiter("kept", 10));
        again.dropFormer(waiter("other", 11));
        again.dropReservation("other");
        again.reserve(waiter("younger", 11), NOW + SECOND);
        assertThat(again.isTouched()).isFalse();
        assertThat(again.state().reservation()).isNotNull();
        again.dropFormer(waiter("kept", 11));
        assertThat(again.isTouched()).isTrue();
        assertThat(again.state().reservation()).isNull();
    }

    private static GateLedger again(GateLedger gate) {
        return new GateLedger(gate.key(), gate.policy(), gate.state());
    }
}

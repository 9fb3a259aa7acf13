package dev.headgate.internal.admission;

import static dev.headgate.internal.admission.Gates.SECOND;
import static dev.headgate.internal.admission.Gates.gate;
import static dev.headgate.internal.admission.Gates.waiter;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headgate.explain.Decision;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.BackOff;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Hold;
import dev.headgate.limit.Limit;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class HoldTest {
    private static final long NOW = 500 * SECOND;

    private static Decision ask(GateLedger gate, long now) {
        return gate.checkLimits(waiter("l", 1), now);
    }

    private static void start(GateLedger gate, long job, long now) {
        assertThat(ask(gate, now)).isEqualTo(Decision.ADMITTED);
        gate.take(new Waiter("l", 1, 1, job, ""), now);
    }

    private static String rule(GateLedger gate, long now) {
        return ((Decision.Blocked) ask(gate, now)).cause().rule();
    }

    private static GateLedger restored(GateLedger gate) {
        GateState state = gate.state();
        return GateLedger.restore(
                gate.key(), gate.policy(), new GateState.Stored(state.leases(), state.units(), state.memory()), NOW);
    }

    @Test
    void aHoldShutsTheGateUntilItsInstantAndSaysWhy() {
        GateLedger gate = gate("a", "concurrency 9");
        assertThat(gate.hold(NOW + SECOND, false, "maintenance, till \"noon\"", NOW))
                .isTrue();
        assertThat(ask(restored(gate), NOW))
                .isEqualTo(new Decision.Blocked(
                        gate.key(),
                        new Decision.Cause.Held(
                                Objects.requireNonNull(gate.state().hold())),
                        Micros.instant(NOW + SECOND)));
        assertThat(ask(gate, NOW))
                .hasToString("gate a: held: maintenance, till \"noon\" (hold), opens " + Micros.instant(NOW + SECOND));
        assertThat(gate.opens(1, NOW)).isEqualTo(NOW + SECOND);
        start(gate, 1, NOW + SECOND);
        start(gate, 2, NOW + SECOND);
        assertThat(gate.state().hold()).isNull();
    }

    @Test
    void theLaterOfTwoHoldsWinsAndOneInThePastIsIgnored() {
        GateLedger gate = gate("a", "");
        assertThat(gate.hold(NOW, false, "past", NOW)).isFalse();
        assertThat(gate.isTouched()).isFalse();
        gate.hold(NOW + 9, false, "long", NOW);
        gate.hold(NOW + 5, false, "short", NOW);
        assertThat(gate.state().hold()).satisfies(hold -> {
            assertThat(hold.until()).isEqualTo(NOW + 9);
            assertThat(hold.reason()).isEqualTo("long");
        });
    }

    @Test
    void theLatestOfHoldAndLimitIsTheAnswer() {
        GateLedger gate = gate("a", "delay 10s");
        start(gate, 1, NOW);
        gate.hold(NOW + SECOND, false, "", NOW);
        assertThat(rule(gate, NOW)).isEqualTo("delay 10s");
        gate.hold(NOW + 20 * SECOND, false, "", NOW);
        assertThat(rule(gate, NOW)).isEqualTo("hold");
        GateLedger full = gate("a", "concurrency 1");
        start(full, 1, NOW);
        full.hold(NOW + SECOND, false, "", NOW);
        assertThat(rule(full, NOW)).isEqualTo("hold");
        assertThat(rule(full, NOW + SECOND)).isEqualTo("concurrency 1");
    }

    @Test
    void aRejectionBacksOffThenOneProbeGoesAheadThenAllFollow() {
        GateLedger gate = gate("a", "concurrency 9");
        start(gate, 1, NOW);
        assertThat(gate.reject(new Start(NOW, 0), null, 0, "429", NOW + SECOND)).isTrue();
        gate.release(1, 1, ReleaseKind.REJECTED);
        assertThat(gate.opens(1, NOW + SECOND)).isEqualTo(NOW + 2 * SECOND);
        assertThat(rule(gate, NOW + 2 * SECOND - 1)).isEqualTo("hold");
        start(gate, 2, NOW + 2 * SECOND);
        GateLedger probing = restored(gate);
        assertThat(ask(probing, NOW + 3 * SECOND))
                .isEqualTo(new Decision.Blocked(gate.key(), new Decision.Cause.Probing(), null));
        assertThat(probing.opens(1, NOW + 3 * SECOND)).isEqualTo(GateLedger.UNTIL_RELEASE);
        probing.release(77, 1, ReleaseKind.OK);
        assertThat(rule(probing, NOW + 3 * SECOND)).isEqualTo("probe");
        probing.release(2, 1, ReleaseKind.OK);
        start(probing, 3, NOW + 3 * SECOND);
        start(probing, 4, NOW + 3 * SECOND);
    }

    @Test
    void aProbeThatTellsNothingIsFollowedByAnother() {
        GateLedger gate = gate("a", "");
        gate.reject(new Start(NOW, 0), null, 0, "429", NOW);
        start(gate, 2, NOW + SECOND);
        gate.release(2, 1, ReleaseKind.UNKNOWN);
        start(gate, 3, NOW + SECOND);
        assertThat(rule(gate, NOW + SECOND)).isEqualTo("probe");
    }

    @Test
    void theStreakGrowsOncePerEpisodeWhateverIsRejectedLate() {
        GateLedger gate = gate("a", "");
        for (int job = 1; job <= 5; job++) {
            gate.take(new Waiter("l", 1, 1, job, ""), NOW);
        }
        assertThat(gate.reject(new Start(NOW, 0), null, 0, "429", NOW + 1)).isTrue();
        assertThat(gate.reject(new Start(NOW, 0), null, 0, "429", NOW + 2)).isFalse();
        assertThat(gate.reject(new Start(NOW, 0), 5 * SECOND, 0, "told", NOW + 3))
                .isFalse();
        assertThat(gate.state().hold().streak()).isEqualTo(1);
        assertThat(gate.opens(1, NOW + 3)).isEqualTo(NOW + 3 + 5 * SECOND);
        long probeAt = NOW + 3 + 5 * SECOND;
        start(gate, 9, probeAt);
        assertThat(gate.reject(new Start(probeAt, 0), null, 0, "429", probeAt + 1))
                .isTrue();
        assertThat(gate.opens(1, probeAt + 1)).isEqualTo(probeAt + 1 + 2 * SECOND);
        for (int i = 0; i < 100; i++) {
            assertThat(ask(gate, probeAt + 1)).isInstanceOf(Decision.Blocked.class);
        }
        assertThat(gate.state().hold().streak()).isEqualTo(2);
    }

    @Test
    void theBackOffDoublesUpToItsMaximumPlusJitterOfUpToAsMuch() {
        BackOff twice = BackOff.DEFAULT;
        assertThat(twice.micros(1, 0)).isEqualTo(SECOND);
        assertThat(twice.micros(2, 0)).isEqualTo(2 * SECOND);
        assertThat(twice.micros(9, 0)).isEqualTo(256 * SECOND);
        assertThat(twice.micros(11, 0)).isEqualTo(600 * SECOND);
        assertThat(twice.micros(1_000, 0)).isEqualTo(600 * SECOND);
        assertThat(twice.micros(1, 500_000)).isEqualTo(1_500_000);
        assertThat(twice.micros(1, BackOff.JITTER_FULL - 1)).isLessThan(2 * SECOND);
        BackOff slow = new BackOff(Duration.ofMillis(10), 150, Duration.ofDays(366));
        assertThat(slow.micros(3, 0)).isEqualTo(22_500);
        assertThat(slow.micros(1_000, 999_999)).isLessThan(2 * 366 * 86_400L * SECOND);
        assertThat(GatePolicy.parse("back-off 10ms x1.5 max 366d").backOff()).isEqualTo(slow);
        assertThat(slow.text()).isEqualTo("back-off 10ms x1.5 max 366d");
    }

    @Test
    void eachBoundOfABackOffIsChecked() {
        Duration second = Duration.ofSeconds(1);
        assertThatIllegalArgumentException().isThrownBy(() -> new BackOff(Duration.ZERO, 200, second));
        assertThatIllegalArgumentException().isThrownBy(() -> new BackOff(second.negated(), 200, second));
        assertThatIllegalArgumentException().isThrownBy(() -> new BackOff(second, 100, Duration.ofMinutes(1)));
        assertThatIllegalArgumentException().isThrownBy(() -> new BackOff(second, 200, second));
        assertThatIllegalArgumentException().isThrownBy(() -> GatePolicy.parse("back-off 1s 2 max 10m"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GatePolicy.parse("back-of 1s x2 max 10m"))
                .withMessageContaining("did you mean 'back-off'");
    }

    @Test
    void aPauseOutlastsEverythingAndAClearLeavesItAndWhatIsInUse() {
        GateLedger gate = gate("a", "concurrency 2; window 1/1h");
        start(gate, 1, NOW);
        gate.reject(new Start(NOW, 0), null, 0, "429", NOW);
        gate.pause();
        assertThat(rule(restored(gate), NOW)).isEqualTo("paused");
        assertThat(gate.opens(1, NOW)).isEqualTo(GateLedger.UNTIL_RELEASE);
        gate.clear();
        assertThat(rule(gate, NOW)).isEqualTo("paused");
        gate.resume();
        start(gate, 2, NOW);
        assertThat(gate.state().leases()).isEqualTo(2);
        assertThat(rule(gate, NOW)).isEqualTo("concurrency 2");
    }

    @Test
    void anOperatorsHoldDuringTheProbeIsNotErasedByTheProbesSuccess() {
        GateLedger gate = gate("a", "");
        gate.reject(new Start(NOW, 0), null, 0, "429", NOW);
        start(gate, 2, NOW + SECOND);
        gate.hold(NOW + 9 * SECOND, false, "stop", NOW + SECOND);
        gate.release(2, 1, ReleaseKind.OK);
        assertThat(gate.opens(1, NOW + 2 * SECOND)).isEqualTo(NOW + 9 * SECOND);
    }

    @Test
    void anAdaptiveLimitIsHalvedOncePerEpisodeAndGrowsByOnePerRound() {
        GateLedger gate = gate("a", "adaptive 1..8");
        for (int i = 0; i < 100; i++) {
            start(gate, 1, NOW);
            gate.release(1, 1, ReleaseKind.OK);
        }
        assertThat(gate.figures(NOW).of(Limit.adaptive(1, 8))).isEqualTo("0 of 8 in use, between 1 and 8");
        gate.reject(new Start(NOW, 0), null, 0, "429", NOW + 1);
        gate.reject(new Start(NOW, 0), null, 0, "429", NOW + 2);
        assertThat(restored(gate).figures(NOW).of(Limit.adaptive(1, 8))).isEqualTo("0 of 4 in use, between 1 and 8");
        gate.clear();
        assertThat(gate.figures(NOW).of(Limit.adaptive(1, 8))).startsWith("0 of 1");
    }

    /** They started before the push-back, and say nothing about how many calls are welcome since. */
    @Test
    void whatEndsWellWhileTheGateIsHeldDoesNotLetItsLimitGrow() {
        GateLedger gate = gate("a", "adaptive 1..8");
        for (int i = 0; i < 100; i++) {
            start(gate, 1, NOW);
            gate.release(1, 1, ReleaseKind.OK);
        }
        for (int job = 1; job <= 8; job++) {
            start(gate, job, NOW);
        }
        gate.reject(new Start(NOW, 0), null, 0, "429", NOW + 1);
        for (int job = 1; job <= 8; job++) {
            gate.release(job, 1, ReleaseKind.OK);
        }
        assertThat(gate.figures(NOW + 1).of(Limit.adaptive(1, 8))).isEqualTo("0 of 4 in use, between 1 and 8");
    }

    @Test
    void aShadowLimitCountsWhatItWouldHaveBlockedAndBlocksNothing() {
        GateLedger gate = gate("a", "shadow concurrency 1; shadow window 2/1s");
        for (int i = 0; i < 5; i++) {
            start(gate, i + 1, NOW);
        }
        GateLedger again = restored(gate);
        assertThat(again.figures(NOW).blockedBy(Limit.concurrency(1))).isEqualTo(4);
        assertThat(again.figures(NOW).blockedBy(Limit.window(2).per(Duration.ofSeconds(1))))
                .isEqualTo(3);
        assertThat(again.policy().text()).isEqualTo("shadow concurrency 1; shadow window 2/1s");
    }

    @Test
    void atItsInstantAHoldIsOverUnlessAProbeMustComeBack() {
        Hold plain = new Hold(NOW, NOW + 9, 0, false, Hold.NO_PROBE, "");
        assertThat(plain.isOver(NOW + 8)).isFalse();
        assertThat(plain.isOver(NOW + 9)).isTrue();
        assertThat(new Hold(NOW, NOW + 9, 1, true, Hold.NO_PROBE, "").isOver(NOW + 99))
                .isFalse();
    }

    @Test
    void aHoldSaysWhyAndHowOftenItWasRejectedInARow() {
        assertThat(new Hold(NOW, NOW, 0, false, Hold.NO_PROBE, " ").figures()).isEqualTo("held");
        assertThat(new Hold(NOW, NOW, 1, true, Hold.NO_PROBE, "429").figures()).isEqualTo("held: 429");
        assertThat(new Hold(NOW, NOW, 2, true, Hold.NO_PROBE, "429").figures())
                .isEqualTo("held: 429 (rejection 2 in a row)");
    }

    @Test
    void anyReasonIsKeptAsItIs() {
        Hold hold = new Hold(NOW, NOW + 9, 3, true, 7, "a+b %41 \u007f\u0080 z\u00e9, (c);~");
        assertThat(Hold.parse(hold.text())).isEqualTo(hold);
        assertThat(hold.text()).doesNotContain(" ").endsWith(",3,1,7,a%002bb+%002541+%007f%0080+z%00e9,+(c)%003b%007e");
    }

    @Test
    void aWaitIsBelievedWithinBounds() {
        assertThat(Hold.waitMicros(null)).isNull();
        assertThat(Hold.waitMicros(Duration.ofSeconds(-1))).isZero();
        assertThat(Hold.waitMicros(Duration.ofSeconds(2))).isEqualTo(2 * SECOND);
        assertThat(Hold.bounded(Hold.SPAN_MAX.plusNanos(1))).isEqualTo(Hold.SPAN_MAX);
        assertThat(Hold.bounded(Hold.SPAN_MAX.minusNanos(1))).isEqualTo(Hold.SPAN_MAX.minusNanos(1));
    }
}

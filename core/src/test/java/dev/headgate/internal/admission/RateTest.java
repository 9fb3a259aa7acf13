package dev.headgate.internal.admission;

import static dev.headgate.internal.admission.Gates.SECOND;
import static dev.headgate.internal.admission.Gates.gate;
import static dev.headgate.internal.admission.Gates.waiter;
import static dev.headgate.limit.Limit.rate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headgate.explain.Decision;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Limit;
import dev.headgate.limit.Rate;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RateTest {
    private static final long NOW = 1_767_225_600L * SECOND;

    private static Instant opens(GateLedger gate, long cost, long now) {
        Decision decision = gate.checkLimits(waiter("l", 1, cost), now);
        assertThat(decision).isInstanceOf(Decision.Blocked.class);
        return ((Decision.Blocked) decision).next();
    }

    private static void start(GateLedger gate, long cost, long now) {
        assertThat(gate.checkLimits(waiter("l", 1, cost), now)).isEqualTo(Decision.ADMITTED);
        gate.take(waiter("l", 1, cost), now);
    }

    @Test
    void aNewBucketIsFullAndEachTokenComesBackAtItsInstant() {
        GateLedger gate = gate("a", "rate 4/1s burst 3");
        for (int i = 0; i < 3; i++) {
            start(gate, 1, NOW);
        }
        assertThat(opens(gate, 1, NOW)).isEqualTo(Micros.instant(NOW + 250_000));
        start(gate, 1, NOW + 250_000);
        assertThat(opens(gate, 1, NOW + 250_000)).isEqualTo(Micros.instant(NOW + 500_000));
        assertThat(opens(gate, 1, NOW + 499_999)).isEqualTo(Micros.instant(NOW + 500_000));
    }

    @Test
    void severalUnitsWaitAsLongAsThatManySingleOnes() {
        GateLedger single = gate("a", "rate 10/1s burst 10 by-cost");
        GateLedger several = gate("a", "rate 10/1s burst 10 by-cost");
        for (int i = 0; i < 7; i++) {
            start(single, 1, NOW);
        }
        start(several, 7, NOW);
        assertThat(single.state().entries()).isEqualTo(several.state().entries());
        assertThat(opens(several, 4, NOW)).isEqualTo(Micros.instant(NOW + 100_000));
    }

    @Test
    void aJobWithoutCostPassesARateByCostEvenWhenItIsSpent() {
        GateLedger gate = gate("a", "rate 1/1h burst 5 by-cost");
        start(gate, 5, NOW);
        start(gate, 0, NOW);
        assertThat(gate.figures(NOW).tokens(new Rate(1, Duration.ofHours(1), 5, true)))
                .isZero();
    }

    @Test
    void whatCostsMoreThanTheBurstNeverPasses() {
        assertThat(gate("a", "rate 9/1s burst 5 by-cost").checkLimits(waiter("l", 1, 6), NOW))
                .isInstanceOf(Decision.NeverFits.class);
        assertThat(gate("a", "rate 9/1s burst 5").checkLimits(waiter("l", 1, 6), NOW))
                .isEqualTo(Decision.ADMITTED);
    }

    @Test
    void aThirdOfASecondIsExactOverAMillionStarts() {
        GateLedger gate = gate("a", "rate 3/1s burst 2");
        start(gate, 1, NOW);
        start(gate, 1, NOW);
        long now = NOW;
        for (int i = 1; i <= 1_000_000; i++) {
            now = NOW + Math.ceilDiv(i * SECOND, 3);
            assertThat(gate.checkLimits(waiter("l", 1), now - 1)).isInstanceOf(Decision.Blocked.class);
            start(gate, 1, now);
        }
        assertThat(now - NOW).isEqualTo(Math.ceilDiv(1_000_000L * SECOND, 3));
    }

    @Test
    void aClockThatStepsBackNeitherRefillsNorForgets() {
        GateLedger gate = gate("a", "rate 1/1s burst 1");
        start(gate, 1, NOW);
        assertThat(opens(gate, 1, NOW - 3_600 * SECOND)).isEqualTo(Micros.instant(NOW + SECOND));
        start(gate, 1, NOW + SECOND);
        assertThat(opens(gate, 1, NOW)).isEqualTo(Micros.instant(NOW + 2 * SECOND));
    }

    private static GateLedger changed(GateLedger gate, String limits) {
        return new GateLedger(gate.key(), GatePolicy.parse(limits), gate.state());
    }

    @Test
    void aChangedCountKeepsTheUnitsThatAreSpentAndRefillsThemAtTheNewRate() {
        GateLedger third = gate("a", "rate 3/1s burst 1");
        start(third, 1, NOW);
        assertThat(opens(changed(third, "rate 7/1s burst 1"), 1, NOW)).isEqualTo(Micros.instant(NOW + 142_858));
        assertThat(opens(changed(third, "rate 1/1s burst 1"), 1, NOW)).isEqualTo(Micros.instant(NOW + SECOND));
        GateLedger fast = gate("a", "rate 100/1s burst 10");
        for (int i = 0; i < 10; i++) {
            start(fast, 1, NOW);
        }
        // Lowered to a hundredth: nothing of the spent burst comes back for free.
        assertThat(opens(changed(fast, "rate 1/1s burst 10"), 1, NOW)).isEqualTo(Micros.instant(NOW + SECOND));
    }

    @Test
    void aChangedPeriodTakesOverWhatIsSpentAndIsNoFreshStart() {
        GateLedger gate = gate("a", "rate 2/1s burst 4");
        for (int i = 0; i < 4; i++) {
            start(gate, 1, NOW);
        }
        assertThat(opens(changed(gate, "rate 2/10s burst 4"), 1, NOW)).isEqualTo(Micros.instant(NOW + 5 * SECOND));
        assertThat(opens(changed(gate, "rate 2/10s burst 2"), 1, NOW)).isEqualTo(Micros.instant(NOW + 5 * SECOND));
        assertThat(opens(changed(gate, "rate 2/100ms burst 4"), 1, NOW)).isEqualTo(Micros.instant(NOW + 50_000));
        // Another unit, or another limit beside it, is a new limit: full at first sight.
        assertThat(changed(gate, "rate 2/10s burst 4 by-cost").opens(4, NOW)).isEqualTo(NOW);
        assertThat(changed(gate, "rate 2/1s burst 6; rate 2/10s burst 2").opens(1, NOW))
                .isEqualTo(NOW);
        // Lifted and set again: still spent. And what has come back is forgotten.
        GateLedger lifted = changed(gate, "concurrency 9");
        assertThat(opens(changed(lifted, "rate 2/1s burst 4"), 1, NOW)).isEqualTo(Micros.instant(NOW + 500_000));
        GateLedger later = changed(gate, "delay 1us");
        start(later, 1, NOW + 3 * SECOND);
        assertThat(changed(later, "delay 1us").state().memory()).doesNotContain("b.1000000j");
    }

    /** Half a token has come back. Rounded in the job's favour, the change of the period would give the other half away. */
    @Test
    void aChangedPeriodGivesNoPartOfATokenAway() {
        GateLedger gate = gate("a", "rate 2/1s burst 4");
        for (int i = 0; i < 3; i++) {
            start(gate, 1, NOW);
        }
        long soon = NOW + SECOND / 4;
        start(gate, 1, soon); // three and a half are spent
        assertThat(opens(changed(gate, "rate 2/10s burst 4"), 1, soon)).isEqualTo(Micros.instant(soon + 5 * SECOND));
        assertThat(opens(changed(gate, "rate 2/100ms burst 4"), 1, soon)).isEqualTo(Micros.instant(soon + 50_000));
        // No more than the half that is missing is lost: of five, one is there.
        GateLedger wider = changed(gate, "rate 2/10s burst 5");
        start(wider, 1, soon);
        assertThat(opens(wider, 1, soon)).isEqualTo(Micros.instant(soon + 5 * SECOND));
    }

    /** A start that the bucket never counted came back, and a token with it: 8 starts where 7 were allowed. */
    @ParameterizedTest
    @ValueSource(strings = {"cleared", "added"})
    void aStartFromBeforeItWasCountedHasNothingToGiveBack(String how) {
        String bucket = "rate 70/3s burst 3 margin 100ms";
        GateLedger gate = gate("a", how.equals("cleared") ? bucket : "window 50/1s margin 100ms");
        Start uncounted = new Start(NOW, 20_000);
        gate.take(1, 1, 20_000, NOW);
        if (how.equals("cleared")) {
            gate.clear();
        }
        gate = reread(gate, bucket);
        Start early = new Start(NOW + 1_000, 100_000);
        for (long job = 2; job <= 4; job++) {
            gate.take(job, 1, 100_000, NOW + 1_000);
            gate = reread(gate, bucket);
        }
        gate.release(2, 1, ReleaseKind.OK, early, NOW + 2_000);
        gate = reread(gate, bucket);
        gate.release(3, 1, ReleaseKind.OK, early, NOW + 3_000);
        gate = reread(gate, bucket);
        GateLedger withoutIt = gate.trial();
        gate.giveUp(1, 1, uncounted, NOW + 21_000);
        for (long now = NOW + 21_000; now < NOW + 400_000; now += 10_000) {
            assertThat(tokens(gate, now)).isEqualTo(tokens(withoutIt, now));
        }
    }

    private static String tokens(GateLedger gate, long now) {
        return gate.figures(now).of(gate.policy().limits().getFirst());
    }

    private static GateLedger reread(GateLedger gate, String policy) {
        return new GateLedger(gate.key(), GatePolicy.parse(policy), gate.state());
    }

    @Test
    void aBucketWithoutMemoryIsEmptyWhenItsMemoryWasLost() {
        Rate rate = rate(2).per(Duration.ofSeconds(1)).burst(4);
        RateMeter bucket = new RateMeter(rate);
        assertThat(bucket.tokens(NOW)).isEqualTo(4);
        bucket.exhaust(NOW);
        assertThat(bucket.tokens(NOW)).isZero();
        assertThat(bucket.tokens(NOW + SECOND)).isEqualTo(2);
        assertThat(bucket.tokens(NOW + 5 * SECOND)).isEqualTo(4);
    }

    @Test
    void theBurstOfARateIsOneAndOfARateByCostItsCount() {
        assertThat(rate(90).per(Duration.ofMinutes(1)).burst()).isEqualTo(1);
        assertThat(rate(90).per(Duration.ofMinutes(1)).byCost().burst()).isEqualTo(90);
        assertThat(rate(90).per(Duration.ofMinutes(1)).burst(5).byCost().burst())
                .isEqualTo(5);
        assertThat(rate(90).per(Duration.ofMinutes(1)).byCost().burst(1).burst())
                .isEqualTo(1);
    }

    @Test
    void extremesDoNotOverflow() {
        GateLedger huge = gate("a", "rate 1000000000000/366d burst 70000 by-cost");
        start(huge, 70_000, NOW);
        assertThat(huge.checkLimits(waiter("l", 1, 70_000), NOW)).isInstanceOf(Decision.Blocked.class);
        GateLedger tiny = gate("a", "rate 1/1us burst 1");
        start(tiny, 1, NOW);
        assertThat(opens(tiny, 1, NOW)).isEqualTo(Micros.instant(NOW + 1));
        GateLedger far = gate("a", "rate 1/366d burst 1");
        start(far, 1, NOW);
        GatePolicy quick = new GatePolicy(Limit.parseAll("rate 1000000000000/366d burst 1"));
        assertThat(opens(new GateLedger(far.key(), quick, far.state()), 1, NOW)).isAfter(Micros.instant(NOW));
    }

    @Test
    void nonsenseIsRefused() {
        Duration second = Duration.ofSeconds(1);
        assertThatIllegalArgumentException().isThrownBy(() -> rate(0).per(second));
        assertThatIllegalArgumentException().isThrownBy(() -> rate(-1).per(second));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> rate(1_000_000_000_001L).per(second));
        assertThatIllegalArgumentException().isThrownBy(() -> rate(1).per(Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> rate(1).per(Duration.ofNanos(999)));
        assertThatIllegalArgumentException().isThrownBy(() -> rate(1).per(second.negated()));
        assertThatIllegalArgumentException().isThrownBy(() -> rate(1).per(Duration.ofDays(367)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> rate(1).per(second).burst(0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> rate(1).per(Duration.ofDays(366)).burst(Long.MAX_VALUE))
                .withMessageContaining("use a shorter period");
    }
}

package dev.headgate.internal.admission;

import static dev.headgate.internal.admission.Gates.SECOND;
import static dev.headgate.internal.admission.Gates.gate;
import static dev.headgate.internal.admission.Gates.waiter;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headgate.internal.time.Micros;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Limit;
import dev.headgate.limit.Rate;
import dev.headgate.limit.Spans;
import dev.headgate.policy.PolicyEntry;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MarginTest {
    private static final long MILLI = SECOND / 1_000;
    private static final long NOW = 1_767_225_600L * SECOND;

    private static Start start(GateLedger gate, long job, long cost, long now) {
        assertThat(gate.opens(cost, now)).isEqualTo(now);
        gate.take(new Waiter("l", 1, cost, job, ""), false, gate.margin(), now);
        return new Start(now, gate.margin());
    }

    private static GateLedger reopened(GateLedger gate, String limits) {
        GateState state = gate.state();
        GateLedger again = GateLedger.restore(
                gate.key(),
                GatePolicy.parse(limits),
                new GateState.Stored(state.leases(), state.units(), state.memory()),
                NOW);
        assertThat(again.isTouched()).isFalse();
        return again;
    }

    @ParameterizedTest
    @CsvSource({
        "window 20/1s, 100ms",
        "window 20/100ms, 0s",
        "window 20/200ms, 50ms",
        "window 20/10s, 500ms",
        "window 20/1h, 1s",
        "quota 5/day UTC, 1s",
        "rate 20/1s burst 1, 0s",
        "rate 20/1s burst 20, 100ms",
        "rate 1/10s burst 2, 1s",
        "rate 20/1s burst 2, 50ms",
        "rate 100/1s burst 2, 0s",
        "rate 100/1s burst 9, 80ms",
        "spaced 20/1s, 0s",
        "delay 1s, 0s",
        "window 20/1s margin none, 0s",
        "window 20/1s margin 200ms, 200ms",
        "spaced 20/1s margin 20ms, 20ms",
        "concurrency 3, 0s"
    })
    void eachLimitHasTheMarginThatSuitsItOrThatWasAskedFor(String limit, String margin) {
        assertThat(Limit.parse(limit).marginMicros()).isEqualTo(Micros.of(Spans.parse(margin)));
        assertThat(Limit.parse(Limit.parse(limit).text())).isEqualTo(Limit.parse(limit));
        assertThat(Limit.parse(Limit.parse(limit).stored())).isEqualTo(Limit.parse(limit));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "window 20/1s margin",
                "window 20/1s margin -5ms",
                "window 20/1s margin 0s",
                "window 20/1s margin 1s",
                "window 20/1s margin ende",
                "rate 20/1s burst 5 margin 2s",
                "quota 5/hour UTC margin 1h",
                "concurrency 3 margin 5ms",
                "adaptive 1..3 margin end",
                "window 20/1s margin none margin end"
            })
    void nonsenseIsRefusedAndSaysWhatIsExpected(String limit) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.parse(limit))
                .withMessageContaining("margin");
    }

    @ParameterizedTest
    @CsvSource({
        "spaced 20/1s margin 449ms, spaced 20/1s margin 450ms",
        "delay 100ms margin 99ms, delay 10ms margin 10ms",
        "rate 20/1s burst 1 margin 449ms, rate 20/1s burst 1 margin 450ms",
        "rate 100/1s burst 2 margin 189ms, rate 100/1s burst 2 margin 190ms",
        "spaced 900/1s by-cost margin 900ms, window 20/1s margin 1s"
    })
    void aMarginMustLeaveSomethingOfItsLimit(String taken, String refused) {
        GatePolicy.parse(taken).checkMargins();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GatePolicy.parse(refused).checkMargins())
                .withMessageContaining("expected a margin shorter than");
    }

    @Test
    void aStoredLimitAlwaysNamesTheMarginItHas() {
        assertThat(Limit.parse("window 20/1s").stored()).isEqualTo("window 20/1s margin auto");
        assertThat(Limit.parse("rate 20/1s burst 1").stored()).isEqualTo("rate 20/1s burst 1");
        assertThat(Limit.parse("window 20/1s margin none").stored()).isEqualTo("window 20/1s margin none");
        PolicyEntry entry = new PolicyEntry(GatePolicy.parse("window 20/1s; shadow window 9/1s"), null);
        assertThat(entry.text()).isEqualTo("window 20/1s margin auto; shadow window 9/1s margin auto");
        assertThat(PolicyEntry.parse(entry.text())).isEqualTo(entry);
    }

    @ParameterizedTest
    @ValueSource(strings = {"window 1/1s", "rate 1/1s burst 1 margin 100ms", "spaced 1/1s margin 100ms"})
    void aStartCountsFromTheEndOfItsMarginOrOfItsHandler(String limit) {
        GateLedger gate = gate("a", limit);
        Start first = start(gate, 1, 1, NOW);
        assertThat(gate.opens(1, NOW)).isEqualTo(NOW + 1_100 * MILLI);
        gate.release(1, 1, ReleaseKind.OK, first, NOW + 30 * MILLI);
        assertThat(gate.opens(1, NOW + 30 * MILLI)).isEqualTo(NOW + 1_030 * MILLI);
        Start second = start(gate, 2, 1, NOW + 1_030 * MILLI);
        gate.release(2, 1, ReleaseKind.OK, second, NOW + 2 * SECOND);
        assertThat(gate.opens(1, NOW + 2 * SECOND)).isEqualTo(NOW + 2_130 * MILLI);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "window 1/1s",
                "window 1/1s margin none",
                "rate 1/1s burst 1",
                "rate 1/1s burst 1 margin 50ms",
                "spaced 1/1s",
                "spaced 1/1s margin 50ms",
                "quota 1/hour UTC margin none",
                "window 1/1s margin end"
            })
    void aStartThatIsGivenUpLeavesNothingBehind(String limit) {
        for (long after : new long[] {0, 10 * MILLI, 700 * MILLI}) {
            GateLedger gate = gate("a", limit);
            Start late = start(gate, 1, 1, NOW);
            gate.giveUp(1, 1, late, NOW + after);
            assertThat(gate.leases()).isZero();
            assertThat(gate.opens(1, NOW + after))
                    .as("%s after %d", limit, after)
                    .isEqualTo(NOW + after);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "window 20/1s | window 9/1m | 100ms",
                "window 20/1s margin 400ms | window 9/1s margin 60ms | 60ms",
                "window 20/1s margin 60ms | window 9/1s | 60ms",
                "window 20/1s margin 400ms | window 9/1s | 400ms",
                "window 20/1s margin 800ms | window 9/1s | 500ms",
                "window 20/1m margin 800ms | quota 9/hour UTC | 800ms",
                "window 20/1s margin 400ms | rate 20/1s burst 2 | 100ms",
                "window 20/1s margin 400ms | rate 20/1s burst 20 | 400ms",
                "window 20/1s margin 400ms | spaced 20/1s | 400ms",
                "window 20/1s margin 400ms | window 9/1s margin none | 400ms",
                "window 20/1s margin end | window 9/1s | 100ms",
                "window 20/1s margin end | window 9/1s margin none | 0s",
            })
    void aMarginByHandIsCutByAnotherOneByHandAndNotByOneThatWasChosen(String one, String other, String margin) {
        StartMargin apart = new StartMargin().pass(gate("a", one), 1, NOW).pass(gate("b", other), 1, NOW);
        assertThat(apart.micros()).isEqualTo(Micros.of(Spans.parse(margin)));
        if (!one.substring(0, 7).equals(other.substring(0, 7))) {
            assertThat(StartMargin.of(GatePolicy.parse(one + "; " + other))).isEqualTo(apart.micros());
        }
    }

    @Test
    void severalGatesHaveOneMarginThatCountsForAll() {
        GateLedger gate = gate("a", "window 1/1s");
        gate.take(waiter("l", 1), false, 20 * MILLI, NOW);
        assertThat(gate.opens(1, NOW)).isEqualTo(NOW + 1_020 * MILLI);
    }

    @Test
    void aBucketNeverSlowsDownByItsMargin() {
        GateLedger gate = gate("a", "rate 10/1s burst 5");
        assertThat(gate.margin()).isEqualTo(100 * MILLI);
        long now = NOW;
        for (int job = 0; job < 1_000; job++) {
            now = gate.opens(1, now);
            start(gate, job, 1, now);
        }
        // Five together, then one every 100 ms; the margin of the first burst is all that is lost.
        assertThat(now).isEqualTo(NOW + 995 * 100 * MILLI + 100 * MILLI - 100 * MILLI + 100 * MILLI);
    }

    @ParameterizedTest
    @CsvSource({
        "rate 100/1s burst 100, 5, 1s",
        "rate 100/1s burst 100, 6, 100ms",
        "rate 100/1s burst 100 by-cost, 5, 1s",
        "rate 20/1s burst 20, 1, 1s",
        "rate 20/1s burst 20, 2, 100ms",
        "rate 20/1s burst 19, 1, 100ms",
        "rate 100/1s burst 100 margin 50ms, 1, 50ms",
        "rate 100/1s burst 100 margin none, 1, 0s",
        "rate 100/1s burst 1, 1, 0s",
        "rate 100/1s burst 100; window 100/1s, 1, 100ms"
    })
    void aBucketThatIsNearlyFullGivesTheLongestMargin(String limits, int nth, String margin) {
        GateLedger gate = gate("a", limits);
        for (int job = 1; job < nth; job++) {
            gate.take(new Waiter("l", 1, 1, job, ""), false, gate.margin(1, NOW), NOW);
        }
        assertThat(gate.margin(1, NOW)).isEqualTo(Micros.of(Spans.parse(margin)));
    }

    @Test
    void theLongestMarginsOfABucketCostItATwentiethOfItsBurst() {
        GateLedger gate = gate("a", "rate 100/1s burst 100");
        long now = NOW;
        long starts = 0;
        while (now < NOW + 10 * SECOND) {
            gate.take(new Waiter("l", 1, 1, starts, ""), false, gate.margin(1, now), now);
            starts++;
            now = gate.opens(1, now);
        }
        // The burst, ten seconds' worth, less the margin of the burst and a twentieth of it.
        assertThat(starts).isBetween(100L + 1_000 - 10 - 5, 100L + 1_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"window 2/1s margin end", "rate 2/1s burst 2 margin end", "quota 2/hour UTC margin end"})
    void untilTheHandlerEndsItOpensByReleaseAndThenByTime(String limit) {
        GateLedger gate = gate("a", limit);
        assertThat(gate.margin()).isZero();
        long now = NOW + 60 * SECOND;
        Start first = start(gate, 1, 1, now);
        Start second = start(gate, 2, 1, now);
        assertThat(gate.opens(1, now + 500 * SECOND)).isEqualTo(GateLedger.UNTIL_RELEASE);
        gate.line().head(waiter("l", 9));
        assertThat(gate.wakeAt(now + 500 * SECOND)).isNull();
        gate.release(1, 1, ReleaseKind.OK, first, now + 500 * SECOND);
        long opens = gate.opens(1, now + 500 * SECOND);
        assertThat(opens).isNotEqualTo(now + 500 * SECOND);
        gate.giveUp(2, 1, second, now + 500 * SECOND);
        assertThat(gate.opens(1, now + 500 * SECOND)).isEqualTo(now + 500 * SECOND);
    }

    @Test
    void aSpacingUntilTheHandlerEndsLetsOneRunAtATime() {
        GateLedger gate = gate("a", "spaced 1/1s margin end");
        Start first = start(gate, 1, 1, NOW);
        assertThat(gate.opens(1, NOW + 60 * SECOND)).isEqualTo(GateLedger.UNTIL_RELEASE);
        gate.release(1, 1, ReleaseKind.OK, first, NOW + 60 * SECOND);
        assertThat(gate.opens(1, NOW + 60 * SECOND)).isEqualTo(NOW + 61 * SECOND);
    }

    @Test
    void aLostStartCountsUntilACallOfItHasArrived() {
        GateLedger open = gate("a", "window 1/1s margin end");
        Start lost = start(open, 1, 1, NOW);
        open.release(1, 1, ReleaseKind.LOST, lost, NOW + 30 * SECOND);
        assertThat(open.opens(1, NOW + 30 * SECOND)).isEqualTo(NOW + 31_500 * MILLI);
        GateLedger timed = gate("a", "window 1/1s");
        Start short1 = start(timed, 1, 1, NOW);
        timed.release(1, 1, ReleaseKind.LOST, short1, NOW + 20 * MILLI);
        assertThat(timed.opens(1, NOW + 20 * MILLI)).isEqualTo(NOW + 1_100 * MILLI);
    }

    @ParameterizedTest
    @CsvSource({
        "window 2/10s margin end, window 2/10s margin none",
        "window 2/10s margin end, window 2/20s",
        "rate 2/10s burst 2 margin end, rate 2/10s burst 2 margin none",
        "spaced 1/10s margin end, spaced 1/10s"
    })
    void whatRunsStillCountsWhenItNoLongerCountsUntilItsEnd(String before, String after) {
        GateLedger gate = gate("a", before);
        start(gate, 1, 1, NOW);
        if (!before.startsWith("spaced")) {
            start(gate, 2, 1, NOW);
        }
        GateLedger changed = reopened(gate, after);
        assertThat(changed.opens(1, NOW + SECOND)).isGreaterThan(NOW + SECOND).isLessThan(GateLedger.UNTIL_RELEASE);
    }

    @Test
    void aBucketOfAnotherPeriodTakesOverStartsThatMayStillMakeTheirCalls() {
        GateLedger gate = gate("a", "rate 1/10s burst 2 margin 1s");
        start(gate, 1, 1, NOW);
        start(gate, 2, 1, NOW);
        GateLedger changed = reopened(gate, "rate 1/20s burst 2 margin 1s");
        assertThat(changed.opens(1, NOW + MILLI)).isGreaterThan(NOW + MILLI);
        assertThat(changed.opens(1, NOW + 500 * MILLI)).isGreaterThan(NOW + 10 * SECOND);
    }

    @Test
    void aChangedMarginTakesNothingBackOfWhatRuns() {
        GateLedger gate = gate("a", "window 1/10s margin none");
        Start first = start(gate, 1, 1, NOW);
        GateLedger changed = reopened(gate, "window 1/10s margin 1s");
        changed.release(1, 1, ReleaseKind.OK, first, NOW + SECOND);
        assertThat(changed.opens(1, NOW + SECOND)).isEqualTo(NOW + 10 * SECOND);
    }

    /** Three units at once of a bucket that holds two: what a refund must never allow. */
    @Test
    void aRefundLeavesWhatTheHistoryWithoutItWould() {
        GateLedger gate = gate("a", "rate 1/1s burst 2 by-cost margin none");
        Start a = start(gate, 1, 1, NOW);
        start(gate, 2, 1, NOW + SECOND);
        gate.settle(1, 0, a, NOW + SECOND);
        start(gate, 3, 1, NOW + SECOND);
        assertThat(gate.opens(1, NOW + SECOND)).isEqualTo(NOW + 2 * SECOND);
    }

    @Test
    void aQuotaChargesBothPeriodsInWhichACallMayBeCounted() {
        long hour = NOW + 3_600 * SECOND;
        GateLedger gate = gate("a", "quota 1/hour UTC");
        Start first = start(gate, 1, 1, hour - 2 * SECOND);
        assertThat(gate.opens(1, hour - SECOND)).isEqualTo(hour);
        assertThat(gate.opens(1, hour)).as("charged to this one too").isEqualTo(hour + 3_600 * SECOND);
        gate.release(1, 1, ReleaseKind.OK, first, hour - 2 * SECOND);
        assertThat(gate.opens(1, hour + 10 * SECOND))
                .as("its clock may be off by two seconds")
                .isEqualTo(hour + 3_600 * SECOND);
        GateLedger early = gate("a", "quota 1/hour UTC");
        Start done = start(early, 1, 1, hour - 5 * SECOND);
        early.release(1, 1, ReleaseKind.OK, done, hour - 4 * SECOND);
        assertThat(early.opens(1, hour))
                .as("counted in the hour before, by a slow clock")
                .isEqualTo(hour + 2 * SECOND);
        assertThat(early.opens(1, hour + 2 * SECOND)).isEqualTo(hour + 2 * SECOND);
    }

    @Test
    void manyMarginsAtOnceStayBoundedAndErrToStrict() {
        GateLedger gate = gate("a", "rate 1000/1s burst 1000 margin 900ms");
        for (int job = 0; job < 500; job++) {
            start(gate, job, 1, NOW + job);
        }
        GateLedger again = reopened(gate, "rate 1000/1s burst 1000 margin 900ms");
        assertThat(again.state().memory().length()).isLessThan(1_000);
        assertThat(again.figures(NOW + 500)
                        .tokens((Rate) again.policy().limits().getFirst()))
                .isEqualTo(500);
        again.release(0, 1, ReleaseKind.OK, new Start(NOW, 900 * MILLI), NOW + 1_000);
        assertThat(again.figures(NOW + SECOND)
                        .tokens((Rate) again.policy().limits().getFirst()))
                .isLessThanOrEqualTo(600);
    }

    @Test
    void aGateKnowsHowLongItsStartsTakeAndWhichMarginWouldHaveAvoidedARejection() {
        GateLedger gate = gate("a", "window 2/1s margin none");
        Start first = start(gate, 1, 1, NOW);
        Start second = start(gate, 2, 1, NOW);
        gate.lagged(3 * MILLI, false);
        gate.release(1, 1, ReleaseKind.OK, first, NOW + 90 * MILLI);
        gate.lagged(400 * MILLI, true);
        gate.giveUp(2, 1, second, NOW + 400 * MILLI);
        GateLedger again = reopened(gate, "window 2/1s margin none");
        assertThat(again.figures(NOW).lags().late()).isEqualTo(1);
        assertThat(again.figures(NOW).lags().toHandler(50)).isEqualTo(Duration.ofMillis(4));
        assertThat(again.figures(NOW).lags().toHandler(99)).isEqualTo(Duration.ofMillis(512));
        assertThat(again.figures(NOW).lags().toEnd(99)).isEqualTo(Duration.ofMillis(128));
        assertThat(again.figures(NOW).lags().rejectedAt()).isNull();
        again.reject(new Start(NOW, 0), null, 0, "429", NOW + 500 * MILLI);
        assertThat(again.figures(NOW).lags().rejectedAt())
                .as("half of it was used")
                .isNull();
        start(again.trial(), 4, 1, NOW + 60 * SECOND);
        GateLedger full = gate("a", "window 1/1s margin none");
        Start one = start(full, 1, 1, NOW);
        full.release(1, 1, ReleaseKind.OK, one, NOW + 90 * MILLI);
        full.reject(new Start(NOW, 0), null, 0, "429", NOW + 95 * MILLI);
        assertThat(full.figures(NOW).lags().rejectedAt()).isEqualTo(Micros.instant(NOW + 95 * MILLI));
        assertThat(full.figures(NOW).lags().advisedMargin()).isEqualTo(Duration.ofMillis(95));
    }
}

package dev.headgate.internal.evidence;

import static dev.headgate.internal.evidence.History.BEGIN;
import static dev.headgate.internal.evidence.History.under;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.evidence.Certificate;
import dev.headgate.evidence.Certificate.WaterMark;
import dev.headgate.evidence.Verification;
import dev.headgate.spi.JournalTable.Entry;
import dev.headgate.spi.JournalTable.Event;
import dev.headgate.spi.JournalTable.Kind;
import dev.headgate.spi.JournalTable.Link;
import dev.headgate.spi.JournalTable.Rule;
import dev.headgate.spi.JournalTable.Use;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Every limit has a planted violation that must be found, and the same history a microsecond later, which is none. */
class ReplayTest {
    private static final long SECOND = 1_000_000;

    @Test
    void aStartTooManyAtOnceIsFoundByConcurrencyAdaptiveAndBudget() {
        assertThat(under("concurrency 2").inUse(0, 2, 2).inUse(1, 3, 3).violations())
                .isEqualTo(1);
        assertThat(under("concurrency 2").inUse(0, 2, 2).inUse(1, 2, 9).violations())
                .isZero();
        assertThat(under("adaptive 1..4").inUse(0, 5, 5).violations()).isEqualTo(1);
        assertThat(under("adaptive 1..4").inUse(0, 4, 9).violations()).isZero();
        assertThat(under("budget 10").inUse(0, 1, 11).violations()).isEqualTo(1);
        assertThat(under("budget 10").inUse(0, 99, 10).violations()).isZero();
        assertThat(under("concurrency 2").inUse(7, 3, 3).certificate().examples())
                .singleElement()
                .satisfies(found -> {
                    assertThat(found.at()).isEqualTo(BEGIN.plusNanos(7_000));
                    assertThat(found.figures()).isEqualTo("3 of 2 in use");
                });
    }

    @Test
    void aTokenTakenAMicrosecondEarlyIsFound() {
        assertThat(under("rate 2/1s burst 1").starts(0, 499_999).violations()).isEqualTo(1);
        assertThat(under("rate 2/1s burst 1").starts(0, 500_000).violations()).isZero();
        // A seventh of a second is 142,857.14 microseconds.
        assertThat(under("rate 7/1s burst 3").batch(0, 3, 3).starts(142_857).violations())
                .isEqualTo(1);
        assertThat(under("rate 7/1s burst 3").batch(0, 3, 3).starts(142_858).violations())
                .isZero();
        assertThat(under("rate 7/1s burst 3").batch(0, 4, 4).violations()).isEqualTo(1);
    }

    @Test
    void aRateThatIsExceededByALittleEachTimeIsFoundWhenItAddsUp() {
        long[] creeping = LongStream.range(0, 100).map(i -> i * 90_000).toArray();
        Certificate found = under("rate 10/1s burst 2").starts(creeping).certificate();
        assertThat(found.violations()).as("the burst hides the first eleven").isEqualTo(89);
        assertThat(found.examples().getFirst().figures()).isEqualTo("12 started within 990ms, at most 11");
        long[] exact = LongStream.range(0, 100).map(i -> i * 100_000).toArray();
        assertThat(under("rate 10/1s burst 1").starts(exact).violations()).isZero();
    }

    @Test
    void aRateByCostKnowsRefundsAndDebts() {
        String limit = "rate 10/1s burst 10 by-cost";
        assertThat(under(limit).batch(0, 2, 10).batch(99_999, 1, 1).violations())
                .isEqualTo(1);
        assertThat(under(limit).batch(0, 2, 10).batch(100_000, 1, 1).violations())
                .isZero();
        assertThat(under(limit).batch(0, 1, 10).settle(5, -3, 0).batch(6, 1, 3).violations())
                .isZero();
        assertThat(under(limit).batch(0, 1, 10).settle(5, -3, 0).batch(6, 1, 4).violations())
                .isEqualTo(1);
        assertThat(under(limit)
                        .batch(0, 1, 5)
                        .settle(0, 10, 0)
                        .batch(599_999, 1, 1)
                        .violations())
                .isEqualTo(1);
        assertThat(under(limit)
                        .batch(0, 1, 5)
                        .settle(0, 10, 0)
                        .batch(600_000, 1, 1)
                        .violations())
                .isZero();
        assertThat(under(limit).batch(0, 1, 10).batch(1, 5, 0).violations())
                .as("jobs of no cost pass")
                .isZero();
    }

    /** Without A the bucket is full when B starts, so B leaves one unit: C or D, not both. */
    @Test
    void aRefundGivesBackNoMoreThanTheHistoryWithoutItsStartWouldLeave() {
        String limit = "rate 1/1s burst 2 by-cost";
        assertThat(under(limit)
                        .batch(0, 1, 1)
                        .batch(SECOND, 1, 1)
                        .settle(SECOND, -1, 0)
                        .batch(SECOND, 1, 1)
                        .batch(SECOND, 1, 1)
                        .violations())
                .as("three units at once")
                .isEqualTo(1);
        assertThat(under(limit)
                        .batch(0, 1, 1)
                        .batch(SECOND, 1, 1)
                        .settle(SECOND, -1, 0)
                        .batch(SECOND, 1, 1)
                        .violations())
                .isZero();
        assertThat(under(limit)
                        .batch(0, 1, 2)
                        .batch(SECOND, 1, 1)
                        .settle(SECOND, -2, 0)
                        .batch(SECOND, 1, 1)
                        .violations())
                .as("B found one unit missing: that one comes back")
                .isZero();
        assertThat(under(limit)
                        .batch(0, 1, 2)
                        .batch(SECOND, 1, 1)
                        .settle(SECOND, -2, 0)
                        .batch(SECOND, 1, 2)
                        .violations())
                .isEqualTo(1);
    }

    @Test
    void aStartAMicrosecondInsideTheWindowIsFound() {
        assertThat(under("window 3/1s").starts(0, 400_000, 700_000, 999_999).violations())
                .isEqualTo(1);
        assertThat(under("window 3/1s").starts(0, 400_000, 700_000, SECOND).violations())
                .isZero();
        assertThat(under("window 3/1s").batch(0, 4, 4).violations()).isEqualTo(1);
        WaterMark found =
                under("window 2/1s").starts(5, 6, 7).certificate().examples().getFirst();
        assertThat(found.since()).isEqualTo(BEGIN.plusNanos(5_000));
        assertThat(found.figures()).isEqualTo("3 of 2 in the last 1s");
    }

    @Test
    void aWindowByCostTakesRefundsOffTheirStart() {
        String limit = "window 10/1s by-cost";
        assertThat(under(limit).batch(0, 1, 10).settle(9, -4, 0).batch(10, 1, 4).violations())
                .isZero();
        assertThat(under(limit).batch(0, 1, 10).settle(9, -4, 0).batch(10, 1, 5).violations())
                .isEqualTo(1);
        assertThat(under(limit)
                        .batch(0, 1, 10)
                        .settle(9, -4, 0)
                        .batch(10, 1, 4)
                        .batch(SECOND, 1, 7)
                        .violations())
                .as("the refund went with its start: 4 and 7 are more than 10")
                .isEqualTo(1);
        assertThat(under(limit)
                        .batch(0, 1, 2)
                        .settle(500_000, 8, 0)
                        .batch(1_499_999, 1, 3)
                        .violations())
                .as("a debt counts from when it became known")
                .isEqualTo(1);
        assertThat(under(limit)
                        .batch(0, 1, 2)
                        .settle(500_000, 8, 0)
                        .batch(1_500_000, 1, 3)
                        .violations())
                .isZero();
    }

    @Test
    void startsThatAreAMicrosecondTooCloseAreFound() {
        assertThat(under("spaced 10/10s").starts(0, 999_999).violations()).isEqualTo(1);
        assertThat(under("spaced 10/10s").starts(0, SECOND).violations()).isZero();
        assertThat(under("delay 100ms").starts(0, 99_999).violations()).isEqualTo(1);
        assertThat(under("delay 100ms").starts(0, 100_000).violations()).isZero();
        assertThat(under("spaced 3/1s").starts(0, 333_333).violations()).isEqualTo(1);
        assertThat(under("spaced 3/1s").starts(0, 333_334).violations()).isZero();
        assertThat(under("delay 100ms").batch(0, 2, 2).violations()).isEqualTo(1);
        assertThat(under("delay 100ms")
                        .starts(0, 99_999)
                        .certificate()
                        .examples()
                        .getFirst()
                        .figures())
                .isEqualTo("99ms999us after the start before, at least 100ms");
    }

    @Test
    void aSpacingByCostKeepsTheNextOffForEachUnit() {
        String limit = "spaced 10/10s by-cost";
        assertThat(under(limit).batch(0, 1, 5).batch(4_999_999, 1, 1).violations())
                .isEqualTo(1);
        assertThat(under(limit).batch(0, 1, 5).batch(5 * SECOND, 1, 1).violations())
                .isZero();
        assertThat(under(limit)
                        .batch(0, 1, 5)
                        .settle(1, -2, 0)
                        .batch(2_999_999, 1, 1)
                        .violations())
                .isEqualTo(1);
        assertThat(under(limit)
                        .batch(0, 1, 5)
                        .settle(1, -2, 0)
                        .batch(3 * SECOND, 1, 1)
                        .violations())
                .isZero();
        assertThat(under(limit)
                        .batch(0, 1, 1)
                        .settle(1, 2, 0)
                        .batch(2_999_999, 1, 1)
                        .violations())
                .isEqualTo(1);
    }

    @Test
    void oneTooManyBeforeMidnightIsFoundAndAtMidnightItIsNone() {
        String limit = "quota 3/day Europe/Berlin";
        Instant midnight = Instant.parse("2026-03-28T23:00:00Z");
        assertThat(under(limit)
                        .starts(0, 1, 2)
                        .batchAt(midnight.minusNanos(1_000), 1)
                        .violations())
                .isEqualTo(1);
        assertThat(under(limit).starts(0, 1, 2).batchAt(midnight, 1).violations())
                .isZero();
        assertThat(under(limit)
                        .batchAt(midnight, 3)
                        .batchAt(midnight.plus(Duration.ofHours(23)), 3)
                        .violations())
                .as("the 29th has 23 hours")
                .isZero();
        assertThat(under(limit)
                        .batchAt(midnight, 3)
                        .batchAt(midnight.plus(Duration.ofHours(23)).minusNanos(1_000), 3)
                        .violations())
                .isEqualTo(1);
    }

    @Test
    void anHourThatIsShownTwiceHasOneQuota() {
        String limit = "quota 2/hour Europe/Berlin";
        Instant twoInSummer = Instant.parse("2026-10-25T00:30:00Z");
        Instant twoInWinter = Instant.parse("2026-10-25T01:30:00Z");
        assertThat(under(limit).batchAt(twoInSummer, 2).batchAt(twoInWinter, 1).violations())
                .isEqualTo(1);
        assertThat(under(limit)
                        .batchAt(twoInSummer, 2)
                        .batchAt(Instant.parse("2026-10-25T02:00:00Z"), 1)
                        .violations())
                .isZero();
    }

    @Test
    void allLimitsOfAGateAreJudgedEachOnItsOwn() {
        Verification verification = under("concurrency 5; window 2/1s; delay 1us")
                .batch(0, 1, 1)
                .batch(1, 1, 1)
                .batch(2, 1, 1)
                .verification();
        assertThat(verification.limits())
                .extracting(Certificate::limit, Certificate::violations)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("concurrency 5", 0L),
                        org.assertj.core.groups.Tuple.tuple("window 2/1s", 1L),
                        org.assertj.core.groups.Tuple.tuple("delay 1us", 0L));
        assertThat(verification.isGood()).isFalse();
    }

    @Test
    void aLoweredLimitDrainsSoftlyAndThenHolds() {
        History lowered =
                under("concurrency 5").inUse(0, 5, 5).then("concurrency 2").settle(1, 3, 0);
        assertThat(lowered.violations()).as("nothing started").isZero();
        assertThat(lowered.inUse(2, 3, 3).violations()).isEqualTo(1);
        History rates = under("rate 10/1s burst 10").batch(0, 10, 10).then("rate 1/1s burst 1");
        assertThat(rates.starts(9 * SECOND - 1).violations())
                .as("read in favour of the gate: it leaked at the faster rate until here")
                .isZero();
        assertThat(rates.starts(9 * SECOND).violations()).isEqualTo(1);
    }

    @Test
    void aRaisedRateCountsFromTheLastStart() {
        History raised = under("rate 1/1s burst 1").starts(0).then("rate 10/1s burst 1");
        assertThat(raised.starts(100_000).violations()).isZero();
        assertThat(raised.starts(199_999).violations()).isEqualTo(1);
    }

    @Test
    void whatIsClearedNoLongerCounts() {
        for (String limit : List.of("rate 1/1h burst 2", "window 2/1h", "quota 2/day UTC")) {
            assertThat(under(limit).batch(0, 2, 2).clear(1).batch(2, 2, 2).violations())
                    .as(limit)
                    .isZero();
            assertThat(under(limit).batch(0, 2, 2).clear(1).batch(2, 3, 3).violations())
                    .as(limit)
                    .isEqualTo(1);
        }
        assertThat(under("delay 1h").starts(0).clear(1).starts(2).violations()).isZero();
    }

    @Test
    void onlyTheTimeThatWasAskedForIsJudgedButWhatCameBeforeCounts() {
        History history = under("window 1/1s").starts(0, 10, 2 * SECOND, 2 * SECOND + 10, 9 * SECOND);
        Verification middle = history.between(BEGIN.plusNanos(10_000), BEGIN.plusSeconds(2));
        assertThat(middle.entries()).isEqualTo(1);
        assertThat(middle.violations()).isEqualTo(1);
        assertThat(middle.begins()).isEqualTo(BEGIN);
        assertThat(history.between(BEGIN.plusSeconds(3), null).violations()).isZero();
        assertThat(history.violations()).isEqualTo(2);
    }

    @Test
    void anEmptyJournalIsNoProof() {
        Verification nothing = under("concurrency 1").verification();
        assertThat(nothing.begins()).isNull();
        assertThat(nothing.isGood()).isFalse();
    }

    @Test
    void theShareOfWhatWasAllowedIsExact() {
        assertThat(under("rate 10/1s burst 1")
                        .starts(LongStream.range(0, 100).map(i -> i * 100_000).toArray())
                        .certificate()
                        .usedPercent())
                .hasToString("100.00");
        assertThat(under("rate 10/1s burst 1")
                        .starts(LongStream.range(0, 100).map(i -> i * 101_000).toArray())
                        .certificate()
                        .usedPercent())
                .hasToString("100.00");
        assertThat(under("window 4/1s")
                        .batch(0, 4, 4)
                        .batch(SECOND, 2, 2)
                        .certificate()
                        .usedPercent())
                .hasToString("75.00");
        assertThat(under("delay 1s")
                        .starts(0, 2 * SECOND, 4 * SECOND)
                        .certificate()
                        .usedPercent())
                .hasToString("60.00");
        assertThat(under("quota 4/day UTC").starts(0, 1).certificate().usedPercent())
                .hasToString("50.00");
        assertThat(under("concurrency 4")
                        .inUse(0, 1, 1)
                        .inUse(1, 3, 3)
                        .certificate()
                        .usedPercent())
                .hasToString("75.00");
    }

    @Test
    void theTightestMomentIsTheOneThatLeftTheLeastRoom() {
        Certificate window = under("window 5/1s").starts(0, 10, 20, 5 * SECOND).certificate();
        assertThat(window.atGrant().tightest()).isNotNull().satisfies(mark -> {
            assertThat(mark.at()).isEqualTo(BEGIN.plusNanos(20_000));
            assertThat(mark.used()).isEqualTo(3);
            assertThat(mark.allowed()).isEqualTo(5);
        });
        assertThat(under("delay 10us")
                        .starts(0, 30, 42, 99)
                        .certificate()
                        .atGrant()
                        .tightest())
                .hasToString("2026-03-28T10:00:00.000042Z: 12us after the start before, at least 10us");
    }

    @Test
    void whatTimeKeptWaitingIsToldWithTheInstantItCouldHaveStarted() {
        List<String> told = new ArrayList<>();
        List<Entry> entries = under("rate 10/1s burst 2; window 3/1s")
                .batch(0, 2, 2)
                .starts(100_003)
                .batch(SECOND + 7, 2, 2)
                .entries();
        Replay.of(
                History.GATE,
                after -> entries.subList((int) after, entries.size()),
                null,
                null,
                (gate, possible, at) ->
                        told.add(Duration.between(BEGIN, possible) + " " + Duration.between(BEGIN, at)));
        assertThat(told).containsExactly("PT0.1S PT0.100003S", "PT1S PT1.000007S", "PT1S PT1.000007S");
    }

    /** A million batches in pages that are made when asked for: nothing may be kept but what the window needs. */
    @Test
    void aLongJournalIsReadPageByPage() {
        int pages = 100;
        int size = 10_000;
        Verification verification = Replay.of(
                History.GATE,
                after -> after >= (long) pages * size
                        ? List.of()
                        : LongStream.range(after, after + size)
                                .mapToObj(i -> new Entry(
                                        i + 1,
                                        History.GATE,
                                        new Event(i * 1_000, Kind.START, 1, 1, 0, 0),
                                        new Use(1, 1),
                                        new Rule("concurrency 1; rate 1000/1s burst 1; window 1000/1s; delay 1ms", 1),
                                        Link.none(0)))
                                .toList(),
                null,
                null);
        assertThat(verification.entries()).isEqualTo((long) pages * size);
        assertThat(verification.isGood()).isTrue();
        assertThat(verification.limits())
                .allSatisfy(limit -> assertThat(limit.usedPercent()).hasToString("100.00"));
    }
}

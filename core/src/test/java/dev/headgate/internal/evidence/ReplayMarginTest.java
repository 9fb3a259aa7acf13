package dev.headgate.internal.evidence;

import static dev.headgate.internal.evidence.History.BEGIN;
import static dev.headgate.internal.evidence.History.under;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.evidence.Certificate;
import dev.headgate.evidence.Certificate.Judgement;
import dev.headgate.evidence.Certificate.WaterMark;
import dev.headgate.evidence.Verification;
import dev.headgate.internal.time.Micros;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A start counts until its call can no longer come: each limit with a planted violation, and the same a microsecond later. */
class ReplayMarginTest {
    private static final long SECOND = 1_000_000;
    private static final long MARGIN = 50_000;

    private static Judgement untilCall(History history) {
        Certificate certificate = history.certificate();
        assertThat(certificate.atGrant().violations()).as("at the grant").isZero();
        return Objects.requireNonNull(certificate.untilCall(), "it has a margin");
    }

    private static long violations(History history) {
        return untilCall(history).violations();
    }

    @Test
    void aWindowCountsAStartUntilItsMarginIsOver() {
        String limit = "window 2/1s margin 50ms";
        assertThat(violations(under(limit).margin(MARGIN).batch(0, 2, 2).starts(SECOND + MARGIN - 1)))
                .isEqualTo(1);
        assertThat(violations(under(limit).margin(MARGIN).batch(0, 2, 2).starts(SECOND + MARGIN)))
                .isZero();
        WaterMark found = untilCall(under(limit).margin(MARGIN).batch(0, 2, 2).starts(SECOND + MARGIN - 1))
                .examples()
                .getFirst();
        assertThat(found.figures()).isEqualTo("3 of 2 in the last 1s");
        assertThat(found.since()).isEqualTo(BEGIN.plusNanos(MARGIN * 1_000));
    }

    @Test
    void aStartThatCameBackCountsFromItsReturn() {
        String limit = "window 2/1s margin 50ms";
        assertThat(violations(under(limit)
                        .margin(MARGIN)
                        .batch(0, 2, 2)
                        .back(20_000, 2, 0)
                        .starts(SECOND + 20_000)))
                .isZero();
        assertThat(violations(under(limit)
                        .margin(MARGIN)
                        .batch(0, 2, 2)
                        .back(20_000, 2, 0)
                        .starts(SECOND + 19_999)))
                .isEqualTo(1);
        assertThat(violations(under(limit)
                        .margin(MARGIN)
                        .batch(0, 2, 2)
                        .back(20_000, 1, 0)
                        .starts(SECOND + 20_000, SECOND + 20_000)))
                .as("one of the two is still out")
                .isEqualTo(1);
        assertThat(violations(under(limit)
                        .margin(MARGIN)
                        .batch(0, 2, 2)
                        .back(MARGIN + 1, 2, 0)
                        .starts(SECOND + MARGIN)))
                .as("a margin that is over is not reopened")
                .isZero();
    }

    @Test
    void aLateStartIsAsIfItHadNotBeen() {
        for (String limit : new String[] {"window 2/1s margin 50ms", "rate 2/1s burst 2 margin 50ms"}) {
            Verification verification = under(limit)
                    .margin(MARGIN)
                    .batch(0, 2, 2)
                    .late(30_000, 1, 1, 0)
                    .starts(30_000)
                    .verification();
            assertThat(verification.violations()).as(limit).isZero();
            assertThat(verification.late()).isEqualTo(1);
            assertThat(verification.limits().getFirst().starts()).isEqualTo(2);
            assertThat(under(limit)
                            .margin(MARGIN)
                            .batch(0, 2, 2)
                            .late(30_000, 1, 1, 0)
                            .starts(30_000, 30_000)
                            .violations())
                    .as(limit)
                    .isEqualTo(1);
            assertThat(under(limit)
                            .margin(MARGIN)
                            .batch(0, 2, 2)
                            .late(90_000, 1, 1, 0)
                            .starts(90_000)
                            .violations())
                    .as("late is late, even after the margin")
                    .isZero();
        }
        assertThat(under("delay 1s")
                        .margin(MARGIN)
                        .starts(0)
                        .late(5, 1, 1, 0)
                        .starts(6)
                        .violations())
                .isZero();
        assertThat(under("delay 1s")
                        .margin(MARGIN)
                        .starts(0, SECOND)
                        .late(SECOND + 1, 1, 1, SECOND)
                        .starts(2 * SECOND - 1)
                        .violations())
                .as("only the one before counts, and that is long ago")
                .isZero();
    }

    @Test
    void aRateSpendsAStartWhenItsCallCanNoLongerCome() {
        String limit = "rate 10/1s burst 5 margin 50ms";
        // Five at once: the first is back 100 ms after the last moment of its call.
        assertThat(violations(under(limit).margin(MARGIN).batch(0, 5, 5).starts(100_000 + MARGIN - 1)))
                .isEqualTo(1);
        assertThat(violations(under(limit).margin(MARGIN).batch(0, 5, 5).starts(100_000 + MARGIN)))
                .isZero();
        assertThat(violations(under(limit)
                        .margin(MARGIN)
                        .batch(0, 5, 5)
                        .back(10_000, 5, 0)
                        .starts(110_000)))
                .isZero();
        assertThat(violations(under(limit)
                        .margin(MARGIN)
                        .batch(0, 5, 5)
                        .back(10_000, 5, 0)
                        .starts(109_999)))
                .isEqualTo(1);
    }

    @Test
    void aDistanceBeginsWhereTheCallBeforeCanNoLongerCome() {
        String limit = "delay 100ms margin 50ms";
        assertThat(violations(under(limit).margin(MARGIN).starts(0, 149_999))).isEqualTo(1);
        assertThat(violations(under(limit).margin(MARGIN).starts(0, 150_000))).isZero();
        assertThat(violations(
                        under(limit).margin(MARGIN).starts(0).back(10_000, 1, 0).starts(110_000)))
                .isZero();
        String far = "delay 100ms margin end";
        Judgement open = untilCall(under(far).inUse(0, 1, 1).inUse(200_000, 2, 2));
        assertThat(open.violations()).isEqualTo(1);
        assertThat(open.examples().getFirst().figures())
                .isEqualTo("while a call before may still come, at least 100ms after it");
    }

    @Test
    void aStartAcrossMidnightIsChargedToBothDays() {
        String limit = "quota 3/day UTC margin 1s";
        long midnight = Micros.of(Instant.parse("2026-03-29T00:00:00Z")) - Micros.of(BEGIN);
        History crossing = under(limit).margin(SECOND).batch(midnight - SECOND, 2, 2);
        assertThat(violations(crossing.batch(midnight + 5, 2, 2))).isEqualTo(1);
        History before = under(limit).margin(SECOND).batch(midnight - SECOND - 1, 2, 2);
        assertThat(violations(before.batch(midnight + 5, 2, 2))).isZero();
        History returned =
                under(limit).margin(SECOND).batch(midnight - SECOND, 2, 2).back(midnight - 1, 2, midnight - SECOND);
        assertThat(violations(returned.batch(midnight, 3, 3))).isZero();
    }

    @Test
    void untilItsHandlerHasEndedAStartCountsHoweverLongThatTakes() {
        String limit = "window 2/1s margin end";
        assertThat(violations(under(limit).inUse(0, 1, 1).inUse(1, 2, 2).inUse(9 * SECOND, 3, 3)))
                .isEqualTo(1);
        assertThat(violations(under(limit)
                        .inUse(0, 1, 1)
                        .inUse(1, 2, 2)
                        .back(8 * SECOND, 1, 1)
                        .inUse(9 * SECOND, 2, 2)))
                .isZero();
        assertThat(violations(under(limit)
                        .inUse(0, 1, 1)
                        .inUse(1, 2, 2)
                        .back(8 * SECOND, 1, 1)
                        .inUse(9 * SECOND - 1, 2, 2)))
                .isEqualTo(1);
        assertThat(violations(under(limit).inUse(0, 1, 1).inUse(1, 2, 2).inUse(9 * SECOND, 1, 1)))
                .as("nothing else is held: the journal was off when they came back")
                .isZero();
    }

    @Test
    void aLostStartCountsUntilACallOnItsWayHasArrived() {
        String limit = "window 1/1s margin end";
        assertThat(violations(under(limit).inUse(0, 1, 1).lost(5 * SECOND, 0).inUse(6_499_999, 1, 1)))
                .isEqualTo(1);
        assertThat(violations(under(limit).inUse(0, 1, 1).lost(5 * SECOND, 0).inUse(6_500_000, 1, 1)))
                .isZero();
    }

    @Test
    void aRefundOfAnOpenStartIsTakenOffWhatIsOpen() {
        String limit = "window 10/1s by-cost margin 50ms";
        History settled =
                under(limit).margin(MARGIN).batch(0, 1, 10).settle(9, -4, 0).back(9, 1, 6, 0);
        assertThat(violations(settled.batch(SECOND + 8, 1, 4))).isZero();
        assertThat(violations(settled.batch(SECOND + 8, 1, 1))).isEqualTo(1);
        assertThat(violations(under(limit)
                        .margin(MARGIN)
                        .batch(0, 1, 10)
                        .settle(90_000, -4, 0)
                        .batch(90_000, 1, 4)))
                .isZero();
        assertThat(violations(under(limit)
                        .margin(MARGIN)
                        .batch(0, 1, 5)
                        .settle(9, 5, 0)
                        .back(9, 1, 5, 0)
                        .batch(SECOND + 9, 1, 10)))
                .as("a debt counts from when it became known")
                .isZero();
    }

    @Test
    void withoutAMarginBothViewsAreOne() {
        assertThat(under("window 2/1s margin none").starts(0, 1).certificate().untilCall())
                .isNull();
        assertThat(under("window 2/1s").starts(0, 1).certificate().untilCall())
                .as("the journal of a version without margins")
                .isNull();
        assertThat(under("window 2/1s margin none; rate 9/1s burst 9 margin 50ms")
                        .margin(MARGIN)
                        .batch(0, 2, 2)
                        .batch(SECOND, 2, 2)
                        .violations())
                .as("each limit has a margin of its own")
                .isZero();
        assertThat(under("concurrency 2")
                        .margin(MARGIN)
                        .inUse(0, 2, 2)
                        .certificate()
                        .untilCall())
                .isNull();
    }

    @Test
    void aStartThatTheStoresClockPutsEarlierIsFoundByIt() {
        String limit = "window 2/1s margin 50ms";
        History back = under(limit).margin(MARGIN).batch(0, 1, 1).behind(10, 1, 4);
        assertThat(violations(back.back(20_000, 1, 0).back(20_000, 1, 4).batch(SECOND + 20_000, 2, 2)))
                .isZero();
    }

    @Test
    void whatIsOpenWhenTheGateIsClearedNoLongerCounts() {
        for (String limit : new String[] {"window 2/1s margin 50ms", "window 2/1s margin end"}) {
            assertThat(under(limit)
                            .margin(MARGIN)
                            .inUse(0, 1, 1)
                            .inUse(1, 2, 2)
                            .clear(2)
                            .inUse(3, 3, 3)
                            .inUse(4, 4, 4)
                            .violations())
                    .as(limit)
                    .isZero();
        }
        assertThat(under("window 2/1s margin end")
                        .inUse(0, 1, 1)
                        .inUse(1, 2, 2)
                        .then("window 2/1s margin none")
                        .inUse(2 * SECOND, 3, 3)
                        .then("window 2/1s margin end")
                        .inUse(4 * SECOND, 4, 4)
                        .violations())
                .as("a limit that stopped waiting for returns")
                .isZero();
    }
}

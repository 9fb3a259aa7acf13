package dev.headgate.internal.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.admission.QueueTurns;
import dev.headgate.internal.lease.Turn;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WakeTimerTest {
    private static final long MS = 1_000_000;
    private static final long POLL = 5_000 * MS;
    private final WakeTimer wakeTimer = new WakeTimer(POLL, 0);

    @Test
    void comesEarlierByTheWayToADecision() {
        plan(next(100, false), 0, 4);
        assertThat(wakeTimer.lead()).isEqualTo(Duration.ofNanos(MS / 2));
        assertThat(wakeTimer.left(0)).isEqualTo(104 * MS - MS / 2);
    }

    @Test
    void aWayThatHadToWaitForOthersCountsLittleAndAShortOneMuch() {
        plan(next(100, false), 0, 8);
        plan(next(100, false), 200, 1_200);
        long long1 = wakeTimer.lead().toNanos();
        assertThat(long1).isLessThan(5 * MS);
        plan(next(100, false), 2_000, 2_000);
        assertThat(wakeTimer.lead().toNanos()).isEqualTo(long1 - long1 / 2);
    }

    @Test
    void whatAnotherWorkerMovedIsLookedAtLater() {
        plan(next(100, true), 0, 0);
        assertThat(wakeTimer.isOthers()).isTrue();
        assertThat(wakeTimer.left(0)).isEqualTo(110 * MS);
        wakeTimer.looked(Duration.ofMillis(40), 110 * MS);
        assertThat(wakeTimer.isOthers()).isTrue();
        assertThat(wakeTimer.left(110 * MS)).isEqualTo(50 * MS);
    }

    @Test
    void whatAnotherWorkerMissedIsOurs() {
        plan(next(100, true), 0, 0);
        wakeTimer.looked(Duration.ZERO, 110 * MS);
        assertThat(wakeTimer.isOthers()).isFalse();
    }

    @Test
    void ifNothingWaitsForTimeThePollIsATurn() {
        plan(next(100, true), 0, 0);
        wakeTimer.looked(null, 110 * MS);
        assertThat(wakeTimer.left(110 * MS)).isEqualTo(POLL);
        assertThat(wakeTimer.isOthers())
                .as("a poll that only looks could go on for ever")
                .isFalse();
    }

    @Test
    void whoCameTooEarlyIsStillTheOneToBeThere() {
        plan(next(100, false), 0, 0);
        plan(new Turn.Next(Duration.ofMillis(1), 100_000, true), 99, 99);
        assertThat(wakeTimer.isOthers()).isFalse();
        plan(new Turn.Next(Duration.ofMillis(101), 200_000, true), 99, 99);
        assertThat(wakeTimer.isOthers()).as("another instant").isTrue();
    }

    @Test
    void withoutATimeTheNextLookIsThePoll() {
        plan(next(100, true), 0, 0);
        plan(null, 100, 100);
        assertThat(wakeTimer.left(100 * MS)).isEqualTo(POLL);
        assertThat(wakeTimer.isOthers()).isFalse();
    }

    @Test
    void atOnceInVainIsBounded() {
        long last = 0;
        for (int i = 0; i < 20; i++) {
            wakeTimer.plan(turn(next(0, false), 0), false, 0, 0);
            assertThat(wakeTimer.left(0)).isGreaterThanOrEqualTo(last);
            last = wakeTimer.left(0);
        }
        assertThat(last).isEqualTo(50 * MS);
        wakeTimer.plan(turn(next(0, false), 0), true, 0, 0);
        assertThat(wakeTimer.isDue(0)).as("after progress at once").isTrue();
    }

    private static Turn.Next next(long millis, boolean isOthers) {
        return new Turn.Next(Duration.ofMillis(millis), millis * 1_000, isOthers);
    }

    private void plan(Turn.@Nullable Next next, long askedMillis, long decidedMillis) {
        wakeTimer.plan(turn(next, decidedMillis), true, askedMillis * MS, decidedMillis * MS);
    }

    private static Turn turn(Turn.@Nullable Next next, long decidedMillis) {
        return new Turn(
                List.of(),
                Map.of(),
                Turn.Ends.AS_SENT,
                new Turn.Clock(decidedMillis * MS, decidedMillis * MS),
                next,
                Set.of(),
                new Turn.Left(QueueTurns.OLDEST_FIRST, Turn.Passed.NONE, 0, false),
                new Turn.Noted(decidedMillis * 1_000, PolicyBook.EMPTY, List.of()));
    }
}

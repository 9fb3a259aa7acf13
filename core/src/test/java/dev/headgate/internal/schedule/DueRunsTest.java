package dev.headgate.internal.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.schedule.Missed;
import dev.headgate.schedule.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DueRunsTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final Schedule HOURLY = Schedule.cron("@hourly");

    @Test
    void nothingIsDueBeforeItsTime() {
        DueRuns due = DueRuns.of(HOURLY, NOON, NOON.plusSeconds(3_599));
        assertThat(due.runs()).isEmpty();
        assertThat(due.next()).isEqualTo(NOON.plusSeconds(3_600));
    }

    @Test
    void aRunIsDueAtItsInstantWhateverThePolicy() {
        for (Missed missed : Missed.values()) {
            DueRuns due = DueRuns.of(HOURLY.missed(missed), NOON.minusSeconds(1), NOON);
            assertThat(due.runs()).as(missed.name()).containsExactly(NOON);
            assertThat(due.next()).isEqualTo(NOON.plusSeconds(3_600));
        }
    }

    @Test
    void missedRunsAreSkippedOrMadeUpForByOneOrByAll() {
        Instant now = NOON.plus(Duration.ofMinutes(30));
        Instant settled = NOON.minus(Duration.ofHours(3));
        assertThat(DueRuns.of(HOURLY.missed(Missed.SKIP), settled, now).runs()).isEmpty();
        assertThat(DueRuns.of(HOURLY.missed(Missed.ONE), settled, now).runs()).containsExactly(NOON);
        assertThat(DueRuns.of(HOURLY.missed(Missed.ALL), settled, now).runs())
                .containsExactly(NOON.minusSeconds(7_200), NOON.minusSeconds(3_600), NOON);
    }

    @Test
    void skipStillStartsARunThatIsHardlyLate() {
        Schedule skip = HOURLY.missed(Missed.SKIP);
        Instant settled = NOON.minus(Duration.ofHours(3));
        assertThat(DueRuns.of(skip, settled, NOON.plus(Missed.GRACE)).runs()).containsExactly(NOON);
        assertThat(DueRuns.of(skip, settled, NOON.plus(Missed.GRACE).plusNanos(1_000))
                        .runs())
                .isEmpty();
    }

    @Test
    void ofManyMissedRunsTheNewestAreMadeUpFor() {
        Schedule all = Schedule.every(Duration.ofSeconds(1)).missed(Missed.ALL);
        DueRuns due = DueRuns.of(all, NOON.minus(Duration.ofDays(3_000)), NOON);
        assertThat(due.runs()).hasSize(Missed.MADE_UP_MAX).isSorted().endsWith(NOON);
        assertThat(due.isCut()).isTrue();
        DueRuns whole = DueRuns.of(all, NOON.minusSeconds(Missed.MADE_UP_MAX), NOON);
        assertThat(whole.runs()).hasSize(Missed.MADE_UP_MAX);
        assertThat(whole.isCut()).isFalse();
    }

    @Test
    void aClockThatStepsBackMakesNothingDueTwice() {
        DueRuns due = DueRuns.of(HOURLY.missed(Missed.ALL), NOON, NOON.minus(Duration.ofHours(5)));
        assertThat(due.runs()).isEmpty();
        assertThat(due.next()).isEqualTo(NOON.plusSeconds(3_600));
    }

    @Test
    void whateverTheMomentsOfLookingEveryInstantComesOnce() {
        Random random = new Random(11);
        List<Schedule> schedules = List.of(
                Schedule.cron("*/7 3-21 * * *", "America/New_York"),
                Schedule.cron("13 * * * *", "Australia/Lord_Howe"),
                Schedule.every(Duration.ofMinutes(11)));
        for (Schedule schedule : schedules) {
            Instant now = Instant.parse("2026-10-20T00:00:00Z");
            List<Instant> expected = schedule.next(now, 900);
            List<Instant> found = new java.util.ArrayList<>();
            Instant settled = now;
            while (found.size() < expected.size()) {
                now = now.plus(Duration.ofSeconds(random.nextInt(7_200)));
                DueRuns due = DueRuns.of(schedule.missed(Missed.ALL), settled, now);
                found.addAll(due.runs());
                settled = now;
                assertThat(due.next()).isAfter(now);
            }
            assertThat(found.subList(0, expected.size())).isEqualTo(expected);
        }
    }

    @Test
    void onceIsDueOnceAndHasNoNext() {
        DueRuns due = DueRuns.of(Schedule.once(NOON), NOON.minusSeconds(1), NOON.plusSeconds(500));
        assertThat(due.runs()).containsExactly(NOON);
        assertThat(due.next()).isNull();
        assertThat(DueRuns.of(Schedule.once(NOON), NOON, NOON.plusSeconds(500)).runs())
                .isEmpty();
    }
}

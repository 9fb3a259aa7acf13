package dev.headgate.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headgate.schedule.Schedule.Timing;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimingTest {
    private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "* * * * *       | 2026-03-01T00:01:00Z | 2026-03-01T00:02:00Z",
                "*/20 * * * *    | 2026-03-01T00:20:00Z | 2026-03-01T00:40:00Z",
                "0 3 * * *       | 2026-03-01T03:00:00Z | 2026-03-02T03:00:00Z",
                "30 2 * * 1-5    | 2026-03-02T02:30:00Z | 2026-03-03T02:30:00Z",
                "0 9 * * MON     | 2026-03-02T09:00:00Z | 2026-03-09T09:00:00Z",
                "0 9 * * 0       | 2026-03-01T09:00:00Z | 2026-03-08T09:00:00Z",
                "0 9 * * 7       | 2026-03-01T09:00:00Z | 2026-03-08T09:00:00Z",
                "0 0 29 2 *      | 2028-02-29T00:00:00Z | 2032-02-29T00:00:00Z",
                "0 0 L * *       | 2026-03-31T00:00:00Z | 2026-04-30T00:00:00Z",
                "0 0 ? * 5#3     | 2026-03-20T00:00:00Z | 2026-04-17T00:00:00Z",
                "0 0 13 * FRI    | 2026-03-06T00:00:00Z | 2026-03-13T00:00:00Z",
                "30 0 3 * * ?    | 2026-03-01T03:00:30Z | 2026-03-02T03:00:30Z",
                "*/10 * * * * *  | 2026-03-01T00:00:10Z | 2026-03-01T00:00:20Z",
                "@daily          | 2026-03-02T00:00:00Z | 2026-03-03T00:00:00Z",
                "@weekly         | 2026-03-08T00:00:00Z | 2026-03-15T00:00:00Z",
                "@yearly         | 2027-01-01T00:00:00Z | 2028-01-01T00:00:00Z",
            })
    void cronSaysWhen(String expression, Instant first, Instant second) {
        assertThat(Schedule.cron(expression).next(START, 2)).containsExactly(first, second);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "* * * *",
                "* * * * * * *",
                "61 * * * *",
                "0 25 * * *",
                "0 0 0 * *",
                "0 0 * 13 *",
                "0 0 * * 8",
                "*/0 * * * *",
                "5-1 * * * *",
                "1,,2 * * * *",
                "- * * * *",
                "0 0 15W * *",
                "@fortnightly",
                "0 0 * * MOO"
            })
    void aWrongExpressionIsRefusedWithItsText(String expression) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Schedule.cron(expression))
                .withMessageStartingWith("cron '%s': expected".formatted(expression));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            5-1 * * * *     | expected a range of the minute that rises, got 5-1; try 5-59,0-1
            0 22-4/2 * * *  | expected a range of the hour that rises, got 22-4; try 22-23,0-4
            0 0 * * fri-mon | expected a range of the day of the week that rises, got fri-mon; try 5-7,0-1
            0 0 * nov-feb * | expected a range of the month that rises, got nov-feb; try 11-12,1-2
            60 * * * *      | expected a minute from 0 to 59, got 60
            0 24 * * *      | expected an hour from 0 to 23, got 24
            0 0 0 * *       | expected a day of the month from 1 to 31, got 0
            0 0 1,40 * *    | expected a day of the month from 1 to 31, got 40
            0-99 * * * * *  | expected a second from 0 to 59, got 99
            */0 * * * *     | expected a step of 1 or more for the minute, got */0
            """)
    void aWrongRangeIsToldInOurWords(String expression, String fault) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Schedule.cron(expression))
                .withMessage("cron '%s': %s".formatted(expression, fault));
    }

    @Test
    void theNumberOfFieldsIsTold() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Schedule.cron("* * * *"))
                .withMessage(
                        "cron '* * * *': expected 5 fields (minute hour day month weekday) or 6 (second in front), got 4");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 0 30 2 *", "0 0 31 2,4,6,9,11 *", "* * 30 2 *", "0 0 * * 1#6"})
    void anExpressionThatNeverComesHasNoNext(String expression) {
        assertThat(Schedule.cron(expression, "Europe/Berlin").next(START, 1)).isEmpty();
    }

    @Test
    void anUnknownZoneIsRefusedAndNearOnesAreNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Schedule.cron("0 3 * * *", "berlin"))
                .withMessage(
                        "zone: expected a name such as Europe/Berlin or UTC, got 'berlin'; did you mean Europe/Berlin?");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Schedule.cron("0 3 * * *", "Mars/Olympus"))
                .withMessageEndingWith("got 'Mars/Olympus'");
    }

    @Test
    void intervalsAreCountedFromTheirFirstAndNeverFromNow() {
        Schedule every = Schedule.every(Duration.ofMinutes(7), START);
        assertThat(every.next(START.minusSeconds(1), 2)).containsExactly(START, START.plusSeconds(420));
        assertThat(every.next(START, 1)).containsExactly(START.plusSeconds(420));
        Instant late = START.plus(Duration.ofDays(365)).plusMillis(3);
        Instant next = every.next(late, 1).getFirst();
        assertThat(Duration.between(START, next).toMillis() % 420_000).isZero();
        assertThat(Schedule.every(Duration.ofMinutes(5)).next(START.plusSeconds(1), 1))
                .containsExactly(START.plusSeconds(300));
    }

    @Test
    void intervalsBelowASecondAreRefused() {
        List.of(Duration.ZERO, Duration.ofMillis(999), Duration.ofSeconds(-5), Duration.ofDays(4_000))
                .forEach(span -> assertThatIllegalArgumentException()
                        .isThrownBy(() -> Schedule.every(span))
                        .withMessageStartingWith("every: expected 1s to 3660d"));
    }

    @Test
    void onceIsOnce() {
        assertThat(Schedule.once(START).next(START.minusNanos(1_000), 5)).containsExactly(START);
        assertThat(Schedule.once(START).next(START, 5)).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> Schedule.once(Instant.MAX));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cron 0 3 * * * in Europe/Berlin",
                "cron */10 * * * * * in UTC",
                "cron @daily in America/Argentina/Buenos_Aires",
                "cron 0 3 * * * in +05:30",
                "every 5m",
                "every 1d from 2026-01-01T06:00:00Z",
                "once 2030-01-31T09:00:00Z"
            })
    void textsAreReadBack(String text) {
        assertThat(Timing.parse(text).text()).isEqualTo(text);
        assertThat(Timing.parse(text)).isEqualTo(Timing.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "often", "cron", "every", "every never", "once", "once upon", "every 5m from noon"})
    void textsThatMeanNothingAreRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Timing.parse(text))
                .withMessageContaining("expected");
    }

    @Test
    void theZoneOfACronIsUtcUnlessItIsSaid() {
        assertThat(Schedule.cron("0 3 * * *")).isEqualTo(Schedule.cron("0 3 * * *", ZoneOffset.UTC));
    }
}

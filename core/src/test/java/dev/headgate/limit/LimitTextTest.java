package dev.headgate.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headgate.internal.time.Micros;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LimitTextTest {
    @ParameterizedTest
    @CsvSource({
        "concurrency 3, concurrency 3",
        "  CONCURRENCY   3 , concurrency 3",
        "budget 100, budget 100",
        "rate 20/1s, rate 20/1s burst 1",
        "rate 5/s, rate 5/1s burst 1",
        "window 50/M, window 50/1m",
        "spaced 10/h by-cost, spaced 10/1h by-cost",
        "rate 20/1s burst 5, rate 20/1s burst 5",
        "rate 90000/1m by-cost, rate 90000/1m burst 90000 by-cost",
        "rate 90000/60s by-cost burst 1, rate 90000/1m burst 1 by-cost",
        "rate 5/1h30m burst 2, rate 5/1h30m burst 2",
        "rate 1/PT0.5S, rate 1/500ms burst 1",
        "Window 50/60s, window 50/1m",
        "window 90000/1m BY-COST, window 90000/1m by-cost",
        "spaced 10/10s, spaced 10/10s",
        "spaced 10/10s by-cost, spaced 10/10s by-cost",
        "spaced 1/100ms, delay 100ms",
        "delay 100ms, delay 100ms",
        "spaced 1/1s by-cost, spaced 1/1s by-cost",
        "quota 1000/day europe/berlin, quota 1000/day Europe/Berlin",
        "quota 5000000/month UTC by-cost, quota 5000000/month UTC by-cost",
        "quota 5/hour +02:00, quota 5/hour +02:00",
        "adaptive 1..20, adaptive 1..20",
        "Window 20/1s Margin 50ms, window 20/1s margin 50ms",
        "window 20/1s margin 50ms by-cost, window 20/1s by-cost margin 50ms",
        "window 20/1s margin auto, window 20/1s",
        "rate 20/1s margin none burst 5, rate 20/1s burst 5 margin none",
        "delay 100ms margin 10ms, delay 100ms margin 10ms",
        "quota 1000/day utc margin end, quota 1000/day UTC margin end"
    })
    void readsWhatPeopleWriteAndWritesOneForm(String written, String canonical) {
        Limit limit = LimitText.parse(written);
        assertThat(limit.text()).isEqualTo(canonical);
        assertThat(LimitText.parse(canonical)).isEqualTo(limit);
    }

    @ParameterizedTest
    @CsvSource({
        "rate 0.5/1s, rate 1/2s",
        "rate 0.5/s burst 3, rate 1/2s",
        "rate 1.5/1m, rate 3/2m",
        "window 2.0/1m, window 2/1m",
        "spaced .25/1s, spaced 1/4s"
    })
    void aFractionIsAnsweredWithTheSameInWholeNumbers(String written, String meant) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LimitText.parse(written))
                .withMessageContaining("expected a whole number, got '")
                .withMessageContaining("; did you mean '%s'?".formatted(meant));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "concurrency",
                "concurrency 0",
                "concurrency -1",
                "concurrency 1.5",
                "concurrency 3 4",
                "concurrency three",
                "budget 99999999999999999999",
                "rate 1",
                "rate 1/",
                "rate /1s",
                "rate 1/1s/1s",
                "rate 1/0s",
                "rate 1/1x",
                "rate 1/x",
                "rate 0.0/1s",
                "rate 0.5/90000000d",
                "rate 0.5/1x",
                "rate 1/1s burst",
                "rate 1/1s burst 0",
                "rate 1/1s hourly",
                "tokens 5",
                "window 3/1s; concurrency 1",
                "window 3/0s",
                "window 0/1s",
                "window 1.5/1s",
                "spaced 1/1s burst 4",
                "delay 0s",
                "delay 3",
                "quota 5/week UTC",
                "quota 5/day",
                "quota 5/day Europe/Berln",
                "adaptive 5",
                "adaptive 5..5",
                "adaptive 0..5",
                "shadow window 3/1s",
                "back-off 1s x2 max 10m"
            })
    void refusesNonsenseAndSaysWhat(String nonsense) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LimitText.parse(nonsense))
                .satisfies(refused -> assertThat(refused.getMessage()).contains("expected"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rate 5/s burst | limit 'rate 5/s burst': expected a whole number after 'burst', such as burst 5; expected a form",
                "rate 5/s bursd 3 | unexpected 'bursd'; did you mean 'burst'?",
                "rate 5/min | limit 'rate 5/min': duration: expected a form such as 500ms, 2s, 1m, 1h30m or 1d, got 'min'; did you mean '5/1m'?",
                "window 5/30sec | limit 'window 5/30sec': duration: expected a form such as 500ms, 2s, 1m, 1h30m or 1d, got '30sec'; did you mean '5/30s'?",
                "spaced 0.5/hour | limit 'spaced 0.5/hour': duration: expected a form such as 500ms, 2s, 1m, 1h30m or 1d, got 'hour'; did you mean '0.5/1h'?",
                "rate 5/x | limit 'rate 5/x': duration: expected a form such as 500ms, 2s, 1m, 1h30m or 1d, got 'x'; expected a form",
                "delay soon | limit 'delay soon': duration: expected a form"
            })
    void whatIsWrongIsToldWithTheLimitAndWhatIsExpected(String nonsense, String why) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LimitText.parse(nonsense))
                .withMessageContaining(why);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "window 20/1s margin -5ms | margin: expected a span greater than zero, got -5ms; for no margin say none",
                "window 20/1s margin 0s | margin: expected a span greater than zero, got 0s; for no margin say none",
                "window 20/1s margin 1s | expected a margin shorter than its period of 1s, got 1s",
                "rate 20/1s burst 5 margin 2s | expected a margin shorter than its period of 1s, got 2s",
                "window 20/1s margin soon | margin: expected auto, none, end or a span such as 50ms, got 'soon'",
                "window 20/1s margin ends | got 'ends'; did you mean 'end'?",
                "window 20/1s margin | margin: expected auto, none, end or a span such as 50ms, got ''",
                "window 20/1s margin 5ms margin 9ms | expected one margin, got two",
                "concurrency 3 margin 50ms | a limit on what runs at once has no margin",
                "adaptive 1..9 margin end | a limit on what runs at once has no margin"
            })
    void aMarginThatCannotBeIsRefused(String nonsense, String why) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LimitText.parse(nonsense))
                .withMessageContaining(why);
    }

    @Test
    void severalLimitsAreJoinedBySemicolons() {
        List<Limit> limits = LimitText.parseAll(" concurrency 3 ;; rate 7/1s burst 2; ");
        assertThat(LimitText.text(limits)).isEqualTo("concurrency 3; rate 7/1s burst 2");
        assertThat(LimitText.parseAll(LimitText.text(limits))).isEqualTo(limits);
        assertThat(LimitText.parseAll("  ")).isEmpty();
    }

    @Test
    void everyRateSurvivesItsText() {
        Random random = new Random(1);
        for (int i = 0; i < 10_000; i++) {
            Duration per = Micros.duration(1 + random.nextLong(Micros.of(Duration.ofDays(366))));
            Rate rate = new Rate(1 + random.nextLong(1_000_000), per, 1 + random.nextInt(1000), random.nextBoolean());
            assertThat(LimitText.parse(rate.text())).isEqualTo(rate);
        }
    }

    @Test
    void twoRatesOfOnePeriodAndUnitWouldShareABucketAndAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new GatePolicy(LimitText.parseAll("rate 1/1s burst 10; rate 2/1000ms burst 1")))
                .withMessageContaining("another period");
        new GatePolicy(LimitText.parseAll("rate 1/1s burst 10; rate 1/500ms burst 1; rate 9/1s by-cost"));
    }
}

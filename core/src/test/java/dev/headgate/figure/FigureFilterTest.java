package dev.headgate.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FigureFilterTest {
    @ParameterizedTest
    @CsvSource({
        "PT10S, PT10S",
        "PT20M, PT10S",
        "PT1H, PT1M",
        "PT6H, PT5M",
        "PT24H, PT10M",
        "PT168H, PT2H",
        "PT720H, PT6H"
    })
    void aStepThatSuitsTheSpanIsChosen(Duration span, Duration step) {
        assertThat(FigureFilter.last(span).step()).isEqualTo(step);
    }

    @Test
    void whatCannotBeReadIsRefused() {
        assertThatThrownBy(() -> FigureFilter.last(Duration.ofHours(1)).step(Duration.ofSeconds(15)))
                .hasMessageContaining("a multiple of 10 s");
        assertThatThrownBy(() -> FigureFilter.last(Duration.ofHours(1)).step(Duration.ZERO))
                .hasMessageContaining("a multiple of 10 s");
        assertThatThrownBy(() -> FigureFilter.last(Duration.ofSeconds(5))).hasMessageContaining("at least the step");
        assertThatThrownBy(() -> FigureFilter.last(Duration.ofDays(31))).hasMessageContaining("at most 30 days");
        assertThatThrownBy(() -> FigureFilter.last(Duration.ofHours(1)).step(Duration.ofSeconds(10)))
                .hasMessageContaining("at most 150 intervals of all, got 360");
        assertThatThrownBy(() ->
                        FigureFilter.last(Duration.ofHours(24)).queue("mail").step(Duration.ofSeconds(10)))
                .hasMessageContaining("at most 2000 intervals, got 8640");
    }

    @Test
    void aPatternOfGatesAlsoMeansTheKeysBehindIt() {
        FigureFilter pattern = FigureFilter.last(Duration.ofHours(1)).gate("tenant:*");
        assertThat(pattern.matches(FigureKind.GATE, "tenant:*")).isTrue();
        assertThat(pattern.matches(FigureKind.KEY, "tenant:7")).isTrue();
        assertThat(pattern.matches(FigureKind.KEY, "site:7")).isFalse();
        assertThat(pattern.matches(FigureKind.QUEUE, "tenant:*")).isFalse();
        FigureFilter one = FigureFilter.last(Duration.ofHours(1)).gate("tenant:7");
        assertThat(one.matches(FigureKind.KEY, "tenant:7")).isTrue();
        assertThat(one.matches(FigureKind.GATE, "tenant:*")).isFalse();
        assertThat(FigureFilter.last(Duration.ofHours(1)).matches(FigureKind.KEY, "tenant:7"))
                .isFalse();
    }

    @Test
    void aPercentileIsTheBoundOfItsBucket() {
        List<Long> counts = new ArrayList<>(Collections.nCopies(Histogram.BOUNDS.size() + 1, 0L));
        Histogram none = new Histogram(counts, Duration.ZERO);
        assertThat(none.percentile(95)).isEqualTo(Duration.ZERO);
        assertThat(none.mean()).isEqualTo(Duration.ZERO);
        counts.set(2, 95L);
        counts.set(6, 5L);
        Histogram some = new Histogram(counts, Duration.ofSeconds(3));
        assertThat(some.count()).isEqualTo(100);
        assertThat(some.percentile(95)).isEqualTo(Duration.ofMillis(10));
        assertThat(some.percentile(96)).isEqualTo(Duration.ofSeconds(1));
        assertThat(some.mean()).isEqualTo(Duration.ofMillis(30));
        counts.set(counts.size() - 1, 100L);
        assertThat(new Histogram(counts, Duration.ofDays(300)).percentile(99)).isEqualTo(Duration.ofDays(1));
        assertThatThrownBy(() -> new Histogram(List.of(1L), Duration.ZERO)).hasMessageContaining("expected 17 counts");
        assertThatThrownBy(() -> some.percentile(0)).hasMessageContaining("1 to 100");
    }
}

package dev.headgate.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headgate.internal.time.Micros;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpansTest {
    @ParameterizedTest
    @CsvSource({
        "500ms, PT0.5S",
        "2s, PT2S",
        "1m, PT1M",
        "1h30m, PT1H30M",
        "1d, PT24H",
        "90s, PT1M30S",
        "7us, PT0.000007S",
        "' 1H ', PT1H",
        "PT2.5S, PT2.5S",
        "0s, PT0S"
    })
    void readsWhatPeopleWrite(String written, Duration span) {
        assertThat(Spans.parse(written)).isEqualTo(span);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "s", "1x", "1s1", "-1s", "1.5s", "1 s", "p1", "9999999999s", "1s,2s"})
    void refusesNonsense(String nonsense) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Spans.parse(nonsense))
                .withMessageContaining("expected a form such as");
    }

    @Test
    void everySpanSurvivesItsText() {
        Random random = new Random(2);
        for (int i = 0; i < 20_000; i++) {
            Duration span = Micros.duration(random.nextLong(1L << (1 + random.nextInt(50))));
            assertThat(Spans.parse(Spans.text(span))).isEqualTo(span);
        }
    }

    @Test
    void microsAndInstantsConvertBothWays() {
        for (long micros : new long[] {0, 1, -1, 999_999, 1_000_000, -1_000_001, 1_767_225_600_123_456L}) {
            assertThat(Micros.of(Micros.instant(micros))).isEqualTo(micros);
            assertThat(Micros.of(Micros.duration(micros))).isEqualTo(micros);
        }
    }
}

package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeOptionTest {
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

    @ParameterizedTest
    @CsvSource({
        "now, 2030-01-01T00:00:00Z",
        "5m, 2030-01-01T00:05:00Z",
        "+1h30m, 2030-01-01T01:30:00Z",
        "PT10S, 2030-01-01T00:00:10Z",
        "2031-05-06T07:08:09.5Z, 2031-05-06T07:08:09.500Z",
        "2031-05-06T07:08+02:00, 2031-05-06T05:08:00Z",
        "2031-05-06 07:08-02:00, 2031-05-06T09:08:00Z",
    })
    void readsSpansAndInstants(String text, Instant expected) {
        assertThat(TimeOption.parse(text).from(NOW)).isEqualTo(expected);
    }

    @Test
    void aDateWithoutOffsetIsLocal() {
        Instant expected = LocalDateTime.parse("2031-05-06T07:08")
                .atZone(ZoneId.systemDefault())
                .toInstant();
        assertThat(TimeOption.parse("2031-05-06 07:08").from(NOW)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "tomorrow", "5", "2031-13-01T00:00", "2031-05-06", "-5m", "25:00"})
    void refusesEverythingElse(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TimeOption.parse(text))
                .withMessageContaining("time: expected");
    }
}

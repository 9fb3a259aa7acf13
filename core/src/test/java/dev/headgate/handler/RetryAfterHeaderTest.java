package dev.headgate.handler;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryAfterHeaderTest {
    private static final String SENT = "Sun, 06 Nov 1994 08:49:37 GMT";

    private static Optional<Duration> of(int status, Map<String, String> headers) {
        return RetryAfterHeader.of(status, name -> Optional.ofNullable(headers.get(name)));
    }

    @ParameterizedTest
    @CsvSource({
        "429, 0, 0",
        "429, 120, 120",
        "503, ' 7 ', 7",
        "429, 99999999999999999999, 86400",
        "429, 'Sun, 06 Nov 1994 08:50:07 GMT', 30",
        "503, 'Sun, 06 Nov 1994 08:49:36 GMT', 0",
        "503, 'Mon, 06 Nov 2194 08:49:36 GMT', ",
        "503, 'Thu, 06 Nov 2194 08:49:36 GMT', 86400",
        "429, -1, ",
        "429, 1.5, ",
        "429, soon, ",
        "429, '', ",
        "200, 120, ",
        "500, 120, ",
    })
    void secondsOrADate(int status, String text, Long seconds) {
        assertThat(of(status, Map.of("retry-after", text, "date", SENT)))
                .isEqualTo(Optional.ofNullable(seconds).map(Duration::ofSeconds));
    }

    @Test
    void withoutADateOfItsOwnTheClockOfThisMachineCounts() {
        assertThat(of(429, Map.of("retry-after", SENT))).contains(Duration.ZERO);
        assertThat(of(429, Map.of("retry-after", "Thu, 06 Nov 2194 08:49:36 GMT")))
                .contains(RetryAfterHeader.WAIT_MAX);
        assertThat(of(429, Map.of())).isEmpty();
    }
}

package dev.headgate.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearWordTest {
    @ParameterizedTest
    @CsvSource({
        "rate, rate",
        "rat, rate",
        "rates, rate",
        "rote, rate",
        "rt, ", // two letters away from a word of four
        "windw, window",
        "wnidow, window", // two of six letters
        "widnwo, ", // more than two
        "windowed, window"
    })
    void aWordIsNearIfAThirdOfItsLettersDiffersAtMost(String typed, @Nullable String near) {
        String hint = NearWord.hint(typed, List.of("rate", "window", "concurrency"));
        assertThat(hint).isEqualTo(near != null ? "; did you mean '%s'?".formatted(near) : "");
    }

    @ParameterizedTest
    @CsvSource({"aab, aaa", "bbb, bbb", "bba, bbb"})
    void ofSeveralTheNearestIsMeant(String typed, String near) {
        assertThat(NearWord.hint(typed, List.of("aaa", "bbb"))).isEqualTo("; did you mean '%s'?".formatted(near));
    }
}

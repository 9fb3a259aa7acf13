package dev.headgate.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobCursorTest {
    @Test
    void theTextOfACursorIsReadBack() {
        for (JobCursor cursor : new JobCursor[] {
            JobCursor.below(new JobId(98)), JobCursor.behind(-5, 7), JobCursor.behind(Long.MIN_VALUE, Long.MAX_VALUE)
        }) {
            assertThat(JobCursor.parse(cursor.text())).isEqualTo(cursor);
        }
        assertThat(JobCursor.below(new JobId(98))).hasToString("n2q");
        assertThat(JobCursor.behind(3, 7).isOfLine()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "98", "n", "n ", "l7", "l.7", "l7.", "x7", "n9999999999999999", "l7.7.7"})
    void anotherTextIsRefused(String text) {
        assertThatThrownBy(() -> JobCursor.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("cursor: expected the text that a page named for the next one, got '%s'", text);
    }
}

package dev.headgate.internal.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ErrorTextTest {
    @Test
    void theMostImportantComesFirstAndCausesFollow() {
        String text = ErrorText.of(new IllegalStateException("outer", new IllegalArgumentException("inner")));
        assertThat(text).startsWith("java.lang.IllegalStateException: outer\n\tat ");
        assertThat(text).contains("\ncaused by java.lang.IllegalArgumentException: inner\n\tat ");
    }

    @Test
    void nothingIsLongerThanAStoreCanBear() {
        for (String unit : new String[] {"a", "é", "€", "\uD83D\uDE00", "\uD800", "\0"}) {
            Throwable error = new IllegalStateException(unit.repeat(100_000));
            for (int i = 0; i < 20; i++) {
                error = new IllegalStateException(unit.repeat(10_000), error);
            }
            String text = ErrorText.of(error);
            assertThat(text.getBytes(StandardCharsets.UTF_8).length).isLessThan(16 * 1024);
            assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(text)).isTrue();
            assertThat(text).doesNotContain("\0");
        }
    }

    @Test
    void anExceptionThatCannotSpeakIsStillTold() {
        RuntimeException mute = new RuntimeException() {
            private static final long serialVersionUID = 1L;

            @Override
            public String getMessage() {
                throw new IllegalStateException("no words");
            }
        };
        assertThat(ErrorText.of(mute)).contains("its message could not be read");
    }

    @Test
    void aDeepStackIsCut() {
        assertThat(ErrorText.of(deep(200))).contains("more").hasLineCount(32);
    }

    private static RuntimeException deep(int depth) {
        return depth == 0 ? new IllegalStateException("bottom") : deep(depth - 1);
    }
}

package dev.headgate.cli.display;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScreenTest {
    private final StringWriter shown = new StringWriter();

    private Screen screen(Terminal terminal) {
        return new Screen(new PrintWriter(shown), terminal);
    }

    @Test
    void drawsOverItsLastPictureAndGivesTheCursorBack() {
        try (Screen screen = screen(new Terminal(true, true, 80, 24))) {
            screen.draw(List.of(new ProgressLine().add("one"), new ProgressLine().bar(1, 2, 4, ProgressLine.GREEN)));
            screen.draw(List.of(new ProgressLine().add("two", ProgressLine.CYAN)));
        }
        assertThat(shown.toString())
                .isEqualTo("\u001b[?25l"
                        + "\rone\u001b[K\n\r\u001b[32m██\u001b[0m\u001b[2m░░\u001b[0m\u001b[K\n\u001b[J"
                        + "\u001b[2A\r\u001b[36mtwo\u001b[0m\u001b[K\n\u001b[J"
                        + "\u001b[?25h");
    }

    @Test
    void aLineNeverWrapsAndAPictureNeverScrolls() {
        try (Screen screen = screen(new Terminal(true, false, 10, 3))) {
            screen.draw(List.of(
                    new ProgressLine().add("123456789012"),
                    new ProgressLine(),
                    new ProgressLine().add("b"),
                    new ProgressLine().add("c")));
        }
        assertThat(shown.toString())
                .contains("\r12345678…\u001b[K\n\rb\u001b[K\n\u001b[J")
                .doesNotContain("c");
    }
}

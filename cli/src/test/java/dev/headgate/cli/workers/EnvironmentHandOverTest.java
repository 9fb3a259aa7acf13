package dev.headgate.cli.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class EnvironmentHandOverTest {
    private static final Map<String, String> MARKED = Map.of(EnvironmentHandOver.MARK, "stdin");

    private static InputStream in(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void whatIsHandedOverTakesThePlaceOfTheOwnEnvironmentAndNoMoreIsRead() throws Exception {
        InputStream in = in("A=1\0B=x=y\nz\0EMPTY=\0\0--store\0jdbc:x\0\0s");
        EnvironmentHandOver received = EnvironmentHandOver.received(in, MARKED);
        assertThat(received.environment()).isEqualTo(Map.of("A", "1", "B", "x=y\nz", "EMPTY", ""));
        assertThat(received.with(new String[] {"work"})).containsExactly("--store", "jdbc:x", "work");
        assertThat(in.read()).as("what a supervisor says").isEqualTo('s');
    }

    @Test
    void withoutAHandoverTheOwnEnvironmentIsTakenAndNothingIsRead() throws Exception {
        InputStream in = in("A=1\0\0\0");
        EnvironmentHandOver received = EnvironmentHandOver.received(in, Map.of("B", "2"));
        assertThat(received).isEqualTo(new EnvironmentHandOver(Map.of("B", "2"), List.of()));
        assertThat(in.available()).isEqualTo(6);
    }

    @Test
    void halfAHandoverIsRefused() {
        assertThatThrownBy(() -> EnvironmentHandOver.received(in("A=1\0B"), MARKED))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("expected an environment on standard input");
    }

    @Test
    void theScriptKeepsTheSameVariables() throws Exception {
        String script = Files.readString(Path.of("..", "bin", "hand-over"));
        Matcher list = Pattern.compile("(?s)\nkept='([^']*)'").matcher(script);
        assertThat(list.find()).isTrue();
        assertThat(list.group(1).strip().split("\\s+")).containsExactlyInAnyOrderElementsOf(EnvironmentHandOver.KEPT);
        assertThat(script).contains(" " + EnvironmentHandOver.MARK + "=");
    }
}

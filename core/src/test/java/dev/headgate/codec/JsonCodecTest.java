package dev.headgate.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonCodecTest {
    private final JsonCodec codec = new JsonCodec();

    record Line(String name, BigDecimal price) {}

    record Order(int number, Instant at, Duration span, List<Line> lines, Map<String, String> notes) {}

    record Named(String name) {}

    record Open(Object any) {}

    static final class Loop {
        public Loop getSelf() {
            return this;
        }
    }

    @Test
    void recordsWithTimesAndListsComeBackAsTheyWere() {
        Order order = new Order(
                7,
                Instant.parse("2026-01-01T10:00:00.123456Z"),
                Duration.ofMillis(1_500),
                List.of(new Line("Ünïcode \uD83D\uDE00 \u0000", new BigDecimal("12.340"))),
                Map.of("a", "b"));
        assertThat(codec.read("order", codec.write("order", order), Order.class))
                .isEqualTo(order);
    }

    @Test
    void aPropertyOfANewerReleaseIsIgnored() {
        assertThat(codec.read("name", "{\"name\":\"x\",\"since\":3}", Named.class))
                .isEqualTo(new Named("x"));
    }

    @Test
    void aValueOfTheLargestSizeFitsAndOneByteMoreDoesNot() {
        String largest = "é".repeat((JsonCodec.BYTES_MAX - 2) / 2);
        assertThat(codec.read("text", codec.write("text", largest), String.class))
                .isEqualTo(largest);
        assertThatThrownBy(() -> codec.write("payload of 'x'", largest + "a"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("payload of 'x': expected at most 262144 bytes of JSON, got 262145");
    }

    @Test
    void halfASurrogatePairIsRefused() {
        assertThatThrownBy(() -> codec.check("payload", "\"\uD800\""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("half a surrogate pair");
        assertThatThrownBy(() -> codec.write("payload", new Named("\uDC00")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aValueThatJsonCannotHoldIsRefused() {
        assertThatThrownBy(() -> codec.write("payload of 'x'", new Loop()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("payload of 'x'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "{'a':1}", "[1,]", "{} {}", "{\"a\":1,\"a\":2}", "NaN", "nul"})
    void textThatIsNotJsonIsRefused(String text) {
        assertThatThrownBy(() -> codec.check("payload", text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected JSON text");
    }

    @Test
    void whoeverWritesThePayloadCannotExhaustTheReader() {
        assertThatThrownBy(() -> codec.check("payload", "[".repeat(5_000) + "]".repeat(5_000)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> codec.check("payload", "9".repeat(5_000)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aClassNameInAPayloadIsOnlyText() {
        String json = "{\"any\":[\"java.net.URL\",\"http://example.org\"]}";
        assertThat(codec.read("payload", json, Open.class).any())
                .isEqualTo(List.of("java.net.URL", "http://example.org"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "[]", "{\"name\":{}}", "7"})
    void whatDoesNotFitIsToldWithoutItsContent(String json) {
        assertThatThrownBy(() -> codec.read("payload of 'x'", json, Named.class))
                .isInstanceOf(UnreadableJsonException.class)
                .hasMessageContaining("payload of 'x'");
    }
}

package dev.headgate.internal.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.job.UnreadableJsonException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
    void depthAndDigitsHaveABound() {
        assertThat(codec.check("payload", "[".repeat(200) + "]".repeat(200))).hasSize(400);
        assertThatThrownBy(() -> codec.check("payload", "[".repeat(201) + "]".repeat(201)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("depth (201)");
        assertThat(codec.check("payload", "9".repeat(1_000))).hasSize(1_000);
        assertThatThrownBy(() -> codec.check("payload", "9".repeat(1_001)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("length (1001)");
    }

    @Test
    void aClassNameInAPayloadIsOnlyText() {
        String json = "{\"any\":[\"java.net.URL\",\"http://example.org\"]}";
        assertThat(codec.read("payload", json, Open.class).any())
                .isEqualTo(List.of("java.net.URL", "http://example.org"));
    }

    /** What makes objects of their own choice elsewhere: class ids of Jackson's forms, of others, of JNDI and JDBC. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'@class':'javax.naming.InitialContext','x':1}",
                "{'@type':'com.sun.rowset.JdbcRowSetImpl','dataSourceName':'ldap://e/x','autoCommit':true}",
                "{'$type':'System.Diagnostics.Process','class':'java.lang.ProcessBuilder'}",
                "['java.lang.ProcessBuilder',{'command':['touch','x']}]",
                "['java.util.ArrayList',[['javax.script.ScriptEngineManager',['java.net.URLClassLoader']]]]",
                "{'!!javax.script.ScriptEngineManager':[{'!!java.net.URL':'http://e'}]}",
                "{'@c':'.Gadget','rO0ABXNyABFqYXZhLnV0aWwuSGFzaE1hcA==':{}}"
            })
    void aGadgetIsOnlyData(String quoted) {
        String json = quoted.replace('\'', '"');
        Object read = codec.read("payload", "{\"any\":%s}".formatted(json), Open.class)
                .any();
        assertThat(codec.write("again", read)).isEqualTo(json);
        assertThat(kinds(read)).isSubsetOf(Set.of("LinkedHashMap", "ArrayList", "String", "Integer", "Boolean"));
    }

    private static Set<String> kinds(Object value) {
        Set<String> kinds = new HashSet<>(Set.of(value.getClass().getSimpleName()));
        if (value instanceof Map<?, ?> map) {
            map.values().forEach(each -> kinds.addAll(kinds(each)));
        } else if (value instanceof List<?> list) {
            list.forEach(each -> kinds.addAll(kinds(each)));
        }
        return kinds;
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "[]", "{\"name\":{}}", "7"})
    void whatDoesNotFitIsTold(String json) {
        assertThatThrownBy(() -> codec.read("payload of 'x'", json, Named.class))
                .isInstanceOf(UnreadableJsonException.class)
                .hasMessageContaining("payload of 'x'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'number':'canary'}",
                "{'at':'canary'}",
                "{'span':'canary'}",
                "{'lines':'canary'}",
                "{'lines':[{'price':'canary'}]}",
                "{'notes':['canary']}",
                "canary",
                "{'number':canary}",
                "{'a':1,'canary",
                "'canary'"
            })
    void butWithoutItsContent(String quoted) {
        String json = quoted.replace('\'', '"');
        assertThatThrownBy(() -> codec.read("payload of 'x'", json, Order.class))
                .isInstanceOf(UnreadableJsonException.class)
                .hasMessageContaining("line 1, column ")
                .hasMessageNotContaining("canary");
    }
}

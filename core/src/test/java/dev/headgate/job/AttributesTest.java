package dev.headgate.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.internal.json.PairsText;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AttributesTest {
    private static Attributes labels(Map<String, String> labels) {
        return Attributes.of(labels, Map.of());
    }

    private static Map<String, String> many(int count, String value) {
        Map<String, String> pairs = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            pairs.put("name" + i, value);
        }
        return pairs;
    }

    @Test
    void theyAreBoundedInNumberAndSize() {
        assertThat(labels(many(16, "x".repeat(200))).labels()).hasSize(16);
        assertThatThrownBy(() -> labels(many(17, "x"))).hasMessage("labels: expected at most 16, got 17");
        assertThatThrownBy(() -> labels(Map.of("a", "x".repeat(201))))
                .hasMessage("label 'a': expected a value of 1 to 200 characters, got 201");
        assertThatThrownBy(() -> Attributes.of(Map.of(), Map.of("a", "x".repeat(1_001))))
                .hasMessage("header 'a': expected a value of 1 to 1000 characters, got 1001");
        assertThatThrownBy(() -> Attributes.of(Map.of(), many(9, "x".repeat(1_000))))
                .hasMessageStartingWith("labels and headers: expected at most 8000 characters in all, got 9045");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a b",
                "a=b",
                "a:b",
                "é",
                "-a",
                "a\n",
                "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
            })
    void aWrongNameIsRefused(String name) {
        assertThatThrownBy(() -> labels(Map.of(name, "1")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("label: expected a name of 1 to 63 letters");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a\nb", "\u0000", "\ud800", "a\u007f"})
    void aWrongValueIsRefusedAndNotRepeated(String value) {
        assertThatThrownBy(() -> Attributes.of(Map.of(), Map.of("authorization", "Bearer s3cret" + value + "\n")))
                .hasMessageStartingWith("header 'authorization': expected a value without")
                .hasMessageNotContaining("s3cret");
        assertThatThrownBy(() -> labels(Map.of("a", value))).hasMessageStartingWith("label 'a': expected a value");
    }

    @Test
    void namesOfHeadersAreInLowerCase() {
        assertThat(Attributes.of(Map.of("Team", "a"), Map.of("TraceParent", "b")))
                .isEqualTo(Attributes.of(Map.of("Team", "a"), Map.of("traceparent", "b")));
        assertThatThrownBy(() -> Attributes.of(Map.of(), Map.of("A", "1", "a", "2")))
                .hasMessage("header 'a': expected once, got twice");
    }

    @Test
    void thoseAddedWin() {
        Attributes one = Attributes.of(Map.of("a", "1", "b", "1"), Map.of("h", "1"));
        Attributes two = Attributes.of(Map.of("b", "2"), Map.of());
        assertThat(one.and(two)).isEqualTo(Attributes.of(Map.of("a", "1", "b", "2"), Map.of("h", "1")));
        assertThat(one.and(Attributes.NONE)).isSameAs(one);
        assertThat(Attributes.NONE.and(one)).isSameAs(one);
        assertThat(one.hasLabels(Map.of("a", "1", "b", "1"))).isTrue();
        assertThat(one.hasLabels(Map.of("a", "2"))).isFalse();
        assertThat(one.hasLabels(Map.of("h", "1"))).isFalse();
    }

    @Test
    void theirTextIsReadBackAndHasEachPairWhereItIs() {
        Map<String, String> pairs = new TreeMap<>(Map.of("a", "1", "b", "\"a\":\"1\"", "c", "\\\"é€😀"));
        String text = PairsText.of(pairs);
        assertThat(PairsText.read(text, null).labels()).isEqualTo(pairs);
        assertThat(PairsText.parts(pairs)).hasSize(3).allMatch(String.valueOf(text)::contains);
        String tricky = PairsText.json(Map.of("b", "\"a\":\"1\""));
        assertThat(PairsText.parts(Map.of("a", "1"))).noneMatch(tricky::contains);
        assertThat(PairsText.of(Map.of())).isNull();
        assertThat(PairsText.read(null, null)).isSameAs(Attributes.NONE);
        assertThat(PairsText.shown(Map.of("x-auth-token", "s", "traceparent", "t")))
                .contains("(hidden)", "\"t\"")
                .doesNotContain("\"s\"");
    }
}

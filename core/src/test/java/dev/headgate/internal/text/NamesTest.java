package dev.headgate.internal.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {
    @ParameterizedTest
    @ValueSource(strings = {"a", "tenant:acme", "'; drop", "*", "ß \uD83D\uDE80", " padded ", "日本語", "a\u00A0b"})
    void namesAreTakenAsTheyAre(String name) {
        assertThat(Names.check("queue", name)).isSameAs(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t", "a\nb", "a\u0000b", "a\u007Fb", "a\u0085b", "half \uD83D", "\uDE80 half"})
    void whatNoStoreCanKeepIsRefused(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Names.check("queue", name))
                .withMessageStartingWith("queue: expected");
    }

    @Test
    void twoHundredCharactersAreTheMost() {
        Names.check("gate", "n".repeat(200));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Names.check("gate", "n".repeat(201)))
                .withMessageContaining("at most 200 characters, got 201");
    }

    @Test
    void textFromOutsideIsMadeStorableAndVisible() {
        assertThat(Text.storable("fine \uD83D\uDE80", 50)).isEqualTo("fine \uD83D\uDE80");
        assertThat(Text.storable("a\u0000b\uD83D", 50)).isEqualTo("a\uFFFDb\uFFFD");
        assertThat(Text.storable("x".repeat(10), 4)).isEqualTo("xxx…");
        assertThat(Text.storable("ab\uD83D\uDE80cd", 4))
                .doesNotContain("\uD83D")
                .hasSize(4);
        assertThat(Text.visible("a\u001B[31m\n\u202Eb")).isEqualTo("a\\u001b[31m\\u000a\\u202eb");
    }
}

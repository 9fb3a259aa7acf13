package dev.headgate.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionTest {
    private static final String SECRET = "s3cr3t/t0k\"n+&=?";
    private static final Redaction BEARER = Redaction.of(List.of("Bearer " + SECRET));

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    static Stream<String> repeated() {
        return Stream.of(
                "Bearer " + SECRET,
                SECRET,
                SECRET + SECRET,
                SECRET.toUpperCase(Locale.ROOT),
                URLEncoder.encode(SECRET, StandardCharsets.UTF_8),
                URLEncoder.encode(SECRET, StandardCharsets.UTF_8).toLowerCase(Locale.ROOT),
                "s3cr3t/t0k\\\"n+&=?",
                "s3cr3t\\/t0k\\\"n+&=?",
                "s3cr3t/t0k&quot;n+&amp;=?");
    }

    @ParameterizedTest
    @MethodSource("repeated")
    void aValueIsHiddenHoweverItIsWritten(String written) {
        assertThat(BEARER.hide("{\"sent\":[" + written + "]}")).isEqualTo("{\"sent\":[(hidden)]}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "xy", "xyz", "user:"})
    void andInBase64WhateverStandsAroundIt(String before) {
        String hidden = BEARER.hide(base64(before + SECRET + "behind"));
        assertThat(hidden).contains("(hidden)").hasSizeLessThan(2 * before.length() + 25);
        assertThat(decodable(hidden)).doesNotContain("t0k");
    }

    private static String decodable(String text) {
        StringBuilder decoded = new StringBuilder();
        for (String piece : text.split("\\(hidden\\)", -1)) {
            for (int i = 0; i <= Math.min(3, piece.length()); i++) {
                String rest = piece.substring(i).replace("=", "");
                String whole = rest.substring(0, rest.length() - (rest.length() % 4 == 1 ? 1 : 0));
                decoded.append(new String(Base64.getDecoder().decode(whole), StandardCharsets.ISO_8859_1));
            }
        }
        return decoded.toString();
    }

    @Test
    void userAndPasswordOfBasicCredentialsAreHiddenToo() {
        Redaction basic = Redaction.of(List.of("Basic " + base64("ada:hunter2")));
        assertThat(basic.hide("you are ada:hunter2, password=hunter2, sent " + base64("ada:hunter2")))
                .isEqualTo("you are (hidden), password=(hidden), sent (hidden)");
        assertThat(basic.hide("Hello ada. Basic is fine.")).isEqualTo("Hello ada. Basic is fine.");
    }

    @Test
    void partsOfAValueAreHiddenIfTheyAreLong() {
        Redaction cookies = Redaction.of(List.of("session=0123456789abcdef; theme=dark"));
        assertThat(cookies.hide("session 0123456789abcdef, theme dark")).isEqualTo("session (hidden), theme dark");
    }

    @Test
    void whatIsTooShortToBeASecretIsLeftAlone() {
        Redaction flag = Redaction.of(List.of("1", " on "));
        assertThat(flag.isNone()).isTrue();
        assertThat(flag.hide("1 of 10 is on")).isEqualTo("1 of 10 is on");
    }

    @Test
    void ofABodyAValueThatBeginsBeforeTheCutIsHiddenWhole() {
        String text = "0123456789" + SECRET + " and more";
        for (int bytesMax = 10; bytesMax < 10 + SECRET.length(); bytesMax++) {
            ByteBuffer read = StandardCharsets.UTF_8.encode(text);
            KeptBody kept = BEARER.hide(new KeptBody(read, true), bytesMax);
            String shown = StandardCharsets.UTF_8.decode(kept.bytes()).toString();
            assertThat(shown).isEqualTo(bytesMax == 10 ? "0123456789" : "0123456789(hidden)");
            assertThat(kept.isCut()).isTrue();
        }
    }

    @Test
    void bytesThatAreNotTextKeepTheirPlaces() {
        byte[] bytes = {(byte) 0xff, 0, 'p', 'a', 's', 's', 'w', 'o', 'r', 'd', (byte) 0xfe};
        KeptBody kept = Redaction.of(List.of("password")).hide(new KeptBody(ByteBuffer.wrap(bytes), false), 100);
        assertThat(new String(kept.bytes().array(), StandardCharsets.ISO_8859_1))
                .isEqualTo("\u00ff\0(hidden)\u00fe");
    }

    @Test
    void lettersBeyondAsciiAreFoundInBytesToo() {
        Redaction umlaut = Redaction.of(List.of("schlüssel"));
        KeptBody kept = umlaut.hide(new KeptBody(StandardCharsets.UTF_8.encode("ein schlüssel"), false), 100);
        assertThat(StandardCharsets.UTF_8.decode(kept.bytes()).toString()).isEqualTo("ein (hidden)");
    }
}

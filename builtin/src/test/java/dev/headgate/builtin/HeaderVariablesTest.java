package dev.headgate.builtin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.handler.PermanentFailure;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderVariablesTest {
    private static final Map<String, String> ENVIRONMENT = Map.of("TOKEN", " Bearer x \n", "OTHER", "y", "BAD", "a\nb");

    private static Map<String, String> values(String binding, String url, String variable) {
        return HeaderVariables.of(List.of(binding), ENVIRONMENT)
                .values(Origin.of(URI.create(url)), Map.of("Authorization", variable));
    }

    @ParameterizedTest
    @CsvSource({
        "TOKEN=api.example.com, https://api.example.com/x, true",
        "TOKEN=API.example.com., https://api.EXAMPLE.com:443/, true",
        "TOKEN=https://api.example.com, https://api.example.com/, true",
        "TOKEN=api.example.com, http://api.example.com/, false",
        "TOKEN=api.example.com, http://api.example.com:443/, false",
        "TOKEN=api.example.com, https://api.example.com:8443/, false",
        "TOKEN=api.example.com:8443, https://api.example.com:8443/, true",
        "TOKEN=api.example.com, https://example.com/, false",
        "TOKEN=api.example.com, https://api.example.com.evil.org/, false",
        "TOKEN=*.example.com, https://a.b.example.com/, true",
        "TOKEN=*.example.com, https://evilexample.com/, false",
        "TOKEN=http://localhost:8080, http://localhost:8080/, true",
        "TOKEN=http://localhost:8080, http://localhost:8081/, false",
        "TOKEN=http://localhost:8080, http://127.0.0.1:8080/, false",
        "TOKEN=http://[::1]:8080, http://[::1]:8080/, true",
        "OTHER=api.example.com, https://api.example.com/, false",
        "UNSET=api.example.com, https://api.example.com/, false"
    })
    void aVariableGoesWhereItIsBoundTo(String binding, String url, boolean isSent) {
        if (isSent) {
            assertThat(values(binding, url, "TOKEN")).isEqualTo(Map.of("Authorization", "Bearer x"));
        } else {
            String variable = binding.startsWith("UNSET") ? "UNSET" : "TOKEN";
            assertThatThrownBy(() -> values(binding, url, variable))
                    .isInstanceOf(PermanentFailure.class)
                    .hasMessageContaining("header 'Authorization': expected a worker that has the variable " + variable)
                    .hasMessageContaining("--http-env " + variable + "=");
        }
    }

    @Test
    void itMayBeBoundToSeveral() {
        HeaderVariables two = HeaderVariables.of(List.of("TOKEN=a.example.com", "TOKEN=b.example.com"), ENVIRONMENT);
        for (String host : List.of("a", "b")) {
            Origin origin = Origin.of(URI.create("https://%s.example.com".formatted(host)));
            assertThat(two.values(origin, Map.of("A", "TOKEN"))).containsEntry("A", "Bearer x");
        }
    }

    @Test
    void aValueThatIsNoHeaderIsNotShown() {
        assertThatThrownBy(() -> values("BAD=api.example.com", "https://api.example.com", "BAD"))
                .isInstanceOf(PermanentFailure.class)
                .hasMessageContaining("variable BAD: header 'Authorization': expected at most");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "TOKEN",
                "=api.example.com",
                "TOKEN=",
                "TO KEN=a",
                "TOKEN=ftp://a",
                "TOKEN=a/b",
                "TOKEN=a:b",
                "TOKEN=a:0",
                "TOKEN=a:65536",
                "TOKEN=*",
                "TOKEN=a b",
                "TOKEN=a?b",
                "TOKEN=::1"
            })
    void aBindingThatCannotBeIsRefused(String binding) {
        assertThatThrownBy(() -> HeaderVariables.of(List.of(binding), ENVIRONMENT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected");
    }
}

package dev.headgate.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CostTest {
    @ParameterizedTest
    @CsvSource({
        "5, 5",
        "0, 0",
        "' 5  openai=1500   gpu=2 ', 5 gpu=2 openai=1500",
        "5 openai=5, 5",
        "1 tenant:a%20b=3, 1 tenant:a%20b=3",
        "1 a%3Db=3, 1 a%3Db=3",
        "1 50%25=3, 1 50%25=3"
    })
    void hasOneTextForm(String written, String canonical) {
        assertThat(Cost.parse(written).text()).isEqualTo(canonical);
        assertThat(Cost.parse(canonical)).isEqualTo(Cost.parse(written));
    }

    @Test
    void everyGateNameSurvives() {
        Cost cost = Cost.of(2)
                .with("a b", 3)
                .with("x=y", 4)
                .with("%20", 5)
                .with("%2520", 6)
                .with("ö \uD83D\uDE00 %=", 7);
        Cost again = Cost.parse(cost.text());
        assertThat(again).isEqualTo(cost);
        assertThat(again.at("%20")).isEqualTo(5);
        assertThat(again.at("other")).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "x", "-1", "1.5", "5 openai", "5 =3", "5 a=1.5", "5 a=-1", "5 a=1 a=2", "1000000000001"})
    void refusesNonsense(String nonsense) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Cost.parse(nonsense))
                .withMessageContaining("expected");
    }

    @Test
    void hasABoundedNumberOfGates() {
        Map<String, Long> many = new HashMap<>();
        for (int i = 0; i < 17; i++) {
            many.put("g" + i, 2L);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Cost(1, many))
                .withMessageContaining("at most 16 gates");
        assertThat(new Cost(2, many).text()).isEqualTo("2");
    }
}

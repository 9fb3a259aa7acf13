package dev.headgate;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class StoreFinderTest {
    @Test
    void anUnknownSchemeSaysWhatToAddAndHidesSecrets() {
        assertThatThrownBy(() -> Headgate.open("jdbc:oracle:thin://user:hush@host/db"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("jdbc:oracle:thin:", "headgate-store-sqlite", "headgate-store-postgres")
                .hasMessageNotContaining("hush");
    }
}

package dev.headgate.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RunFilterTest {
    @Test
    void aPageHasAThousandAtMost() {
        assertThat(RunFilter.all().limit(1_000).limit()).isEqualTo(1_000);
        assertThatThrownBy(() -> RunFilter.all().limit(1_001))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("limit: expected 1 to 1000, got 1001");
        assertThatThrownBy(() -> RunFilter.all().limit(0)).isInstanceOf(IllegalArgumentException.class);
    }
}

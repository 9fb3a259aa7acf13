package dev.headgate.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class JobFilterTest {
    @Test
    void aPageHasAThousandAtMost() {
        assertThat(JobFilter.all().limit(1_000).limit()).isEqualTo(1_000);
        assertThatThrownBy(() -> JobFilter.all().limit(1_001))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("limit: expected 1 to 1000, got 1001");
        assertThatThrownBy(() -> JobFilter.all().limit(0)).isInstanceOf(IllegalArgumentException.class);
    }
}

package dev.headgate.cli.display;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class SparklineTest {
    @Test
    void barsAreAsHighAsTheirNumbersBesideTheGreatest() {
        assertThat(Sparkline.of(List.of(0L, 1L, 4L, 8L))).isEqualTo("·▁▄█");
        assertThat(Sparkline.of(List.of(7L, 7L))).isEqualTo("██");
        assertThat(Sparkline.of(List.of(0L, 0L))).isEqualTo("··");
        assertThat(Sparkline.of(List.of())).isEmpty();
        assertThat(Sparkline.of(List.of(1L, 1_000_000L))).isEqualTo("▁█");
    }

    @Test
    void ofManyTheLastAreShown() {
        assertThat(Sparkline.of(Collections.nCopies(200, 5L))).hasSize(60);
    }

    @Test
    void aBarThatLiesIsAsLongAsItsNumber() {
        assertThat(Sparkline.bar(10, 10)).hasSize(20);
        assertThat(Sparkline.bar(5, 10)).hasSize(10);
        assertThat(Sparkline.bar(1, 1_000_000)).hasSize(1);
        assertThat(Sparkline.bar(0, 10)).isEmpty();
        assertThat(Sparkline.bar(0, 0)).isEmpty();
    }
}

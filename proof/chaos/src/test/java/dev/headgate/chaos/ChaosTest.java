package dev.headgate.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A short storm on each store, both at once; {@code ./check chaos --minutes 30} is a long one. */
@Timeout(value = 1_200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ChaosTest {
    @ParameterizedTest
    @Execution(ExecutionMode.CONCURRENT)
    @ValueSource(strings = {"sqlite", "postgres"})
    void noPromiseIsBroken(String store, @TempDir Path folder) throws Exception {
        Report report = Chaos.run(new Chaos.Options(Duration.ofSeconds(12), List.of(store), 6, null), store, folder);

        assertThat(report.findings()).as(report.toString()).isEmpty();
        assertThat(report.count("handler runs")).as(report.toString()).isPositive();
        assertThat(report.count("starts judged by the journal"))
                .as(report.toString())
                .isPositive();
    }
}

package dev.headgate.internal.admission;

import static dev.headgate.internal.admission.Gates.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.time.Micros;
import dev.headgate.limit.Margin;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a gate knows of how long its latest starts took. */
class StartLagsTest {
    private static final long NOW = 1_767_225_600L * SECOND;
    private static final long MILLI = SECOND / 1_000;

    private final StartLags lags = new StartLags((String) null);

    private static StartLags again(StartLags lags) {
        return new StartLags(lags.with(Map.of()).get(StartLags.KEY));
    }

    private static @Nullable Duration micros(@Nullable Long micros) {
        return micros == null ? null : Duration.ofNanos(micros * 1_000);
    }

    @Test
    void withoutStartsThereIsNothingToTellOrToKeep() {
        assertThat(lags.toHandler(50)).isNull();
        assertThat(lags.toEnd(100)).isNull();
        assertThat(lags.late()).isZero();
        assertThat(lags.rejectedAt()).isNull();
        assertThat(lags.advisedMargin()).isNull();
        assertThat(lags.cutMargin()).isNull();
        assertThat(lags.with(Map.of("a", "b"))).isEqualTo(Map.of("a", "b"));
        assertThat(lags.wasFull(0, 0)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 500",
        "500, 500",
        "501, 1000",
        "1000, 1000",
        "1001, 2000",
        "32000000, 32768000",
        "3600000000, 4194304000",
        "900000000000000, 67108864000" // the last step has no end
    })
    void aFigureIsTheEndOfTheStepItFallsInto(long took, long told) {
        lags.reached(took, false);
        assertThat(lags.toHandler(100)).isEqualTo(micros(told));
        assertThat(again(lags).toHandler(100)).isEqualTo(lags.toHandler(100));
    }

    @ParameterizedTest
    @CsvSource({"1, 500", "50, 500", "51, 4000", "75, 4000", "76, 32000", "100, 32000"})
    void soManyPercentWereAsFastOrFaster(int percent, long told) {
        lags.reached(100, false);
        lags.reached(400, false);
        lags.reached(3_000, false);
        lags.reached(30_000, true);
        assertThat(lags.toHandler(percent)).isEqualTo(micros(told));
        assertThat(again(lags).toHandler(percent)).isEqualTo(micros(told));
        assertThat(again(lags).late()).isEqualTo(1);
        assertThat(lags.toEnd(percent)).isNull();
    }

    @Test
    void whatWasLongAgoSaysLittle() {
        for (int i = 0; i < 1_000; i++) {
            lags.reached(100, false);
        }
        for (int i = 0; i < 1_000; i++) {
            lags.reached(3_000, false);
        }
        assertThat(lags.toHandler(50)).isEqualTo(micros(500L));
        assertThat(lags.with(Map.of())).containsEntry(StartLags.KEY, "0/0.rs.0.0.rs/");
        lags.reached(3_000, false); // the 2,001st halves them all
        assertThat(lags.toHandler(50)).isEqualTo(micros(500L));
        assertThat(lags.with(Map.of())).containsEntry(StartLags.KEY, "0/0.dw.0.0.dw/");
        lags.reached(3_000, false);
        assertThat(lags.toHandler(50)).isEqualTo(micros(4_000L));
    }

    @Test
    void aRejectionKeepsTheLongestTimeThatWasSeenAndAdvisesAMarginThatCoversIt() {
        lags.ended(new Start(NOW, 0), NOW + 3 * MILLI);
        lags.rejected(new Start(NOW, 0), 2 * MILLI, NOW + 5 * MILLI);
        assertThat(lags.rejectedAt()).isEqualTo(Micros.instant(NOW + 5 * MILLI));
        assertThat(lags.rejectedLag()).isEqualTo(Duration.ofMillis(5));
        assertThat(lags.rejectedMargin()).isEqualTo(Duration.ofMillis(2));
        assertThat(lags.advisedMargin()).isEqualTo(Duration.ofMillis(5));
        // One that was on its way then: its call may have been the one too many. One that started later says nothing.
        lags.ended(new Start(NOW + 5 * MILLI, 0), NOW + 12 * MILLI + 1);
        lags.ended(new Start(NOW + 5 * MILLI + 1, 0), NOW + SECOND);
        assertThat(lags.rejectedLag()).isEqualTo(micros(7_001L));
        assertThat(lags.advisedMargin()).isEqualTo(Duration.ofMillis(8));
        StartLags again = again(lags);
        assertThat(again.rejectedAt()).isEqualTo(lags.rejectedAt());
        assertThat(again.rejectedLag()).isEqualTo(lags.rejectedLag());
        assertThat(again.advisedMargin()).isEqualTo(lags.advisedMargin());
        assertThat(again.toEnd(100)).isEqualTo(lags.toEnd(100));
    }

    @Test
    void aMarginThatCoversAllThatWasSeenIsNotTheCause() {
        lags.rejected(new Start(NOW, 0), 5 * MILLI, NOW + 5 * MILLI);
        assertThat(lags.advisedMargin()).isNull();
        lags.rejected(new Start(NOW, 0), 5 * MILLI - 1, NOW + 5 * MILLI);
        assertThat(lags.advisedMargin()).isEqualTo(Duration.ofMillis(5));
        lags.rejected(new Start(NOW, 0), Margin.OPEN, NOW + 5 * MILLI);
        assertThat(lags.rejectedMargin()).isNull();
        assertThat(lags.advisedMargin()).isNull();
    }

    @Test
    void aGateWasFullAsLongAsALateCallMayHaveFilledIt() {
        GateLedger gate = Gates.gate("a", "window 1/10s margin none");
        assertThat(gate.tryTake(1, 1, NOW)).isTrue();
        lags.granted(gate.started(), 0, gate.meters, gate.inUse, NOW);
        lags.ended(new Start(NOW - SECOND, 0), NOW);
        assertThat(lags.wasFull(NOW + 11 * SECOND, 10 * SECOND)).isTrue();
        assertThat(lags.wasFull(NOW + 11 * SECOND + 1, 10 * SECOND)).isFalse();
        assertThat(again(lags).wasFull(NOW + 11 * SECOND, 10 * SECOND)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"3, 4, 3", "4, 4, ", "5, 4, ", "0, 4, "})
    void aMarginIsCutIfAnotherGateMadeItShorter(long given, long own, @Nullable Long cut) {
        GateLedger gate = Gates.gate("a", "window 9/10s margin none");
        gate.take(1, 1, given, NOW);
        lags.granted(gate.started(), own, gate.meters, gate.inUse, NOW);
        assertThat(lags.cutMargin()).isEqualTo(micros(cut));
        assertThat(again(lags).cutMargin()).isEqualTo(micros(cut));
    }
}

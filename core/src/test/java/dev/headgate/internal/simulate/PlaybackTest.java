package dev.headgate.internal.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.internal.admission.GateState;
import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.time.Micros;
import dev.headgate.job.Cost;
import dev.headgate.job.Lane;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.policy.PolicyEntry;
import dev.headgate.policy.PolicyOverride;
import dev.headgate.simulate.Forecast;
import dev.headgate.simulate.Forecast.KeyForecast;
import dev.headgate.simulate.Forecast.LimitUse;
import dev.headgate.simulate.Forecast.Waits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Cases that can be worked out by hand. */
class PlaybackTest {
    private static final long START = Micros.of(Instant.parse("2026-01-01T00:00:00Z"));
    private static final Duration HOUR = Duration.ofHours(1);

    private final Map<GateKey, PolicyEntry> policies = new HashMap<>();
    private final List<SimulatedJob> running = new ArrayList<>();
    private final List<SimulatedJob> waiting = new ArrayList<>();
    private final Map<GateKey, GateState> gates = new HashMap<>();
    private int slots = 10;

    private static Duration seconds(long number) {
        return Duration.ofSeconds(number);
    }

    private void policy(GateKey key, String limits) {
        policies.put(key, new PolicyEntry(GatePolicy.parse(limits), null));
    }

    private void jobs(int count, Duration runs, String... named) {
        for (int i = 0; i < count; i++) {
            waiting.add(job(Duration.ZERO, runs, 1, named));
        }
    }

    private SimulatedJob job(Duration arrives, Duration runs, long cost, String... named) {
        long id = 1L + waiting.size() + running.size();
        return new SimulatedJob(
                id, new Lane("q", List.of(named)), id, Cost.of(cost), START + Micros.of(arrives), Micros.of(runs));
    }

    private Forecast run() {
        return Playback.run(new Scenario(
                PolicyBook.of(1, policies), gates, running, waiting, slots, START, START + Micros.of(HOUR)));
    }

    private static KeyForecast key(Forecast forecast, GateKey key) {
        return forecast.keys().stream()
                .filter(each -> each.key().equals(key))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aRateLetsOneStartEverySecond() {
        policy(GateKey.gate("api"), "rate 1/1s burst 1");
        jobs(5, Duration.ofMillis(100), "api");
        Forecast forecast = run();
        assertThat(forecast.started()).isEqualTo(5);
        assertThat(forecast.lastStart()).isEqualTo(seconds(4));
        assertThat(forecast.lastEnd()).isEqualTo(Duration.ofMillis(4_100));
        assertThat(key(forecast, GateKey.gate("api")))
                .isEqualTo(new KeyForecast(
                        GateKey.gate("api"),
                        5,
                        new Waits(seconds(2), seconds(4), seconds(4)),
                        1,
                        List.of(new LimitUse("rate 1/1s burst 1", 100))));
    }

    @Test
    void placesAreTakenInTurns() {
        policy(GateKey.gate("api"), "concurrency 2");
        jobs(5, seconds(10), "api");
        Forecast forecast = run();
        assertThat(forecast.lastStart()).isEqualTo(seconds(20));
        assertThat(forecast.lastEnd()).isEqualTo(seconds(30));
        assertThat(key(forecast, GateKey.gate("api")).limits())
                .as("50 seconds of 60")
                .containsExactly(new LimitUse("concurrency 2", 83));
        assertThat(key(forecast, GateKey.gate("api")).peak()).isEqualTo(2);
    }

    @Test
    void aWindowLetsItsNumberStartTogether() {
        policy(GateKey.queue("q"), "window 2/10s");
        jobs(5, Duration.ZERO);
        Forecast forecast = run();
        assertThat(forecast.lastStart()).isEqualTo(seconds(20));
        assertThat(key(forecast, GateKey.queue("q")).waits())
                .isEqualTo(new Waits(seconds(10), seconds(20), seconds(20)));
    }

    @Test
    void slotsAreALimitToo() {
        slots = 1;
        jobs(3, seconds(1));
        assertThat(run().lastStart()).isEqualTo(seconds(2));
    }

    @Test
    void aBlockedKeyDelaysNobodyElse() {
        policy(GateKey.gate("t:*"), "concurrency 1");
        jobs(3, seconds(10), "t:a");
        jobs(1, seconds(10), "t:b");
        Forecast forecast = run();
        assertThat(key(forecast, GateKey.gate("t:a")).waits().max()).isEqualTo(seconds(20));
        assertThat(key(forecast, GateKey.gate("t:b")).waits().max()).isEqualTo(Duration.ZERO);
    }

    @Test
    void allGatesAreTakenTogether() {
        policy(GateKey.gate("a"), "concurrency 1");
        policy(GateKey.gate("b"), "rate 1/1m burst 1");
        jobs(1, seconds(10), "a");
        jobs(2, seconds(10), "a", "b");
        assertThat(run().lastStart()).as("10 s for a, then a minute for b").isEqualTo(seconds(70));
    }

    @Test
    void whatRunsAtTheStartHoldsItsPlace() {
        policy(GateKey.gate("api"), "concurrency 1");
        running.add(job(seconds(-4), seconds(10), 1, "api"));
        gates.put(GateKey.gate("api"), new GateState(1, 1, 0, false, null, null, Map.of()));
        jobs(1, seconds(10), "api");
        assertThat(run().lastStart()).isEqualTo(seconds(6));
    }

    @Test
    void anOverrideEndsInTheMiddle() {
        PolicyOverride meanwhile =
                new PolicyOverride(GatePolicy.parse("concurrency 1"), START + Micros.of(seconds(10)));
        policies.put(GateKey.gate("api"), new PolicyEntry(GatePolicy.parse("concurrency 3"), meanwhile));
        jobs(4, seconds(100), "api");
        assertThat(key(run(), GateKey.gate("api")).waits())
                .as("0, 10, 10, 100")
                .isEqualTo(new Waits(seconds(10), seconds(100), seconds(100)));
    }

    @Test
    void jobsThatCanNeverFitOrDoNotStartInTimeAreCounted() {
        policy(GateKey.gate("gpu"), "budget 4");
        waiting.add(job(Duration.ZERO, seconds(1), 5, "gpu"));
        waiting.add(job(Duration.ZERO, seconds(1), 4, "gpu"));
        waiting.add(job(HOUR, seconds(1), 1, "gpu"));
        Forecast forecast = run();
        assertThat(forecast.neverFit()).isEqualTo(1);
        assertThat(forecast.started()).isEqualTo(1);
        assertThat(forecast.unstarted()).isEqualTo(1);
    }

    @Test
    void lateArrivalsWaitFromTheirArrivalOn() {
        policy(GateKey.queue("q"), "concurrency 1");
        waiting.add(job(Duration.ZERO, seconds(10), 1));
        waiting.add(job(seconds(8), seconds(10), 1));
        waiting.add(job(seconds(60), seconds(10), 1));
        Forecast forecast = run();
        assertThat(forecast.lastStart()).isEqualTo(seconds(60));
        assertThat(key(forecast, GateKey.queue("q")).waits())
                .isEqualTo(new Waits(Duration.ZERO, seconds(2), seconds(2)));
    }

    @Test
    void aHundredThousandJobsOfAThousandKeysAreNoBurden() {
        policy(GateKey.gate("t:*"), "concurrency 1");
        policy(GateKey.gate("all"), "rate 100/1s burst 10");
        slots = 500;
        for (int i = 0; i < 100_000; i++) {
            jobs(1, seconds(1), "all", "t:" + i % 1_000);
        }
        Forecast forecast = run();
        assertThat(forecast.started()).isEqualTo(100_000);
        assertThat(forecast.lastStart())
                .as("(100,000 - 10) / 100, and one margin")
                .isEqualTo(Duration.ofMillis(999_990));
    }

    @Test
    void withoutSlotsThereIsNothingToPlay() {
        slots = 0;
        assertThatThrownBy(this::run).hasMessageContaining("slots: expected at least 1, got 0");
    }
}

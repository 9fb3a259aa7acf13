package dev.headgate.internal.admission;

import static dev.headgate.internal.admission.Gates.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.limit.Limit;
import dev.headgate.limit.Rate;
import dev.headgate.limit.Spaced;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What each limit tells of itself: its figures, and how much of it is used. The latter decides whether a gate counts as full. */
class MeterFiguresTest {
    private static final long NOW = 1_767_225_600L * SECOND;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // limit | starts | cost of each | seconds later | figures | percent
                "concurrency 4|1|9|0|1 of 4 in use|0",
                "budget 9|2|3|0|6 of 9 units in use|0",
                "adaptive 2..8|1|1|0|1 of 2 in use, between 2 and 8|0",
                "rate 1/1s burst 4 margin none|0|1|0|4 of 4 tokens|0",
                "rate 1/1s burst 4 margin none|1|9|0|3 of 4 tokens|25",
                "rate 1/1s burst 4 margin none|4|1|0|0 of 4 tokens|100",
                "rate 1/1s burst 4 margin none|4|1|1|1 of 4 tokens|75",
                "rate 1/1s burst 3 margin none|1|1|0|2 of 3 tokens|33",
                "rate 1/1s burst 9 by-cost margin none|1|3|0|6 of 9 tokens|33",
                "rate 1/1s burst 4 margin end|1|1|0|3 of 4 tokens|25",
                "window 4/1m margin none|1|9|0|1 of 4 in the last 1m|25",
                "window 3/1m margin none|2|1|59|2 of 3 in the last 1m|66",
                "window 3/1m margin none|2|1|60|0 of 3 in the last 1m|0",
                "window 9/1m by-cost margin none|2|3|0|6 of 9 in the last 1m|66",
                "window 4/1m margin end|1|1|0|1 of 4 running or in the last 1m|25",
                "quota 4/hour UTC margin none|1|9|0|1 of 4 spent this hour|25",
                "quota 4/hour UTC margin none|1|9|3599|1 of 4 spent this hour|25",
                "quota 4/hour UTC margin none|1|9|3600|0 of 4 spent this hour|0",
                "quota 9/hour UTC by-cost margin none|2|3|0|6 of 9 spent this hour|66",
                "quota 4/hour UTC margin end|3|1|0|3 of 4 spent or running this hour|75",
                "spaced 1/10s margin none|0|1|0|no start yet|0",
                "spaced 1/10s margin none|1|1|3|last start 3s ago|100",
                "spaced 1/10s margin none|1|1|10|last start 10s ago|0",
                "spaced 1/10s by-cost margin none|1|2|19|2 units started 19s ago|100",
                "spaced 1/10s margin end|1|1|0|one is on its way|100"
            })
    void itTellsWhatIsUsed(String text, int starts, long cost, long later, String figures, long percent) {
        Limit limit = Limit.parse(text);
        Meter meter = Meter.of(limit);
        for (int i = 0; i < starts; i++) {
            meter.take(new Start(NOW, limit.marginMicros()), cost);
        }
        InUse inUse = new InUse(starts, starts * cost);
        long clock = NOW + later * SECOND;
        assertThat(meter.figures(clock, 0, inUse)).isEqualTo(figures);
        assertThat(meter.usedPercent(clock, inUse)).isEqualTo(percent);
        long used = meter.used(clock, inUse);
        long most = meter.most();
        assertThat(figures)
                .startsWith(
                        switch (limit) {
                            case Rate rate -> (most - used) + " of " + most;
                            case Spaced spaced -> "";
                            default -> used + " of " + most;
                        });
    }

    @ParameterizedTest
    @CsvSource({
        "window 10/1m margin none, 8, false",
        "window 10/1m margin none, 9, true",
        "rate 1/1s burst 10 margin none, 8, false",
        "rate 1/1s burst 10 margin none, 9, true",
        "concurrency 1, 1, false"
    })
    void aGateIsFullFromNineTenthsOnOfALimitThatCountsOverTime(String limit, int starts, boolean isFull) {
        GateLedger gate = Gates.gate("a", limit);
        for (int job = 1; job <= starts; job++) {
            assertThat(gate.tryTake(job, 1, NOW)).isTrue();
        }
        assertThat(gate.meters.isFull(NOW, gate.inUse)).isEqualTo(isFull);
    }
}

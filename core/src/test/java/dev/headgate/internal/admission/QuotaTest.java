package dev.headgate.internal.admission;

import static dev.headgate.internal.admission.Gates.gate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headgate.internal.time.Micros;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Limit;
import dev.headgate.limit.Quota;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuotaTest {
    private static long at(String instant) {
        return Micros.of(Instant.parse(instant));
    }

    @ParameterizedTest
    @CsvSource({
        "DAY, UTC, 2026-03-01T00:00:00Z, 2026-03-02T00:00:00Z",
        "DAY, UTC, 2026-03-01T23:59:59.999999Z, 2026-03-02T00:00:00Z",
        "DAY, Europe/Berlin, 2026-03-28T22:59:59Z, 2026-03-28T23:00:00Z",
        "DAY, Europe/Berlin, 2026-03-29T00:00:00Z, 2026-03-29T22:00:00Z", // a day of 23 hours
        "DAY, Europe/Berlin, 2026-10-25T00:00:00Z, 2026-10-25T23:00:00Z", // a day of 25 hours
        "DAY, America/Sao_Paulo, 2018-11-03T12:00:00Z, 2018-11-04T03:00:00Z", // no midnight: the day begins at one
        "DAY, America/St_Johns, 2006-10-29T02:20:00Z, 2006-10-29T02:30:00Z",
        "DAY, America/St_Johns, 2006-10-29T02:45:00Z, 2006-10-30T03:30:00Z", // midnight was, then it is 23:01 again
        "MONTH, UTC, 2026-02-14T12:00:00Z, 2026-03-01T00:00:00Z",
        "MONTH, Asia/Kathmandu, 2026-12-31T18:14:59Z, 2026-12-31T18:15:00Z",
        "HOUR, Asia/Kathmandu, 2026-01-01T00:00:00Z, 2026-01-01T00:15:00Z",
        "HOUR, Europe/Berlin, 2026-03-29T00:30:00Z, 2026-03-29T01:00:00Z", // from two to three is skipped
        "HOUR, Europe/Berlin, 2026-10-25T00:30:00Z, 2026-10-25T02:00:00Z", // from two to three comes twice: one hour
        "HOUR, Europe/Berlin, 2026-10-25T01:30:00Z, 2026-10-25T02:00:00Z",
        "HOUR, Australia/Lord_Howe, 2026-04-04T14:45:00Z, 2026-04-04T15:30:00Z", // back by half an hour
        "HOUR, Australia/Lord_Howe, 2026-04-04T15:10:00Z, 2026-04-04T15:30:00Z"
    })
    void thePeriodEndsWhereTheCalendarSays(Quota.Period period, ZoneId zone, String now, String edge) {
        assertThat(Micros.instant(QuotaMeter.edgeAfter(period, zone, at(now)))).isEqualTo(Instant.parse(edge));
    }

    @Test
    void whatIsSpentComesBackAtMidnightAndNotBefore() {
        GateLedger gate = gate("a", "quota 2/day Europe/Berlin margin none");
        long evening = at("2026-06-30T21:00:00Z");
        long midnight = at("2026-06-30T22:00:00Z");
        assertThat(gate.tryTake(1, 1, evening)).isTrue();
        assertThat(gate.tryTake(2, 1, evening)).isTrue();
        assertThat(gate.opens(1, evening)).isEqualTo(midnight);
        assertThat(gate.figures(evening).of(gate.policy().limits().getFirst())).isEqualTo("2 of 2 spent this day");
        assertThat(gate.tryTake(3, 1, midnight - 1)).isFalse();
        assertThat(gate.tryTake(3, 1, midnight)).isTrue();
        // The clock is set back behind midnight: the old day does not come again.
        assertThat(gate.tryTake(4, 1, evening)).isTrue();
        assertThat(gate.opens(1, evening)).isEqualTo(at("2026-07-01T22:00:00Z"));
    }

    @Test
    void byCostItCountsUnitsAndWhatCostsMoreNeverPasses() {
        GateLedger gate = gate("a", "quota 5000000/month UTC by-cost margin none");
        long now = at("2026-02-10T00:00:00Z");
        assertThat(gate.tryTake(1, 4_999_999, now)).isTrue();
        assertThat(gate.opens(2, now)).isEqualTo(at("2026-03-01T00:00:00Z"));
        assertThat(gate.tryTake(2, 1, now)).isTrue();
        assertThat(gate.opens(5_000_001, now)).isEqualTo(GateLedger.NEVER);
    }

    @Test
    void aChangedPeriodOrZoneTakesOverWhatIsSpent() {
        GateLedger gate = gate("a", "quota 2/day UTC margin none");
        long now = at("2026-02-10T05:30:00Z");
        gate.tryTake(1, 1, now);
        gate.tryTake(2, 1, now);
        GateLedger zone =
                new GateLedger(gate.key(), GatePolicy.parse("quota 2/day Europe/Berlin margin none"), gate.state());
        assertThat(zone.opens(1, now)).isEqualTo(at("2026-02-10T23:00:00Z"));
        GateLedger hourly = new GateLedger(gate.key(), GatePolicy.parse("quota 2/hour UTC margin none"), gate.state());
        assertThat(hourly.opens(1, now)).isEqualTo(at("2026-02-10T06:00:00Z"));
    }

    /** It gave back what others had spent: 61 of 60 in an hour, found by world 467 of the simulation. */
    @ParameterizedTest
    @ValueSource(strings = {"cleared", "added"})
    void aStartFromBeforeItWasCountedHasNothingToGiveBack(String how) {
        String quota = "quota 2/hour UTC margin 1s";
        long now = at("2026-02-10T05:30:00Z");
        GateLedger before = gate("a", how.equals("cleared") ? quota : "concurrency 9");
        assertThat(before.tryTake(1, 1, now)).isTrue();
        assertThat(before.tryTake(2, 1, now)).isTrue();
        if (how.equals("cleared")) {
            before.clear();
        }
        GateLedger gate = new GateLedger(before.key(), GatePolicy.parse(quota), before.state());
        assertThat(gate.tryTake(3, 1, now + 10_000)).isTrue();
        gate = new GateLedger(gate.key(), gate.policy(), gate.state());
        assertThat(gate.tryTake(4, 1, now + 20_000)).isTrue();
        gate.giveUp(1, 1, new Start(now, Micros.PER_SECOND), now + 30_000);
        gate.release(2, 1, ReleaseKind.OK, new Start(now, Micros.PER_SECOND), now + 40_000);
        assertThat(gate.figures(now + 50_000).of(gate.policy().limits().getFirst()))
                .isEqualTo("2 of 2 spent this hour");
        assertThat(gate.opens(1, now + 50_000)).isEqualTo(at("2026-02-10T06:00:00Z"));
    }

    @Test
    void badTextIsToldWithTheNearWord() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.parse("quota 5/dya UTC"))
                .withMessageContaining("expected hour, day or month, got 'dya'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.parse("quota 5/day Europe/Berln"))
                .withMessageContaining("did you mean 'Europe/Berlin'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.parse("quota 0/day UTC"))
                .withMessageContaining("expected a count from 1");
    }
}

package dev.headgate.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Daylight saving and every other change of clocks: all zones, all changes from 2020 to 2035. */
class ClockChangeTest {
    private static final Instant FROM = Instant.parse("2020-01-01T00:00:00Z");
    private static final Instant TO = Instant.parse("2036-01-01T00:00:00Z");

    /** Times of the day are looked at on the day before and the day after too. */
    private static final Duration DAYS_AROUND = Duration.ofHours(30);

    /** Longer than any change. */
    private static final Duration HOURS_AROUND = Duration.ofHours(5);

    /** Zones that share their rules are one case: a name decides nothing. */
    private static Map<ZoneRules, ZoneId> zones() {
        Map<ZoneRules, ZoneId> zones = new HashMap<>();
        ZoneId.getAvailableZoneIds().stream()
                .sorted()
                .map(ZoneId::of)
                .forEach(zone -> zones.putIfAbsent(zone.getRules(), zone));
        return zones;
    }

    private static List<ZoneOffsetTransition> changes(ZoneRules rules) {
        List<ZoneOffsetTransition> changes = new ArrayList<>();
        ZoneOffsetTransition change = rules.nextTransition(FROM);
        while (change != null && change.getInstant().isBefore(TO)) {
            changes.add(change);
            change = rules.nextTransition(change.getInstant());
        }
        return changes;
    }

    @Test
    void atEveryChangeInEveryZoneEachTimeOfTheDayComesOnce() {
        int changes = 0;
        for (ZoneId zone : zones().values()) {
            for (ZoneOffsetTransition change : changes(zone.getRules())) {
                changes++;
                LocalDateTime disputed = change.isGap() ? change.getDateTimeBefore() : change.getDateTimeAfter();
                LocalDateTime middle = disputed.plus(change.getDuration().abs().dividedBy(2));
                checkTimes(
                        zone,
                        change,
                        "%d %d * * *".formatted(middle.getMinute(), middle.getHour()),
                        local -> local.toLocalTime().equals(middle.toLocalTime()));
                checkTimes(
                        zone,
                        change,
                        "*/15 %d,%d * * *".formatted(disputed.getHour(), middle.getHour()),
                        local -> local.getMinute() % 15 == 0
                                && (local.getHour() == disputed.getHour() || local.getHour() == middle.getHour()));
                checkTimes(zone, change, "0 */2 * * *", local -> local.getMinute() == 0 && local.getHour() % 2 == 0);
            }
        }
        assertThat(changes).as("changes looked at").isGreaterThan(2_000);
    }

    @Test
    void atEveryChangeInEveryZoneABeatFollowsTheClock() {
        for (ZoneId zone : zones().values()) {
            for (ZoneOffsetTransition change : changes(zone.getRules())) {
                checkBeat(zone, change, "*/15 * * * *", local -> local.getMinute() % 15 == 0);
                checkBeat(zone, change, "20 * * * *", local -> local.getMinute() == 20);
            }
        }
    }

    @Test
    void intervalsDoNotKnowOfClocks() {
        Schedule hourly = Schedule.every(Duration.ofHours(1));
        Instant at = FROM;
        for (int hour = 1; hour < 24 * 400; hour++) {
            at = hourly.next(at, 1).getFirst();
            assertThat(at).isEqualTo(FROM.plus(Duration.ofHours(hour)));
        }
    }

    /** What the guide says, in the words of one zone. */
    @Test
    void inBerlin() {
        Schedule halfPastTwo = Schedule.cron("30 2 * * *", "Europe/Berlin");
        assertThat(halfPastTwo.next(Instant.parse("2026-03-28T12:00:00Z"), 2))
                .as("02:30 does not come: right after the gap, at 03:00 summer time")
                .containsExactly(Instant.parse("2026-03-29T01:00:00Z"), Instant.parse("2026-03-30T00:30:00Z"));
        assertThat(halfPastTwo.next(Instant.parse("2026-10-24T12:00:00Z"), 2))
                .as("02:30 comes twice: the first time")
                .containsExactly(Instant.parse("2026-10-25T00:30:00Z"), Instant.parse("2026-10-26T01:30:00Z"));
        assertThat(Schedule.cron("30 * * * *", "Europe/Berlin").next(Instant.parse("2026-10-25T00:00:00Z"), 3))
                .as("every hour: both passes")
                .containsExactly(
                        Instant.parse("2026-10-25T00:30:00Z"),
                        Instant.parse("2026-10-25T01:30:00Z"),
                        Instant.parse("2026-10-25T02:30:00Z"));
    }

    private static void checkTimes(
            ZoneId zone, ZoneOffsetTransition change, String cron, Predicate<LocalDateTime> isMeant) {
        NavigableSet<Instant> expected = new TreeSet<>();
        LocalDate day = change.getDateTimeBefore().toLocalDate().minusDays(2);
        for (LocalDateTime local = day.atStartOfDay();
                local.isBefore(day.plusDays(5).atStartOfDay());
                local = local.plusMinutes(1)) {
            if (isMeant.test(local)) {
                expected.add(firstShowing(zone, local));
            }
        }
        compare(zone, change, DAYS_AROUND, cron, expected);
    }

    /** The first moment at which a clock there shows this time or a later one. */
    private static Instant firstShowing(ZoneId zone, LocalDateTime local) {
        var offsets = zone.getRules().getValidOffsets(local);
        if (!offsets.isEmpty()) {
            return offsets.stream()
                    .map(local::toInstant)
                    .min(Instant::compareTo)
                    .orElseThrow();
        }
        Instant at = local.toInstant(java.time.ZoneOffset.UTC).minus(Duration.ofHours(18));
        Duration step = Duration.ofHours(1);
        while (step.compareTo(Duration.ofSeconds(1)) >= 0) {
            while (LocalDateTime.ofInstant(at.plus(step), zone).isBefore(local)) {
                at = at.plus(step);
            }
            step = step.dividedBy(60);
        }
        return at.plusSeconds(1);
    }

    private static void checkBeat(
            ZoneId zone, ZoneOffsetTransition change, String cron, Predicate<LocalDateTime> isMeant) {
        NavigableSet<Instant> expected = new TreeSet<>();
        Instant from = change.getInstant().minus(HOURS_AROUND).minusSeconds(60);
        for (Instant at = from;
                at.isBefore(change.getInstant().plus(HOURS_AROUND).plusSeconds(60));
                at = at.plusSeconds(60)) {
            if (isMeant.test(LocalDateTime.ofInstant(at, zone))) {
                expected.add(at);
            }
        }
        compare(zone, change, HOURS_AROUND, cron, expected);
    }

    private static void compare(
            ZoneId zone, ZoneOffsetTransition change, Duration around, String cron, NavigableSet<Instant> expected) {
        Instant from = change.getInstant().minus(around);
        Instant to = change.getInstant().plus(around);
        List<Instant> wanted = List.copyOf(expected.subSet(from, false, to, true));
        List<Instant> found = Schedule.cron(cron, zone).next(from, wanted.size() + 1);
        assertThat(found.subList(0, wanted.size()))
                .as("%s in %s at %s", cron, zone, change)
                .isEqualTo(wanted);
        assertThat(found.getLast()).isAfter(to);
    }
}

package dev.headgate.proof.simulation;

import dev.headgate.spi.ScheduleTable.RunRow;
import java.util.HashSet;
import java.util.Set;

/** I21: at most one job for each schedule and instant. */
final class Instants {
    private final Judge judge;
    private final Set<Instant> fired = new HashSet<>();

    private record Instant(String schedule, long at) {}

    Instants(Judge judge) {
        this.judge = judge;
    }

    void fired(RunRow run) {
        if (!fired.add(new Instant(run.schedule(), run.at()))) {
            judge.broken("I21", "schedule %s: fired twice for %d".formatted(run.schedule(), run.at()));
        }
    }

    /** One of the same name is another schedule. */
    void removed(String schedule) {
        fired.removeIf(instant -> instant.schedule.equals(schedule));
    }
}

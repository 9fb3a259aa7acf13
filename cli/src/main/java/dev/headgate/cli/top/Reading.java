package dev.headgate.cli.top;

import dev.headgate.Controls.Paused;
import dev.headgate.Headgate;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.status.LongWait;
import dev.headgate.status.Overview;
import dev.headgate.status.Totals.Oldest;
import java.util.List;
import java.util.Map;

/** What one refresh reads. */
record Reading(
        String store,
        Overview overview,
        Map<GateKey, GatePolicy> policies,
        List<Paused> paused,
        List<LongWait> waits,
        List<Oldest> oldest) {
    /** As many as fit into a window. */
    static final int WAITS_MAX = 20;

    static Reading of(Headgate headgate) {
        Overview overview = headgate.overview();
        String[] queues = overview.jobs().stream()
                .filter(count -> count.state().isWaiting())
                .map(count -> count.queue())
                .distinct()
                .toArray(String[]::new);
        return new Reading(
                headgate.describe(),
                overview,
                headgate.policies().all(),
                headgate.controls().paused(),
                queues.length == 0 ? List.of() : headgate.demand().longestWaits(WAITS_MAX, queues),
                headgate.demand().totals().oldest());
    }
}

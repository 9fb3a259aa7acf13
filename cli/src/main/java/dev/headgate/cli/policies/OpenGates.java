package dev.headgate.cli.policies;

import dev.headgate.Headgate;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobState;
import dev.headgate.limit.GateKey;
import dev.headgate.server.api.GateJson;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Gates without limits that waiting jobs name: they let everything pass. */
public final class OpenGates {
    private OpenGates() {}

    /** How many of the newest waiting jobs name each of them. */
    public static SortedMap<String, Integer> in(Headgate headgate, Collection<GateKey> policies) {
        TreeMap<String, Integer> open = new TreeMap<>();
        for (JobState state : List.of(JobState.QUEUED, JobState.SCHEDULED)) {
            JobFilter newest = JobFilter.all().state(state).limit(JobFilter.LIMIT_MAX);
            headgate.list(newest)
                    .forEach(job -> job.gates().stream()
                            .filter(gate ->
                                    GateJson.cover(GateKey.gate(gate), policies).isEmpty())
                            .forEach(gate -> open.merge(gate, 1, Integer::sum)));
        }
        return open;
    }
}

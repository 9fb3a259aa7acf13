package dev.headgate.internal.query;

import dev.headgate.explain.Reason.Awaited;
import dev.headgate.explain.Reason.AwaitsJobs;
import dev.headgate.job.JobId;
import dev.headgate.spi.EdgeTable.OpenEdge;
import dev.headgate.spi.StoreTransaction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads which jobs keep others waiting. */
final class AwaitedJobs {
    static final int NAMED_MAX = 5;

    private AwaitedJobs() {}

    /** By the job that waits; one with nothing to wait for is left out. */
    static Map<Long, AwaitsJobs> of(StoreTransaction tx, Collection<Long> jobs) {
        Map<Long, List<Awaited>> first = new LinkedHashMap<>();
        Map<Long, Integer> open = new LinkedHashMap<>();
        for (OpenEdge edge : tx.edges().open(jobs, NAMED_MAX)) {
            first.computeIfAbsent(edge.job(), job -> new ArrayList<>())
                    .add(new Awaited(new JobId(edge.dependency()), edge.state()));
            open.put(edge.job(), edge.open());
        }
        Map<Long, AwaitsJobs> awaited = new LinkedHashMap<>();
        first.forEach((job, named) -> awaited.put(
                job, new AwaitsJobs(List.copyOf(named), Math.max(0, open.getOrDefault(job, 0) - NAMED_MAX))));
        return awaited;
    }
}

package dev.headgate.internal.dependency;

import dev.headgate.internal.query.JobStatuses;
import dev.headgate.job.Dependency;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.spi.Backend;
import dev.headgate.spi.EdgeRow;
import dev.headgate.spi.EdgeRow.End;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.Wake;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** Reads which jobs wait for which, and finishes what turns left to do. Thread-safe. */
public final class DependencyStore {
    /** The most batches after one turn. If more is left, the worker comes back at once. */
    private static final int LOOKS_MAX = 16;

    private final Backend backend;

    public DependencyStore(Backend backend) {
        this.backend = backend;
    }

    /** What this job waits for or has waited for, in the order in which it was named. */
    public List<Dependency> of(JobId job) {
        return backend.read(tx -> {
            List<EdgeRow> edges = tx.edges().of(List.of(job.value()));
            Map<Long, JobState> states = new HashMap<>();
            statuses(tx, edges).forEach(status -> states.put(status.id().value(), status.state()));
            return edges.stream()
                    .map(edge -> new Dependency(
                            new JobId(edge.dependency()),
                            edge.unmet(),
                            edge.isChild(),
                            states.get(edge.dependency()),
                            edge.end() == null))
                    .toList();
        });
    }

    /**
     * The children of this job, in the order they were named, as they stand now. Those that were deleted before they ended
     * are left out.
     *
     * @throws IllegalStateException if one has ended and was deleted since: its result is lost, and without it the list would
     *     look complete
     */
    public List<JobStatus> children(JobId job) {
        return backend.read(tx -> {
            List<EdgeRow> edges = tx.edges().of(List.of(job.value())).stream()
                    .filter(EdgeRow::isChild)
                    .filter(edge -> edge.end() != End.DELETED)
                    .toList();
            List<JobStatus> children = statuses(tx, edges);
            if (children.size() < edges.size()) {
                Set<Long> missing = new TreeSet<>();
                edges.forEach(edge -> missing.add(edge.dependency()));
                children.forEach(child -> missing.remove(child.id().value()));
                throw new IllegalStateException(
                        "job %s: expected its children in history, found that %s were deleted or pruned after they had ended"
                                .formatted(job, missing));
            }
            return children;
        });
    }

    private static List<JobStatus> statuses(StoreTransaction tx, List<EdgeRow> edges) {
        List<Long> ids = edges.stream().map(EdgeRow::dependency).toList();
        Map<Long, JobStatus> found = new HashMap<>();
        List<JobStatus> all = new ArrayList<>();
        tx.jobs().findAll(ids).forEach(row -> all.add(JobStatuses.status(row)));
        tx.history().findAll(ids).forEach(row -> all.add(JobStatuses.status(row)));
        all.forEach(status -> found.put(status.id().value(), status));
        return ids.stream().map(found::get).filter(Objects::nonNull).toList();
    }

    /** Continues cascades that were too long for one transaction, and settles dependencies that callers enqueued. */
    public void look() {
        Set<Wake> wakes = new HashSet<>();
        int batches = 0;
        while (batches < LOOKS_MAX && backend.write(tx -> Dependents.look(tx, wakes)) > 0) {
            batches++;
        }
        if (!wakes.isEmpty()) {
            backend.publish(wakes);
        }
    }
}

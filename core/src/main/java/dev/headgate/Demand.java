package dev.headgate;

import dev.headgate.internal.query.BacklogStore;
import dev.headgate.internal.resource.ResourceStore;
import dev.headgate.limit.GateKey;
import dev.headgate.resource.TypeFigures;
import dev.headgate.status.LongWait;
import dev.headgate.status.Overview;
import dev.headgate.status.Overview.GateView;
import dev.headgate.status.Overview.WorkerView;
import dev.headgate.status.QueueBacklog;
import dev.headgate.status.Totals;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How much work there is, and how much of it more slots, processes or machines would help with. Jobs that a limit or a pause
 * holds back, or that are due later, are counted apart: more workers could not start them. Reads only. Thread-safe.
 */
public final class Demand {
    private static final int MAX = 1_000_000;
    private static final int WAITS_MAX = 1_000;

    private final BacklogStore store;
    private final ResourceStore rooms;

    Demand(BacklogStore store, ResourceStore rooms) {
        this.store = store;
        this.rooms = rooms;
    }

    /**
     * How many jobs of these queues together could start at once if there were slots for them. What it costs depends on
     * {@code max} only, not on how many wait.
     *
     * @param max how far they are counted
     * @param queues names, and patterns such as {@code site:*}; of the queues of a pattern the first 256 count in which something waits
     */
    public int admissible(int max, String... queues) {
        check(max);
        return store.admissible(List.of(queues), max);
    }

    /**
     * What there is to do, queue by queue. Counts live jobs as far as {@link Headgate#overview} does.
     *
     * @param max how far admissible jobs of each queue are counted
     * @param queues names, and patterns such as {@code site:*}; all that have jobs, if none is named
     */
    public List<QueueBacklog> byQueue(int max, String... queues) {
        check(max);
        return store.read(List.of(queues), max);
    }

    /**
     * The jobs of these queues that wait to start and have waited longest since they were due, longest first. It looks at the
     * first jobs of a bounded number of lanes, so with very many lanes or priorities it may miss one; what it costs does not
     * depend on how many jobs wait.
     *
     * @param max how many at most, up to 1,000
     */
    public List<LongWait> longestWaits(int max, String... queues) {
        Problems faults = new Problems();
        faults.expect(max >= 1 && max <= WAITS_MAX, () -> "max: expected 1 to %d, got %d".formatted(WAITS_MAX, max));
        faults.throwIfAny("longestWaits");
        return store.longestWaits(List.of(queues), max);
    }

    /**
     * Queues in which jobs with gates could start and none has for {@code patience}, although the workers of the queue have
     * nothing else to do. They may lack the resources or a handler for these jobs; otherwise this is a bug in Headgate.
     */
    public List<String> idleQueues(Duration patience) {
        Problems.check("idleQueues", faults -> JobOptions.checkSpan(faults, "patience", patience, true));
        return store.idle(patience);
    }

    /**
     * {@link Headgate#overview}, with everything counted to its end. It reads all jobs, live and ended: with millions of them that
     * takes seconds.
     */
    public Overview exactOverview() {
        return store.exactOverview(Headgate.GATES_SHOWN_MAX);
    }

    /**
     * Gates with their figures, by name. What it costs depends on {@code limit}, not on how many gates there are.
     *
     * @param after goes on behind this one; null begins with the first
     * @param limit how many at most, up to 1,000
     */
    public List<GateView> gates(@Nullable String after, int limit) {
        Problems faults = new Problems();
        faults.expect(
                limit >= 1 && limit <= Headgate.GATES_SHOWN_MAX,
                () -> "limit: expected 1 to %d, got %d".formatted(Headgate.GATES_SHOWN_MAX, limit));
        faults.throwIfAny("gates");
        return store.gates(after, limit);
    }

    /** How one gate or queue stands; empty if nothing ever came to it and no policy covers it. */
    public Optional<GateView> findGate(GateKey key) {
        return Optional.ofNullable(store.findGate(key.requireCapacity("findGate")));
    }

    /** Runs, results and artifacts, and the age of the oldest job of each queue. Looks at a bounded number of each. */
    public Totals totals() {
        return store.totals(Totals.LOOK_MAX);
    }

    /** The same, counted to the end, as {@link #exactOverview} is. */
    public Totals exactTotals() {
        return store.totals(Integer.MAX_VALUE);
    }

    /** The workers that are there, and how busy each is. */
    public List<WorkerView> workers() {
        return store.workers();
    }

    /** What each job type needs and takes: what its handler declares, and what workers that mind their room have measured. */
    public List<TypeFigures> types() {
        return rooms.types();
    }

    private static void check(int max) {
        Problems faults = new Problems();
        faults.expect(max >= 1 && max <= MAX, () -> "max: expected 1 to %d, got %d".formatted(MAX, max));
        faults.throwIfAny("demand");
    }
}

package dev.headgate.internal.query;

import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.gate.Admissible;
import dev.headgate.internal.lane.WaitingQueues;
import dev.headgate.internal.text.Served;
import dev.headgate.internal.time.Micros;
import dev.headgate.job.JobState;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.Backend;
import dev.headgate.spi.GateRow;
import dev.headgate.spi.LaneRow;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.WorkerRow;
import dev.headgate.status.LongWait;
import dev.headgate.status.Overview;
import dev.headgate.status.Overview.GateView;
import dev.headgate.status.Overview.WorkerView;
import dev.headgate.status.QueueBacklog;
import dev.headgate.status.QueueCount;
import dev.headgate.status.Totals;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** How much there is to do, and how much of it more hands would help with. Reads only. Thread-safe. */
public final class BacklogStore {
    private static final int IDLE_LANES_MAX = 64;

    private final Backend backend;

    public BacklogStore(Backend backend) {
        this.backend = backend;
    }

    /** How many jobs of these queues (names and patterns) together could start at once if there were slots, counted up to {@code max}. */
    public int admissible(Collection<String> queues, int max) {
        return backend.read(tx -> {
            Collection<String> waiting = WaitingQueues.of(tx, queues).queues();
            Admissible admissible = Admissible.in(tx, waiting, max);
            return (int) Math.min(
                    max, waiting.stream().distinct().mapToLong(admissible::of).sum());
        });
    }

    /**
     * What there is to do, queue by queue. Counts live jobs as far as an overview does.
     *
     * @param queues names and patterns; all that have jobs, if it is empty
     * @param max how far admissible jobs of each queue are counted
     */
    public List<QueueBacklog> read(Collection<String> queues, int max) {
        return backend.read(tx -> read(tx, queues, max));
    }

    /**
     * Queues in which jobs with gates could start, and for so long none has, although the workers that serve the queue have
     * nothing else to do. Either none of them has room or a handler for these jobs, or all have overlooked them.
     */
    public List<String> idle(Duration patience) {
        return backend.read(tx -> idle(tx, tx.now() - Micros.of(patience)));
    }

    private static List<String> idle(StoreTransaction tx, long since) {
        long now = tx.now();
        Set<String> served = new TreeSet<>();
        Set<String> moving = new HashSet<>();
        for (WorkerRow worker : tx.workers().list()) {
            if (worker.leaseUntil() > now) {
                Collection<String> queues =
                        WaitingQueues.of(tx, worker.queues()).queues();
                (worker.holding().isEmpty() ? served : moving).addAll(queues);
            }
        }
        served.removeAll(moving);
        List<LaneRow> ready = served.isEmpty() ? List.of() : tx.demand().ready(served, IDLE_LANES_MAX);
        Set<GateKey> gates = new TreeSet<>();
        ready.forEach(lane -> gates.addAll(lane.gateKeys()));
        PolicyBook book = tx.policies();
        Set<GateKey> passed = new HashSet<>();
        for (GateRow gate : gates.isEmpty() ? List.<GateRow>of() : tx.gates().findAll(gates)) {
            if (gate.ledger(book, now).state().seen() > since) {
                passed.add(gate.key());
            }
        }
        Set<String> still = new TreeSet<>();
        for (LaneRow lane : ready) {
            boolean isMoving = lane.since() > since || lane.gateKeys().stream().anyMatch(passed::contains);
            (isMoving ? moving : still).add(lane.lane().queue());
        }
        still.removeAll(moving);
        Admissible admissible = Admissible.in(tx, still, IDLE_LANES_MAX);
        return still.stream().filter(queue -> admissible.of(queue) > 0).toList();
    }

    /** The workers that are there, and how busy each is. */
    public List<WorkerView> workers() {
        return backend.read(ReadOverview::workers);
    }

    /** An overview in which everything is counted to its end. */
    public Overview exactOverview(int gatesMax) {
        return backend.read(tx -> ReadOverview.exact(tx, gatesMax));
    }

    /** Gates by name, at most {@code limit} behind this one. */
    public List<GateView> gates(@Nullable String after, int limit) {
        return backend.read(tx -> GatePages.read(tx, after, limit));
    }

    /** One gate or queue; absent if it was never used and no policy covers it. */
    public @Nullable GateView findGate(GateKey key) {
        return backend.<@Nullable GateView>read(tx -> GatePages.find(tx, key));
    }

    /** What is kept, counted up to {@code max}, and how long the queues have waited. */
    public Totals totals(int max) {
        return backend.read(tx -> ReadTotals.run(tx, max));
    }

    /**
     * The jobs of these queues that have waited longest, longest first.
     *
     * @param max how many at most
     */
    public List<LongWait> longestWaits(Collection<String> queues, int max) {
        return backend.read(tx -> LongestWaits.read(tx, queues, max));
    }

    /** Whether more lanes of it are ready, or have arrived, than are looked at for this bound. */
    private static boolean hasUnread(StoreTransaction tx, String queue, int max) {
        return tx.demand().unjudged(queue, Long.MAX_VALUE, max + 1).isMore();
    }

    private static List<QueueBacklog> read(StoreTransaction tx, Collection<String> asked, int max) {
        Map<String, Map<JobState, Long>> counts = new HashMap<>();
        Set<String> rough = new HashSet<>();
        for (QueueCount count : tx.jobs().counts(QueueCount.COUNTED_MAX)) {
            if (count.isMore()) {
                rough.add(count.queue());
            }
            counts.computeIfAbsent(count.queue(), queue -> new EnumMap<>(JobState.class))
                    .merge(count.state(), count.jobs(), Long::sum);
        }
        Served served = Served.of(asked);
        Set<String> queues = new TreeSet<>(asked.isEmpty() ? counts.keySet() : served.names());
        counts.keySet().stream().filter(served::covers).forEach(queues::add);
        Admissible admissible = Admissible.in(tx, queues, max);
        List<String> uncounted = queues.stream()
                .filter(queue -> admissible.of(queue) == max || hasUnread(tx, queue, max))
                .toList();
        Map<String, Long> inLine = new HashMap<>();
        if (!uncounted.isEmpty()) {
            tx.demand().inLine(uncounted).forEach(count -> inLine.put(count.queue(), count.jobs()));
        }
        PolicyBook book = tx.policies();
        return queues.stream()
                .map(queue -> {
                    Map<JobState, Long> jobs = counts.getOrDefault(queue, Map.of());
                    int dueNow = admissible.dueIn(queue);
                    long waiting = jobs.getOrDefault(JobState.QUEUED, 0L) + dueNow;
                    boolean isPaused = book.isPaused(GateKey.queue(queue));
                    int startable = admissible.of(queue);
                    boolean isMore = startable == max && waiting > max;
                    boolean isAllRead = !isMore && !uncounted.contains(queue);
                    long blocked = isAllRead ? waiting - startable : inLine.getOrDefault(queue, 0L);
                    long unjudged = isAllRead ? 0 : waiting - startable - blocked;
                    return new QueueBacklog(
                            queue,
                            startable,
                            isMore,
                            isPaused ? 0 : Math.max(0, blocked),
                            isPaused ? 0 : Math.max(0, unjudged),
                            isPaused ? waiting : 0,
                            jobs.getOrDefault(JobState.SCHEDULED, 0L) - dueNow,
                            jobs.getOrDefault(JobState.AWAITING, 0L),
                            jobs.getOrDefault(JobState.PARKED, 0L),
                            jobs.getOrDefault(JobState.RUNNING, 0L),
                            rough.contains(queue));
                })
                .toList();
    }
}

package dev.headgate.transition;

import dev.headgate.admission.GateKey;
import dev.headgate.admission.PolicyBook;
import dev.headgate.job.JobState;
import dev.headgate.pool.QueueBacklog;
import dev.headgate.store.Backend;
import dev.headgate.store.QueueCount;
import dev.headgate.store.StoreTransaction;
import dev.headgate.transition.Overview.WorkerView;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** How much there is to do, and how much of it more hands would help with. Reads only. Thread-safe. */
public final class BacklogStore {
    private final Backend backend;

    public BacklogStore(Backend backend) {
        this.backend = backend;
    }

    /** How many jobs of these queues together could start at once if there were slots, counted up to {@code max}. */
    public int admissible(Collection<String> queues, int max) {
        return backend.read(tx -> {
            Admissible admissible = Admissible.in(tx, queues, max);
            return (int) Math.min(
                    max, queues.stream().distinct().mapToLong(admissible::of).sum());
        });
    }

    /**
     * What there is to do, queue by queue. Counts live jobs as far as an overview does.
     *
     * @param queues all that have jobs, if it is empty
     * @param max how far admissible jobs of each queue are counted
     */
    public List<QueueBacklog> read(Collection<String> queues, int max) {
        return backend.read(tx -> read(tx, queues, max));
    }

    /** The workers that are there, and how busy each is. */
    public List<WorkerView> workers() {
        return backend.read(Survey::workers);
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
        Set<String> queues = new TreeSet<>(asked.isEmpty() ? counts.keySet() : asked);
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

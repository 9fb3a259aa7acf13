package dev.headgate.jdbc;

import dev.headgate.internal.text.Served;
import dev.headgate.job.JobState;
import dev.headgate.job.Lane;
import dev.headgate.status.QueueCount;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Counts jobs for listings, exactly while they are few and beyond that as far as a glance goes.
 *
 * <p>Design note: figures kept up to date as jobs come and go would be exact however many there are, but were measured to
 * make an enqueue 7 to 9 percent slower. A list that is read now and then must not slow down the work.
 */
final class Census {
    /** Of all queues together so many times as much is counted as of one. */
    private static final int QUEUES_AT_ONCE = 10;

    private final Session sql;
    private final int max;

    Census(Session sql, int max) {
        this.sql = sql;
        this.max = max;
    }

    List<QueueCount> live() {
        List<QueueCount> newest = newest("count_jobs");
        if (isAll(newest)) {
            return newest;
        }
        List<QueueCount> counts = byState("count_aside");
        counts.addAll(sql.call("count_running").list(Filters::count));
        Set<String> queues =
                new TreeSet<>(sql.call("list_queues").set("look", max).list(Row::text));
        new JdbcWorkers(sql, false)
                .list()
                .forEach(worker -> queues.addAll(Served.of(worker.queues()).names()));
        newest.forEach(count -> queues.add(count.queue()));
        counts.forEach(count -> queues.add(count.queue()));
        counts.addAll(queued(queues));
        return inOrder(counts);
    }

    List<QueueCount> ended() {
        List<QueueCount> newest = newest("count_ended");
        if (isAll(newest)) {
            return newest;
        }
        List<QueueCount> counts = byState("count_unhappy");
        for (QueueCount count : newest) {
            if (count.state() == JobState.SUCCEEDED) {
                counts.add(new QueueCount(count.queue(), count.state(), count.jobs(), true));
            }
        }
        return inOrder(counts);
    }

    private List<QueueCount> newest(String statement) {
        return sql.call(statement).set("look", max).list(Filters::count);
    }

    private boolean isAll(List<QueueCount> newest) {
        return newest.stream().mapToLong(QueueCount::jobs).sum() < max;
    }

    /** The newest of each state that has an index; if a state has more of them, each of its figures may be larger. */
    private List<QueueCount> byState(String statement) {
        List<QueueCount> counts = newest(statement);
        Map<JobState, Long> sums = new EnumMap<>(JobState.class);
        counts.forEach(count -> sums.merge(count.state(), count.jobs(), Long::sum));
        List<QueueCount> marked = new ArrayList<>();
        for (QueueCount count : counts) {
            boolean isMore = sums.getOrDefault(count.state(), 0L) >= max;
            marked.add(new QueueCount(count.queue(), count.state(), count.jobs(), isMore));
        }
        return marked;
    }

    /** Along the lanes of each queue: an index has their jobs in order, and none has all jobs of a queue. */
    private List<QueueCount> queued(Set<String> queues) {
        int most = Math.max(1, Math.min(max, QUEUES_AT_ONCE * max / Math.max(1, queues.size())));
        Batch batch = sql.batch("count_queued").set("max", most);
        queues.forEach(queue -> batch.row().set("queue", queue).set("lane", Lane.plainId(queue)));
        List<QueueCount> counts = new ArrayList<>();
        batch.list(row -> counts.add(count(row.text(), row.number(), most)));
        counts.removeIf(count -> count.jobs() == 0);
        return counts;
    }

    private static QueueCount count(String queue, long jobs, int most) {
        return new QueueCount(queue, JobState.QUEUED, jobs, jobs >= most);
    }

    private static List<QueueCount> inOrder(List<QueueCount> counts) {
        return counts.stream()
                .sorted(Comparator.comparing(QueueCount::queue).thenComparing(QueueCount::state))
                .toList();
    }
}

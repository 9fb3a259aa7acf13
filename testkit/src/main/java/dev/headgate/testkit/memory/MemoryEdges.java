package dev.headgate.testkit.memory;

import dev.headgate.job.JobState;
import dev.headgate.spi.EdgeRow;
import dev.headgate.spi.EdgeRow.End;
import dev.headgate.spi.EdgeTable;
import dev.headgate.spi.HistoryRow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Edges, by the job that waits and by the one that is waited for. One transaction at a time, so locks are looks. */
final class MemoryEdges implements EdgeTable {
    private static final Comparator<EdgeRow> BY_PLACE =
            Comparator.comparingInt(EdgeRow::place).thenComparingLong(EdgeRow::dependency);
    private static final Comparator<EdgeRow> BY_JOB = Comparator.comparingLong(EdgeRow::job);

    private final Ordered<Long, EdgeRow> byJob = new Ordered<>(EdgeRow::job, BY_PLACE);
    private final Ordered<Long, EdgeRow> openByJob = new Ordered<>(edge -> isOpen(edge) ? edge.job() : null, BY_PLACE);
    private final Ordered<Long, EdgeRow> openByDependency =
            new Ordered<>(edge -> isOpen(edge) ? edge.dependency() : null, BY_JOB);
    private final Ordered<Long, EdgeRow> fatalByDependency =
            new Ordered<>(edge -> edge.isFatal() ? edge.dependency() : null, BY_JOB);
    private final Ordered<Long, EdgeRow> byDependency = new Ordered<>(EdgeRow::dependency, BY_JOB);
    private final Rows<Key, EdgeRow> edges;
    private final Rows<Long, Long> looks;
    private final Rows<Long, LiveJob> jobs;
    private final MemoryHistory history;
    private final JobNumbers numbers;

    private record Key(long job, long dependency) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int first = Long.compare(job, other.job);
            return first == 0 ? Long.compare(dependency, other.dependency) : first;
        }
    }

    MemoryEdges(Journal journal, Rows<Long, LiveJob> jobs, MemoryHistory history, JobNumbers numbers) {
        this.edges = new Rows<>(
                journal,
                edge -> new Key(edge.job(), edge.dependency()),
                List.of(byJob, openByJob, openByDependency, fatalByDependency, byDependency));
        this.looks = new Rows<>(journal, look -> look, List.of());
        this.jobs = jobs;
        this.history = history;
        this.numbers = numbers;
    }

    private static boolean isOpen(EdgeRow edge) {
        return edge.end() == null;
    }

    /** Drops the edges of a job that is no more. */
    void forget(long job) {
        List.copyOf(byJob.in(job)).forEach(edge -> edges.remove(new Key(edge.job(), edge.dependency())));
    }

    boolean isLookDue() {
        return !looks.all().isEmpty();
    }

    @Override
    public void insert(List<EdgeRow> rows) {
        rows.forEach(edges::put);
    }

    @Override
    public List<EdgeRow> of(Collection<Long> wanted) {
        return new TreeSet<>(wanted)
                .stream().flatMap(job -> byJob.in(job).stream()).toList();
    }

    @Override
    public List<EdgeRow> fatal(Collection<Long> dependencies, int limit) {
        return new TreeSet<>(dependencies)
                .stream()
                        .flatMap(dependency -> fatalByDependency.in(dependency).stream())
                        .limit(limit)
                        .toList();
    }

    @Override
    public List<OpenEdge> open(Collection<Long> wanted, int perJob) {
        List<OpenEdge> open = new ArrayList<>();
        for (long job : new TreeSet<>(wanted)) {
            int count = openByJob.in(job).size();
            openByJob
                    .first(job, perJob)
                    .forEach(edge -> open.add(new OpenEdge(job, edge.dependency(), stateOf(edge.dependency()), count)));
        }
        return open;
    }

    private @Nullable JobState stateOf(long job) {
        LiveJob live = jobs.get(job);
        return live == null ? null : live.state();
    }

    /** Whether any job waits for another. */
    boolean isAny() {
        return !openByJob.groups().isEmpty();
    }

    @Override
    public List<Long> lockLive(Collection<Long> dependencies) {
        return live(dependencies);
    }

    @Override
    public List<Long> live(Collection<Long> dependencies) {
        return new TreeSet<>(dependencies)
                .stream().filter(job -> jobs.get(job) != null).toList();
    }

    @Override
    public List<EdgeRow> settle(Collection<Long> dependencies, int limit) {
        List<EdgeRow> settled = new ArrayList<>();
        for (long dependency : dependencies.size() < 2 ? dependencies : new TreeSet<>(dependencies)) {
            for (EdgeRow edge : openByDependency.first(dependency, limit - settled.size())) {
                settled.add(put(edge, endOf(edge.dependency()), false));
            }
        }
        return settled;
    }

    private End endOf(long dependency) {
        HistoryRow row = history.find(dependency);
        return row == null ? End.DELETED : End.valueOf(row.state().name());
    }

    private EdgeRow put(EdgeRow edge, @Nullable End end, boolean isFatal) {
        EdgeRow after =
                new EdgeRow(edge.job(), edge.dependency(), edge.unmet(), edge.isChild(), edge.place(), end, isFatal);
        edges.put(after);
        return after;
    }

    @Override
    public List<Long> lockAwaiting(Collection<Long> wanted) {
        return new TreeSet<>(wanted)
                .stream().filter(job -> stateOf(job) == JobState.AWAITING).toList();
    }

    @Override
    public List<Freed> free(Collection<Long> wanted, long now, boolean isNew) {
        List<Freed> freed = new ArrayList<>();
        for (long id : lockAwaiting(wanted)) {
            if (openByJob.in(id).isEmpty()) {
                LiveJob job = Objects.requireNonNull(jobs.get(id));
                long latest = Math.max(now, job.row().place().enqueuedAt());
                JobState state = job.row().place().runAt() > latest ? JobState.SCHEDULED : JobState.QUEUED;
                LiveJob after = job.with(edit -> {
                    edit.state = state;
                    edit.runAt = Math.max(edit.runAt, now);
                    if (state == JobState.QUEUED && !isNew) {
                        edit.takePlace(numbers::next);
                    }
                });
                jobs.put(after);
                freed.add(new Freed(id, state, after.asHead()));
            }
        }
        return freed;
    }

    @Override
    public void fell(List<Felled> felled, long now) {
        for (Felled each : felled) {
            LiveJob job = Objects.requireNonNull(jobs.remove(each.job()));
            history.add(job, job.ended(each.state(), null, each.detail(), now));
            EdgeRow edge = Objects.requireNonNull(edges.get(new Key(each.job(), each.dependency())));
            put(edge, edge.end(), true);
        }
    }

    @Override
    public void reopen(List<EdgeRow> some) {
        some.forEach(edge -> put(edge, null, false));
    }

    @Override
    public void markFatal(EdgeRow edge, String detail) {
        put(edge, edge.end(), true);
        history.retell(edge.job(), detail);
    }

    @Override
    public void forgive(Collection<Long> some) {
        some.forEach(job -> List.copyOf(byJob.in(job)).forEach(edge -> put(edge, edge.end(), false)));
    }

    @Override
    public List<Long> stillNeeded(Collection<Long> dependencies, long endedSince) {
        return new TreeSet<>(dependencies)
                .stream()
                        .filter(dependency -> byDependency.in(dependency).stream()
                                .anyMatch(edge -> jobs.get(edge.job()) != null || mayComeBack(edge.job(), endedSince)))
                        .toList();
    }

    private boolean mayComeBack(long job, long endedSince) {
        HistoryRow row = history.find(job);
        return row != null && row.state() != JobState.SUCCEEDED && row.times().finishedAt() >= endedSince;
    }

    @Override
    public List<Long> await(Collection<Long> some) {
        return new TreeSet<>(some).stream().filter(this::await).toList();
    }

    private boolean await(long id) {
        LiveJob job = jobs.get(id);
        if (job == null || job.state() != JobState.QUEUED || openByJob.in(id).isEmpty()) {
            return false;
        }
        jobs.put(job.with(edit -> edit.state = JobState.AWAITING));
        return true;
    }

    @Override
    public void addLooks(Collection<Long> noted) {
        noted.forEach(looks::put);
    }

    @Override
    public List<Long> takeLooks(int limit) {
        List<Long> taken = looks.all().keySet().stream().limit(limit).toList();
        taken.forEach(looks::remove);
        return taken;
    }
}

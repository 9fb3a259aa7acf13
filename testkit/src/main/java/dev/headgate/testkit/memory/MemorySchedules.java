package dev.headgate.testkit.memory;

import dev.headgate.spi.ScheduleRow;
import dev.headgate.spi.ScheduleTable;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Schedules by name, and in the order in which they are due. */
final class MemorySchedules implements ScheduleTable {
    private static final Comparator<RunRow> NEWEST_FIRST =
            Comparator.comparingLong(RunRow::at).reversed();

    private final Ordered<Boolean, ScheduleRow> byNext = new Ordered<>(
            row -> row.progress().nextAt() == null ? null : true,
            Comparator.comparingLong(MemorySchedules::next).thenComparing(ScheduleRow::name));
    private final Ordered<String, RunRow> bySchedule = new Ordered<>(RunRow::schedule, NEWEST_FIRST);
    private final Ordered<Long, RunRow> byJob = new Ordered<>(
            RunRow::job, Comparator.comparingLong(RunRow::firedAt).reversed().thenComparing(NEWEST_FIRST));
    private final Rows<String, ScheduleRow> schedules;
    private final Rows<Key, RunRow> runs;
    private final Rows<Long, LiveJob> jobs;

    private record Key(String schedule, long at) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int first = schedule.compareTo(other.schedule);
            return first == 0 ? Long.compare(at, other.at) : first;
        }
    }

    MemorySchedules(Journal journal, Rows<Long, LiveJob> jobs) {
        this.schedules = new Rows<>(journal, ScheduleRow::name, List.of(byNext));
        this.runs = new Rows<>(journal, run -> new Key(run.schedule(), run.at()), List.of(bySchedule, byJob));
        this.jobs = jobs;
    }

    private static long next(ScheduleRow row) {
        return Objects.requireNonNull(row.progress().nextAt());
    }

    @Override
    public List<ScheduleRow> list() {
        return List.copyOf(schedules.all().values());
    }

    @Override
    public @Nullable ScheduleRow find(String name) {
        return schedules.get(name);
    }

    @Override
    public @Nullable ScheduleRow lock(String name) {
        return schedules.get(name);
    }

    @Override
    public List<ScheduleRow> lockDue(long now, int limit) {
        return byNext.in(true).stream()
                .takeWhile(row -> next(row) <= now)
                .limit(limit)
                .toList();
    }

    @Override
    public @Nullable Long nextAt() {
        ScheduleRow first = byNext.first(true);
        return first == null ? null : first.progress().nextAt();
    }

    @Override
    public boolean insert(ScheduleRow row) {
        boolean isFree = schedules.get(row.name()) == null;
        if (isFree) {
            schedules.put(row);
        }
        return isFree;
    }

    @Override
    public void save(ScheduleRow row) {
        schedules.put(row);
    }

    @Override
    public void move(List<ScheduleRow> rows) {
        rows.forEach(schedules::put);
    }

    @Override
    public boolean remove(String name) {
        List.copyOf(bySchedule.in(name)).forEach(this::forget);
        return schedules.remove(name) != null;
    }

    private void forget(RunRow run) {
        runs.remove(new Key(run.schedule(), run.at()));
    }

    @Override
    public void addRuns(List<RunRow> added) {
        for (RunRow run : added) {
            if (runs.get(new Key(run.schedule(), run.at())) != null) {
                throw new IllegalStateException(
                        "schedule '%s': fired twice for %d".formatted(run.schedule(), run.at()));
            }
            runs.put(run);
        }
    }

    @Override
    public List<RunRow> liveRuns(Collection<String> names) {
        return new TreeSet<>(names)
                .stream()
                        .flatMap(name -> List.copyOf(bySchedule.in(name)).reversed().stream())
                        .filter(this::isLive)
                        .toList();
    }

    private boolean isLive(RunRow run) {
        return jobs.get(run.job()) != null;
    }

    @Override
    public List<RunRow> runs(String name, int limit) {
        return bySchedule.first(name, limit);
    }

    @Override
    public @Nullable RunRow runOf(long job) {
        return byJob.first(job);
    }

    @Override
    public void trimRuns(Collection<String> names, int keep) {
        Stream<RunRow> old =
                names.stream().flatMap(name -> bySchedule.in(name).stream().skip(keep));
        old.filter(run -> !isLive(run)).toList().forEach(this::forget);
    }
}

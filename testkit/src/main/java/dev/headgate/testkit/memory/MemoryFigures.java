package dev.headgate.testkit.memory;

import dev.headgate.job.JobSpec;
import dev.headgate.spi.FigureRow;
import dev.headgate.spi.FigureRow.Grain;
import dev.headgate.spi.FigureTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Figures over time, by grain, interval and source. */
final class MemoryFigures implements FigureTable {
    private final Rows<Key, FigureRow> figures;
    private final MemoryJobs jobs;
    private final MemoryHistory history;

    private record Key(Grain grain, long at, String source) implements Comparable<Key> {
        private static final Comparator<Key> ORDER =
                Comparator.comparing(Key::grain).thenComparingLong(Key::at).thenComparing(Key::source);

        static Key of(FigureRow row) {
            return new Key(row.grain(), row.at(), row.source());
        }

        @Override
        public int compareTo(Key other) {
            return ORDER.compare(this, other);
        }
    }

    MemoryFigures(Journal journal, MemoryJobs jobs, MemoryHistory history) {
        this.figures = new Rows<>(journal, Key::of, List.of());
        this.jobs = jobs;
        this.history = history;
    }

    @Override
    public void add(List<FigureRow> parts) {
        for (FigureRow part : parts) {
            if (figures.get(Key.of(part)) == null) {
                figures.put(part);
            }
        }
    }

    @Override
    public void put(List<FigureRow> rows) {
        rows.forEach(figures::put);
    }

    @Override
    public List<FigureRow> find(Grain grain, Range range, int limit) {
        Key first = new Key(grain, range.from(), range.source());
        Key end = new Key(grain, range.to(), "");
        if (first.compareTo(end) >= 0) {
            return List.of();
        }
        return figures.all().subMap(first, end).values().stream().limit(limit).toList();
    }

    @Override
    public List<FigureRow> findAll(Grain grain, Collection<Long> at) {
        List<FigureRow> found = new ArrayList<>();
        for (long instant : at) {
            FigureRow row = figures.get(new Key(grain, instant, ""));
            if (row != null) {
                found.add(row);
            }
        }
        return found;
    }

    @Override
    public void delete(List<FigureRow> parts) {
        parts.forEach(part -> figures.remove(Key.of(part)));
    }

    @Override
    public int prune(Grain grain, long before) {
        List<FigureRow> old = find(grain, Range.of(Long.MIN_VALUE, before), Integer.MAX_VALUE);
        delete(old);
        return old.size();
    }

    @Override
    public String mark() {
        FigureRow mark = figures.get(new Key(Grain.MARK, 0, ""));
        return mark == null ? NOTHING_COUNTED : mark.data();
    }

    @Override
    public String lockMark() {
        return mark();
    }

    @Override
    public LastJob lastJob() {
        return new LastJob(jobs.numbers().last(), true);
    }

    @Override
    public List<NewJobs> countNew(long after, long upTo) {
        return count(after, upTo, Long.MAX_VALUE);
    }

    @Override
    public List<NewJobs> countNewByTime(long after, long upTo, long span) {
        return count(after, upTo, span);
    }

    private List<NewJobs> count(long after, long upTo, long span) {
        Map<String, NewJobs> found = new TreeMap<>();
        jobs.rows()
                .all()
                .subMap(after, false, upTo, true)
                .values()
                .forEach(job -> add(found, job.spec(), job.row().place().enqueuedAt(), span));
        history.ended
                .all()
                .subMap(after, false, upTo, true)
                .values()
                .forEach(job -> add(found, job.spec(), job.times().enqueuedAt(), span));
        return List.copyOf(found.values());
    }

    private static void add(Map<String, NewJobs> found, JobSpec spec, long enqueuedAt, long span) {
        long at = span == Long.MAX_VALUE ? 0 : enqueuedAt / span * span;
        NewJobs one = new NewJobs(spec.lane().queue(), spec.lane().gates(), spec.type(), at, 1);
        found.merge(
                "%s\n%s\n%d".formatted(spec.lane(), spec.type(), at),
                one,
                (before, more) -> new NewJobs(one.queue(), one.gates(), one.type(), at, before.jobs() + more.jobs()));
    }
}

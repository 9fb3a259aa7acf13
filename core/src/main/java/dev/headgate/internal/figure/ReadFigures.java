package dev.headgate.internal.figure;

import dev.headgate.figure.FigureFilter;
import dev.headgate.figure.FigurePoint;
import dev.headgate.figure.FigureReport;
import dev.headgate.figure.FigureSeries;
import dev.headgate.internal.time.Micros;
import dev.headgate.spi.FigureRow;
import dev.headgate.spi.FigureRow.Grain;
import dev.headgate.spi.FigureTable.Range;
import dev.headgate.spi.StoreTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads figures: merged rows, and what the processes wrote since they were merged. */
public final class ReadFigures {
    private static final int PAGE = 500;

    /** From so long a range on, rows of ten minutes are read if the step allows. */
    private static final Duration FINE_READ = Duration.ofHours(6);

    /** How far back parts may not be merged into rows of ten minutes. Maintenance does it every ten seconds. */
    private static final Duration UNMERGED = Duration.ofHours(1);

    private final StoreTransaction tx;
    private final Predicate<Subject> which;

    private ReadFigures(StoreTransaction tx, Predicate<Subject> which) {
        this.tx = tx;
        this.which = which;
    }

    public static FigureReport report(StoreTransaction tx, FigureFilter filter) {
        long now = tx.now();
        long step = Micros.of(filter.step());
        long end = filter.until() == null ? now : Micros.of(filter.until());
        long to = Math.ceilDiv(end, step) * step;
        long from = Math.floorDiv(to - Micros.of(filter.span()), step) * step;
        boolean isOld = from < now - Micros.of(FigureFilter.FINE_KEPT) - step;
        boolean mayBeCoarse = step % FigureKeeper.COARSE == 0;
        if (isOld && !mayBeCoarse) {
            throw new IllegalArgumentException(
                    "figures: expected a step of a multiple of 10 minutes for what is older than 24 hours, got %s"
                            .formatted(filter.step()));
        }
        boolean isCoarse = mayBeCoarse && (isOld || filter.span().compareTo(FINE_READ) > 0);
        Tally[] points = new Tally[Math.toIntExact((to - from) / step)];
        for (int i = 0; i < points.length; i++) {
            points[i] = new Tally();
        }
        ReadFigures reader = new ReadFigures(tx, subject -> filter.matches(subject.kind(), subject.name()));
        reader.read(isCoarse, from, to, (at, tally) -> points[(int) ((at - from) / step)].addAfter(tally));
        return new FigureReport(Micros.instant(from), Micros.instant(to), filter.step(), series(points, from, step));
    }

    /** All that was ever counted, as series of one point; what is in use is as of half a minute ago at most. */
    public static List<FigureSeries> totals(StoreTransaction tx) {
        long now = tx.now();
        Tally sum = new Tally();
        ReadFigures reader = new ReadFigures(tx, subject -> true);
        Tally before = new Tally();
        tx.figures().findAll(Grain.TOTAL, List.of(0L)).forEach(row -> before.addAfter(Tally.read(row.data())));
        sum.addAfter(before);
        reader.page(Grain.PART, 0, now, row -> sum.addAfter(Tally.read(row.data())));
        sum.forgetInUse();
        long latest = FigureRecorder.begin(now) - 2 * FigureRecorder.SPAN;
        Tally inUse = new Tally();
        reader.read(false, latest, latest + FigureRecorder.SPAN, (at, tally) -> inUse.addAfter(tally));
        sum.seeInUse(inUse);
        return series(new Tally[] {sum.trimTo(before)}, now, 1);
    }

    private interface Interval {
        void read(long at, Tally tally);
    }

    private void read(boolean isCoarse, long from, long to, Interval into) {
        Map<Long, Tally> byTime = new TreeMap<>();
        Consumer<FigureRow> add =
                row -> byTime.computeIfAbsent(row.at(), fresh -> new Tally()).addBeside(Tally.read(row.data(), which));
        if (isCoarse) {
            page(Grain.COARSE, from, to, row -> into.read(row.at(), Tally.read(row.data(), which)));
            page(Grain.PART, Math.max(from, tx.now() - Micros.of(UNMERGED)), to, add);
        } else {
            page(Grain.FINE, from, to, add);
            page(Grain.PART, from, to, add);
        }
        byTime.forEach(into::read);
    }

    private void page(Grain grain, long from, long to, Consumer<FigureRow> into) {
        Range range = Range.of(from, to);
        List<FigureRow> rows;
        do {
            rows = tx.figures().find(grain, range, PAGE);
            rows.forEach(into);
            if (!rows.isEmpty()) {
                range = range.after(rows.getLast());
            }
        } while (rows.size() == PAGE);
    }

    private static List<FigureSeries> series(Tally[] points, long from, long step) {
        Tally all = new Tally();
        for (Tally point : points) {
            all.addAfter(point);
        }
        List<Subject> subjects = new ArrayList<>(all.cells().keySet());
        subjects.sort(Comparator.comparing(Subject::kind)
                .thenComparingLong(subject -> -all.cell(subject).weight())
                .thenComparing(Subject::name));
        List<FigureSeries> series = new ArrayList<>();
        for (Subject subject : subjects) {
            List<FigurePoint> of = new ArrayList<>(points.length);
            for (int i = 0; i < points.length; i++) {
                @Nullable Cell cell = points[i].cells().get(subject);
                of.add((cell == null ? new Cell() : cell).view(from + i * step));
            }
            series.add(new FigureSeries(subject.kind(), subject.name(), of));
        }
        return series;
    }
}

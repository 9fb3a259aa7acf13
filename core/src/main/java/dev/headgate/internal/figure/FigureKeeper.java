package dev.headgate.internal.figure;

import dev.headgate.figure.FigureFilter;
import dev.headgate.internal.time.Micros;
import dev.headgate.spi.Backend;
import dev.headgate.spi.FigureRow;
import dev.headgate.spi.FigureRow.Grain;
import dev.headgate.spi.FigureTable.Range;
import dev.headgate.spi.StoreTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts new jobs, makes one row of each interval out of what the processes wrote of it, and deletes what is old. Any worker does this;
 * the lock of the mark keeps two from doing the same.
 */
public final class FigureKeeper {
    static final long COARSE = Micros.of(FigureFilter.COARSE);

    private static final int PARTS_MAX = 200;
    private static final int BATCHES_MAX = 50;

    private final Backend backend;
    private final CountNewJobs newJobs;

    public FigureKeeper(Backend backend) {
        this.backend = backend;
        this.newJobs = new CountNewJobs(backend);
    }

    /** Does what is due; in a store where nothing happens it only reads. */
    public void run() {
        newJobs.run();
        for (int batches = 0; batches < BATCHES_MAX && hasParts(); batches++) {
            if (backend.write(FigureKeeper::merge)) {
                prune(backend);
            }
        }
    }

    private boolean hasParts() {
        return backend.read(tx -> !parts(tx, 1).isEmpty());
    }

    /** What the processes wrote of intervals that are over. */
    private static List<FigureRow> parts(StoreTransaction tx, int limit) {
        return tx.figures().find(Grain.PART, Range.of(0, FigureRecorder.begin(tx.now())), limit);
    }

    /** Returns whether ten minutes have begun. */
    private static boolean merge(StoreTransaction tx) {
        tx.figures().lockMark();
        List<FigureRow> parts = parts(tx, PARTS_MAX);
        Map<Long, Tally> added = new TreeMap<>();
        for (FigureRow part : parts) {
            added.computeIfAbsent(part.at(), fresh -> new Tally()).addBeside(Tally.read(part.data()));
        }
        Map<Long, Tally> fine = tallies(tx, Grain.FINE, added.keySet());
        Map<Long, Tally> coarse = tallies(
                tx,
                Grain.COARSE,
                added.keySet().stream().map(FigureKeeper::coarse).distinct().toList());
        boolean isNew = added.keySet().stream().anyMatch(at -> !coarse.containsKey(coarse(at)));
        Tally total = new Tally();
        added.forEach((at, tally) -> {
            Tally interval = fine.computeIfAbsent(at, fresh -> new Tally());
            interval.addBeside(tally);
            Tally longer = coarse.computeIfAbsent(coarse(at), fresh -> new Tally());
            longer.addAfter(tally);
            longer.seeInUse(interval);
            total.addAfter(tally);
        });
        List<FigureRow> rows = new ArrayList<>();
        fine.forEach((at, tally) -> rows.add(row(Grain.FINE, at, tally.trim())));
        coarse.forEach((at, tally) -> rows.add(row(Grain.COARSE, at, tally.trim())));
        rows.add(row(Grain.TOTAL, 0, total(tx, total)));
        tx.figures().put(rows);
        tx.figures().delete(parts);
        return isNew;
    }

    private static long coarse(long at) {
        return Math.floorDiv(at, COARSE) * COARSE;
    }

    private static Map<Long, Tally> tallies(StoreTransaction tx, Grain grain, Collection<Long> at) {
        Map<Long, Tally> found = new HashMap<>();
        tx.figures().findAll(grain, at).forEach(row -> found.put(row.at(), Tally.read(row.data())));
        return found;
    }

    private static Tally total(StoreTransaction tx, Tally more) {
        Tally before = tallies(tx, Grain.TOTAL, List.of(0L)).getOrDefault(0L, new Tally());
        Tally after = new Tally();
        after.addAfter(before);
        after.addAfter(more);
        after.forgetInUse();
        return after.trimTo(before);
    }

    private static FigureRow row(Grain grain, long at, Tally tally) {
        return new FigureRow(grain, at, "", tally.text());
    }

    /** Deletes what is kept no longer; returns how many rows. */
    public static int prune(Backend backend) {
        return backend.write(tx -> {
            long fine = tx.now() - Micros.of(FigureFilter.FINE_KEPT.plus(Duration.ofMinutes(10)));
            return tx.figures().prune(Grain.PART, fine)
                    + tx.figures().prune(Grain.FINE, fine)
                    + tx.figures().prune(Grain.COARSE, tx.now() - Micros.of(FigureFilter.COARSE_KEPT.plusHours(1)));
        });
    }
}

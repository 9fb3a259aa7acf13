package dev.headgate.internal.figure;

import dev.headgate.internal.time.Micros;
import dev.headgate.spi.Backend;
import dev.headgate.spi.FigureRow;
import dev.headgate.spi.FigureRow.Grain;
import dev.headgate.spi.FigureTable.LastJob;
import dev.headgate.spi.FigureTable.NewJobs;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts what was enqueued, by any process.
 *
 * <p>Design note. Enqueue writes nothing for it: jobs are counted by their numbers, each once, in slices of the primary key. So it costs
 * the reading of a part of each row once, and follows what is enqueued, not what waits. Where a lower number may be committed after a
 * higher one (PostgreSQL), a slice is counted one look after it was seen: a job whose transaction stays open for longer than that is not
 * counted. Between two looks that follow each other soon, all jobs are taken for enqueued in the middle.
 */
final class CountNewJobs {
    /** How many numbers one transaction looks at. */
    private static final int SLICE = 50_000;

    private static final int SLICES_MAX = 20;

    /** Further apart, jobs are counted by their own times. */
    private static final long APART_MAX = 3 * FigureRecorder.SPAN;

    /** A number that was drawn so long ago is taken for committed or given up. */
    private static final long OPEN_MAX = FigureRecorder.SPAN - Micros.PER_SECOND;

    private final Backend backend;

    CountNewJobs(Backend backend) {
        this.backend = backend;
    }

    private record Look(Mark mark, LastJob last, long now) {}

    private record Slice(long after, long upTo, long countedAt, long until) {
        boolean isSoon() {
            return until - countedAt <= APART_MAX;
        }
    }

    void run() {
        Look look = backend.read(
                tx -> new Look(Mark.parse(tx.figures().mark()), tx.figures().lastJob(), tx.now()));
        Mark mark = look.mark();
        if (look.last().id() <= mark.counted()) {
            return;
        }
        if (look.last().isInOrder()) {
            count(mark, look.last().id(), look.now());
        } else if (mark.seen() <= mark.counted()) {
            see(mark, look);
        } else if (look.now() - mark.seenAt() >= OPEN_MAX) {
            if (count(mark, mark.seen(), mark.seenAt())) {
                see(new Mark(mark.seen(), mark.seenAt(), mark.seen(), mark.seenAt()), look);
            }
        }
    }

    private void see(Mark mark, Look look) {
        if (look.last().id() > mark.counted()) {
            move(mark, mark.seeing(look.last().id(), look.now()), List.of());
        }
    }

    /** Returns whether all are counted; if another process counts too, or there are too many, the rest is left. */
    private boolean count(Mark from, long upTo, long at) {
        Mark mark = from;
        for (int slices = 0; mark.counted() < upTo; slices++) {
            long end = Math.min(upTo, mark.counted() + SLICE);
            Slice slice = new Slice(mark.counted(), end, from.countedAt(), at);
            Mark next = mark.counting(end, end == upTo ? at : from.countedAt());
            if (slices == SLICES_MAX || !move(mark, next, read(slice))) {
                return false;
            }
            mark = next;
        }
        return true;
    }

    private List<FigureRow> read(Slice slice) {
        return backend.read(tx -> {
            List<NewJobs> found = slice.isSoon()
                    ? tx.figures().countNew(slice.after(), slice.upTo())
                    : tx.figures().countNewByTime(slice.after(), slice.upTo(), FigureRecorder.SPAN);
            GateNames names = new GateNames(tx.policies());
            long middle = slice.countedAt() + (slice.until() - slice.countedAt()) / 2;
            Map<Long, Tally> byTime = new TreeMap<>();
            for (NewJobs jobs : found) {
                long at = FigureRecorder.begin(slice.isSoon() ? middle : jobs.at());
                Tally tally = byTime.computeIfAbsent(at, fresh -> new Tally());
                names.subjects(jobs.queue(), jobs.type(), jobs.gates())
                        .forEach(counted -> tally.cell(counted.subject()).count(Count.ENQUEUED, jobs.jobs()));
            }
            List<FigureRow> rows = new ArrayList<>();
            byTime.forEach((at, tally) -> rows.add(new FigureRow(
                    Grain.PART, at, "new/" + slice.upTo(), tally.trim().text())));
            return rows;
        });
    }

    private boolean move(Mark before, Mark after, List<FigureRow> rows) {
        return backend.write(tx -> {
            if (!Mark.parse(tx.figures().lockMark()).equals(before)) {
                return false;
            }
            tx.figures().add(rows);
            tx.figures().put(List.of(new FigureRow(Grain.MARK, 0, "", after.text())));
            return true;
        });
    }
}

package dev.headgate.internal.figure;

import dev.headgate.internal.figure.GateNames.Counted;
import dev.headgate.job.Lane;
import dev.headgate.spi.JobRow;
import java.util.List;

/** Where jobs of one lane and type are counted in one interval: found once, so that counting a job looks nothing up. */
final class Shape {
    private final List<Counted> subjects;
    private final Cell[] cells;

    /** What jobs have in common that are counted in the same places. */
    record Key(Lane lane, String type) {
        static Key of(JobRow job) {
            return new Key(job.spec().lane(), job.spec().type());
        }
    }

    Shape(Key key, GateNames names, Tally tally) {
        this.subjects =
                names.subjects(key.lane().queue(), key.type(), key.lane().gates());
        this.cells =
                subjects.stream().map(counted -> tally.cell(counted.subject())).toArray(Cell[]::new);
    }

    void started(JobRow job) {
        Long startedAt = job.lease().startedAt();
        long due = Math.max(job.place().enqueuedAt(), job.place().runAt());
        long waited = startedAt == null ? 0 : startedAt - due;
        for (int i = 0; i < cells.length; i++) {
            String gate = subjects.get(i).gate();
            cells[i].started(
                    waited,
                    gate.isEmpty()
                            ? job.spec().cost().units()
                            : job.spec().cost().at(gate));
        }
    }

    void ended(Count how, long ran) {
        for (Cell cell : cells) {
            cell.ended(how, ran);
        }
    }

    void count(Count what, long many) {
        for (Cell cell : cells) {
            cell.count(what, many);
        }
    }

    void inUse(long jobs) {
        for (Cell cell : cells) {
            cell.inUse(jobs);
        }
    }
}

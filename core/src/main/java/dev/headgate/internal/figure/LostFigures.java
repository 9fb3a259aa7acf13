package dev.headgate.internal.figure;

import dev.headgate.spi.FigureRow;
import dev.headgate.spi.FigureRow.Grain;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.WorkerRow;
import java.util.List;

/** Counts the jobs of a worker that is gone, in the transaction that takes them back: no worker knows of their end. */
public final class LostFigures {
    private LostFigures() {}

    /**
     * Counts these jobs, which have just been taken back.
     *
     * @param isLost whether the worker was lost; else it gave its jobs back
     */
    public static void add(StoreTransaction tx, WorkerRow worker, List<JobRow> jobs, boolean isLost, long now) {
        if (jobs.isEmpty()) {
            return;
        }
        Tally tally = new Tally();
        GateNames names = new GateNames(tx.policies());
        for (JobRow job : jobs) {
            Long startedAt = job.lease().startedAt();
            new Shape(Shape.Key.of(job), names, tally)
                    .ended(isLost ? Count.LOST : Count.HANDED_BACK, startedAt == null ? 0 : now - startedAt);
        }
        String source = "gone/%s/%d".formatted(worker.id(), worker.startedAt());
        tx.figures()
                .add(List.of(new FigureRow(
                        Grain.PART,
                        FigureRecorder.begin(now),
                        source,
                        tally.trim().text())));
    }
}

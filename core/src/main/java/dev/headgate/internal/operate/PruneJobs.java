package dev.headgate.internal.operate;

import dev.headgate.spi.Backend;
import dev.headgate.spi.EndPosition;
import dev.headgate.spi.EndedRange;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Deletes ended jobs, in short batches and in the order of their ends. A job stays as long as another one that waits or has
 * waited for it may read what came of it: see {@link dev.headgate.spi.EdgeTable#stillNeeded}.
 *
 * <p>Design note: each batch goes on after the last row of the one before. A batch that began at the beginning would pass all
 * that was deleted before it, and the whole would cost the square of its size. A job that is tied to one of these rows holds
 * it until its own commit, and the batch leaves out what is held; so none goes between the look at it and the edge to it.
 */
public final class PruneJobs {
    private static final int BATCH_MAX = 500;

    private PruneJobs() {}

    /** Answers how many jobs went. */
    public static int run(Backend backend, EndedRange range) {
        record Batch(int gone, List<EndPosition> seen) {}
        int all = 0;
        EndPosition position = EndPosition.startOf(range);
        Batch batch;
        do {
            EndPosition after = position;
            batch = backend.write(tx -> {
                List<EndPosition> seen = tx.history().lockEnded(range, after, BATCH_MAX);
                Set<Long> gone = new TreeSet<>();
                seen.forEach(job -> gone.add(job.id()));
                if (!gone.isEmpty()) {
                    gone.removeAll(tx.edges().stillNeeded(gone, range.before()));
                }
                return new Batch(gone.isEmpty() ? 0 : tx.history().delete(gone), seen);
            });
            all += batch.gone();
            position = batch.seen().isEmpty() ? position : batch.seen().getLast();
        } while (batch.seen().size() == BATCH_MAX);
        return all;
    }
}

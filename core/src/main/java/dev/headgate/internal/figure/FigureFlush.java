package dev.headgate.internal.figure;

import dev.headgate.spi.FigureRow;
import dev.headgate.spi.StoreTransaction;
import java.util.List;

/**
 * Takes rows along with a transaction that is written anyway. If it fails they stay for the next one. If only its answer is lost, they
 * are sent again, and the store has each once.
 */
public final class FigureFlush implements AutoCloseable {
    private final FigureRecorder recorder;
    private List<FigureRow> taken = List.of();

    FigureFlush(FigureRecorder recorder) {
        this.recorder = recorder;
    }

    /** Writes what is over by now; also if the transaction is run again. */
    public void into(StoreTransaction tx, long now) {
        recorder.putBack(taken);
        write(tx, recorder.take(now));
    }

    /** Writes all that has been counted. */
    public void allInto(StoreTransaction tx, long now) {
        recorder.putBack(taken);
        write(tx, recorder.takeAll(now));
    }

    private void write(StoreTransaction tx, List<FigureRow> rows) {
        taken = rows;
        if (!rows.isEmpty()) {
            tx.figures().add(rows);
        }
    }

    /** The transaction is committed. */
    public void done() {
        taken = List.of();
    }

    /** Puts back what is not written. */
    @Override
    public void close() {
        recorder.putBack(taken);
        taken = List.of();
    }
}

package dev.headgate;

import dev.headgate.figure.FigureFilter;
import dev.headgate.figure.FigureReport;
import dev.headgate.figure.FigureSeries;
import dev.headgate.internal.figure.ReadFigures;
import dev.headgate.spi.Backend;
import java.util.List;

/**
 * What happened in the store over time, in all processes: for looking at, not for proof; the journal of a gate proves. An interval is
 * there some ten to twenty seconds after it ended. Of a process that is killed the last intervals may be missing. Reads only.
 * Thread-safe.
 */
public final class Figures {
    private final Backend backend;

    Figures(Backend backend) {
        this.backend = backend;
    }

    /**
     * The figures of a range of time.
     *
     * @throws IllegalArgumentException if the filter asks for intervals shorter than 10 minutes of what is older than 24 hours
     */
    public FigureReport read(FigureFilter filter) {
        return backend.read(tx -> ReadFigures.report(tx, filter));
    }

    /**
     * All that was ever counted, as series of one point each; {@code inUse} is as of about 20 seconds ago. Of each kind the same few
     * series, whatever names jobs use, and no count ever falls: what monitoring systems expect of counters.
     */
    public List<FigureSeries> totals() {
        return backend.read(ReadFigures::totals);
    }
}

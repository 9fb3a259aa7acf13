package dev.headgate.internal.gate;

import dev.headgate.internal.admission.ClaimPlan;
import dev.headgate.internal.admission.ClaimPlan.Head;
import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.job.ParkReason;
import dev.headgate.spi.HeadRow;
import dev.headgate.spi.HeadRow.Standing;
import dev.headgate.spi.StoreTransaction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Jobs that a claim finds and parks, so that those behind them can start: of a paused type, too big ever to start, or steps of
 * a run that is paused or has ended.
 */
public final class ParkedByClaim {
    private final StoreTransaction tx;
    private final PolicyBook book;
    private final Map<Long, String> paused = new LinkedHashMap<>();
    private final Map<Long, String> gone = new LinkedHashMap<>();

    public ParkedByClaim(StoreTransaction tx, PolicyBook book) {
        this.tx = tx;
        this.book = book;
    }

    /** Notes the jobs to park and returns the others. */
    public List<Head> unpaused(List<HeadRow> rows) {
        List<Head> heads = new ArrayList<>(rows.size());
        for (HeadRow row : rows) {
            if (book.isTypePaused(row.type())) {
                paused.put(row.job(), "job type '%s' is paused".formatted(row.type()));
            } else if (row.standing() == Standing.HELD) {
                paused.put(row.job(), "its workflow run is paused, or stopped by its budget");
            } else if (row.standing() == Standing.GONE) {
                gone.put(row.job(), "its workflow run no longer needs it");
            } else {
                heads.add(new Head(row.job(), row.rank(), row.cost(), row.type()));
            }
        }
        return heads;
    }

    public boolean hasAny() {
        return !paused.isEmpty() || !gone.isEmpty();
    }

    public void save(ClaimPlan plan, long now) {
        if (!plan.impossibleJobs().isEmpty()) {
            Map<Long, String> details = new LinkedHashMap<>();
            plan.impossibleJobs()
                    .forEach(misfit -> details.put(misfit.job(), misfit.reason().toString()));
            tx.jobs().park(details, ParkReason.NEVER_FITS);
        }
        if (!paused.isEmpty()) {
            tx.jobs().park(paused, ParkReason.PAUSED);
        }
        if (!gone.isEmpty()) {
            tx.jobs().endWaiting(gone, now);
        }
    }
}

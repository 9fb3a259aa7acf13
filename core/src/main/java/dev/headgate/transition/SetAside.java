package dev.headgate.transition;

import dev.headgate.admission.ClaimPlan;
import dev.headgate.admission.ClaimPlan.Head;
import dev.headgate.admission.PolicyBook;
import dev.headgate.job.ParkReason;
import dev.headgate.store.HeadRow;
import dev.headgate.store.StoreTransaction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Jobs that a claim meets and parks, so that those behind them go on: of a paused type, or too big ever to start. */
final class SetAside {
    private final StoreTransaction tx;
    private final PolicyBook book;
    private final Map<Long, String> paused = new LinkedHashMap<>();

    SetAside(StoreTransaction tx, PolicyBook book) {
        this.tx = tx;
        this.book = book;
    }

    /** Those whose type is not paused. */
    List<Head> unpaused(List<HeadRow> rows) {
        List<Head> heads = new ArrayList<>(rows.size());
        for (HeadRow row : rows) {
            if (book.isTypePaused(row.type())) {
                paused.put(row.job(), "job type '%s' is paused".formatted(row.type()));
            } else {
                heads.add(new Head(row.job(), row.rank(), row.cost()));
            }
        }
        return heads;
    }

    boolean hasPaused() {
        return !paused.isEmpty();
    }

    void save(ClaimPlan plan) {
        if (!plan.misfits().isEmpty()) {
            Map<Long, String> details = new LinkedHashMap<>();
            plan.misfits()
                    .forEach(misfit -> details.put(misfit.job(), misfit.reason().toString()));
            tx.jobs().park(details, ParkReason.NEVER_FITS);
        }
        if (!paused.isEmpty()) {
            tx.jobs().park(paused, ParkReason.PAUSED);
        }
    }
}

package dev.headgate.internal.query;

import dev.headgate.job.JobCursor;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobPage;
import dev.headgate.job.JobSearch;
import dev.headgate.job.JobState;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.DemandTable.InLine;
import dev.headgate.spi.JobMatch;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.StoreTransaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Lists the jobs that wait because of a gate, in the order of its line. */
final class LinePage {
    /** Jobs that one look reads at most to find those that match. */
    private static final int SEARCH_MAX = 500;

    private LinePage() {}

    static JobPage page(StoreTransaction tx, JobFilter filter) {
        if (filter.state() != null && filter.state() != JobState.QUEUED) {
            return JobPage.NONE;
        }
        GateKey gate = GateKey.gate(Objects.requireNonNull(filter.gate()).name());
        boolean isSearch = filter.type() != null || !filter.search().equals(JobSearch.ALL);
        int look = isSearch ? Math.max(SEARCH_MAX, filter.limit()) : filter.limit();
        List<InLine> line = tx.demand().line(gate, filter.queue(), place(filter.after()), look);
        Map<Long, JobRow> rows = new HashMap<>();
        tx.jobs().findAll(line.stream().map(InLine::job).toList()).forEach(row -> rows.put(row.id(), row));
        List<JobRow> found = new ArrayList<>();
        InLine last = null;
        for (InLine each : line) {
            JobRow row = rows.get(each.job());
            last = each;
            boolean isWanted = row != null
                    && JobMatch.isWanted(filter, row.spec(), row.state())
                    && Sought.is(filter.search(), JobStatuses.status(row));
            if (isWanted) {
                found.add(row);
            }
            if (found.size() == filter.limit()) {
                break;
            }
        }
        boolean isFull = found.size() == filter.limit();
        JobCursor next =
                last == null || (!isFull && line.size() < look) ? null : JobCursor.behind(last.rank(), last.job());
        return new JobPage(JobStatuses.live(tx, found), next, next != null && !isFull, isSearch ? line.size() : 0);
    }

    private static InLine place(@Nullable JobCursor after) {
        return after == null || after.rank() == null ? InLine.FIRST : new InLine(after.id(), after.rank());
    }
}

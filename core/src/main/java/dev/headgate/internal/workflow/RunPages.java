package dev.headgate.internal.workflow;

import dev.headgate.run.RunFilter;
import dev.headgate.run.RunId;
import dev.headgate.run.RunPage;
import dev.headgate.run.RunStatus;
import dev.headgate.spi.FrameRow;
import dev.headgate.spi.FrameTable;
import dev.headgate.spi.FrameTable.RunKind;
import dev.headgate.spi.StoreTransaction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/** Lists runs in looks that are short however many runs there are. */
final class RunPages {
    /** Runs of each kind that one look passes at most. */
    private static final int LOOK_MAX = 50_000;

    private RunPages() {}

    static RunPage page(StoreTransaction tx, RunFilter filter) {
        return page(tx, filter, LOOK_MAX);
    }

    static RunPage page(StoreTransaction tx, RunFilter filter, int look) {
        FrameTable frames = tx.frames();
        long floor = Long.MIN_VALUE;
        List<FrameRow> found = new ArrayList<>();
        for (RunKind each : kinds(filter)) {
            List<FrameRow> rows = frames.list(each, filter, look);
            found.addAll(rows);
            Long lowest = isSearch(filter) && rows.size() < filter.limit() ? frames.floor(each, filter, look) : null;
            floor = lowest == null ? floor : Math.max(floor, lowest);
        }
        long passed =
                floor; // of two lists one may reach further down: what is below the other's floor is for the next look
        found.removeIf(row -> row.id() < passed);
        found.sort(Comparator.comparingLong(FrameRow::id).reversed());
        List<FrameRow> rows = found.subList(0, Math.min(filter.limit(), found.size()));
        boolean isFull = rows.size() == filter.limit();
        RunId next = isFull ? RunId.of(rows.getLast().id()) : floor == Long.MIN_VALUE ? null : RunId.of(floor);
        return new RunPage(RunStatuses.of(tx, rows), next, next != null && !isFull);
    }

    /** All that match up to the filter's limit, in as many looks as that takes. */
    static List<RunStatus> all(RunFilter filter, Function<RunFilter, RunPage> look) {
        List<RunStatus> found = new ArrayList<>();
        RunFilter rest = filter;
        RunPage page;
        do {
            page = look.apply(rest.limit(filter.limit() - found.size()));
            found.addAll(page.runs());
            rest = page.next() == null ? rest : rest.before(page.next());
        } while (page.next() != null && found.size() < filter.limit());
        return List.copyOf(found);
    }

    private static List<RunKind> kinds(RunFilter filter) {
        if (!filter.labels().isEmpty()) {
            return List.of(RunKind.LABELLED);
        }
        return filter.workflow() == null ? List.of(RunKind.ROOTS) : List.of(RunKind.ROOTS, RunKind.CHILD_RUNS);
    }

    /** Whether a run may have to be looked at that is not wanted. */
    private static boolean isSearch(RunFilter filter) {
        return filter.workflow() != null
                || filter.state() != null
                || !filter.labels().isEmpty();
    }
}

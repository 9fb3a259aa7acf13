package dev.headgate.testkit.memory;

import dev.headgate.run.RunFilter;
import dev.headgate.run.RunState;
import dev.headgate.spi.FrameRow;
import dev.headgate.spi.FrameTable.RunKind;
import java.util.List;
import java.util.NavigableMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Pages of runs. */
record RunListing(NavigableMap<Long, FrameRow> frames, RunKind kind, RunFilter filter) {
    List<FrameRow> list(int look) {
        return newest().limit(look)
                .filter(row -> filter.workflow() == null
                        ? row.tree().parent() == null
                        : filter.workflow().equals(row.program().workflow()))
                .filter(row -> filter.state() == null || filter.state() == row.shown(haltOf(row)))
                .filter(row -> row.program().attributes().hasLabels(filter.labels()))
                .limit(filter.limit())
                .toList();
    }

    @Nullable
    Long floor(int look) {
        return newest().skip(look - 1).map(FrameRow::id).findFirst().orElse(null);
    }

    private Stream<FrameRow> newest() {
        long before = filter.before() == null ? Long.MAX_VALUE : filter.before();
        return frames.headMap(before, false).descendingMap().values().stream().filter(row -> switch (kind) {
            case ROOTS -> row.tree().parent() == null;
            case CHILD_RUNS ->
                row.tree().parent() != null
                        && row.isRun()
                        && row.program().workflow().equals(filter.workflow());
            case LABELLED -> row.isRun() && !row.program().attributes().labels().isEmpty();
        });
    }

    private @Nullable RunState haltOf(FrameRow row) {
        FrameRow root = frames.get(row.tree().root());
        return root == null ? null : root.guard().halt();
    }
}

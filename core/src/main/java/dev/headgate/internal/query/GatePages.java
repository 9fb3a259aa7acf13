package dev.headgate.internal.query;

import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GateKey.Scope;
import dev.headgate.spi.GateRow;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.status.Overview.GateView;
import dev.headgate.status.QueueCount;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Gates page by page, and single ones. */
final class GatePages {
    /** As stores sort them. */
    private static final Comparator<GateKey> ORDER = (a, b) -> Arrays.compareUnsigned(
            a.name().getBytes(StandardCharsets.UTF_8), b.name().getBytes(StandardCharsets.UTF_8));

    private GatePages() {}

    /** Gates with a row, and exact policies that no job has met yet, by name. */
    static List<GateView> read(StoreTransaction tx, @Nullable String after, int limit) {
        Map<GateKey, GateRow> rows = new TreeMap<>(ORDER);
        GateKey before = after == null ? null : GateKey.gate(after);
        tx.policies().entries().forEach((key, entry) -> {
            boolean isSilent = entry.override() == null && entry.lasting().isSilent();
            boolean isNext = before == null || ORDER.compare(before, key) < 0;
            if (key.scope() == Scope.GATE && !isSilent && !key.isPattern() && isNext) {
                rows.put(key, GateRow.fresh(key));
            }
        });
        GateKey from = before;
        List<GateRow> page;
        boolean isPast = false;
        int found = 0;
        do {
            page = tx.gates().list(from, limit);
            for (GateRow row : page) {
                from = row.key();
                if (row.key().scope() == Scope.GATE) {
                    rows.put(row.key(), row);
                    found++;
                } else {
                    isPast |= found > 0; // rows of one scope stand together
                }
            }
        } while (found < limit && !isPast && page.size() == limit);
        List<GateRow> first = rows.values().stream().limit(limit).toList();
        return ReadOverview.views(tx, first, QueueCount.COUNTED_MAX, tx.now());
    }

    /** One gate or queue; absent if it was never used and no policy covers it. */
    static @Nullable GateView find(StoreTransaction tx, GateKey key) {
        List<GateRow> rows = tx.gates().findAll(List.of(key));
        if (rows.isEmpty()) {
            PolicyBook book = tx.policies();
            boolean isCovered = book.entries().entrySet().stream()
                    .anyMatch(entry ->
                            !entry.getValue().isNothing() && entry.getKey().covers(key));
            if (!isCovered) {
                return null;
            }
            rows = List.of(GateRow.fresh(key));
        }
        return ReadOverview.views(tx, rows, QueueCount.COUNTED_MAX, tx.now()).getFirst();
    }
}

package dev.headgate.internal.query;

import dev.headgate.spi.EdgeTable.OpenEdge;
import dev.headgate.spi.StoreTransaction;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/** Says what jobs wait for: {@code waiting for job 12 (running), job 13 (queued) and 4 more}. */
final class WaitingText {
    static final int NAMED_MAX = 5;

    private WaitingText() {}

    /** By the job that waits; one with nothing to wait for is left out. */
    static Map<Long, String> texts(StoreTransaction tx, Collection<Long> jobs) {
        Map<Long, StringJoiner> named = new LinkedHashMap<>();
        Map<Long, Integer> open = new LinkedHashMap<>();
        for (OpenEdge edge : tx.edges().open(jobs, NAMED_MAX)) {
            String state = edge.state() == null ? "ended" : edge.state().name().toLowerCase(Locale.ROOT);
            named.computeIfAbsent(edge.job(), job -> new StringJoiner(", "))
                    .add("job %d (%s)".formatted(edge.dependency(), state));
            open.put(edge.job(), edge.open());
        }
        Map<Long, String> texts = new LinkedHashMap<>();
        named.forEach((job, names) -> {
            int more = open.getOrDefault(job, 0) - NAMED_MAX;
            texts.put(job, "waiting for %s%s".formatted(names, more > 0 ? " and %d more".formatted(more) : ""));
        });
        return texts;
    }
}

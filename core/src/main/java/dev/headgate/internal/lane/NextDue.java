package dev.headgate.internal.lane;

import dev.headgate.internal.text.Served;
import dev.headgate.spi.Pending;
import dev.headgate.spi.StoreTransaction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** When the next job of some queues is due by its own time. */
public final class NextDue {
    private NextDue() {}

    /**
     * As {@link dev.headgate.spi.JobTable#nextDue}.
     *
     * @param queues names and patterns
     */
    public static Pending<Optional<Long>> of(StoreTransaction tx, Collection<String> queues) {
        Served served = Served.of(queues);
        Pending<Optional<Long>> named = tx.jobs().nextDue(served.names());
        if (!served.hasPatterns()) {
            return named;
        }
        List<Pending<Optional<Long>>> all = new ArrayList<>(List.of(named));
        served.prefixes().forEach(prefix -> all.add(tx.demand().nextDue(prefix)));
        return Pending.from(
                () -> all.stream().flatMap(each -> each.get().stream()).min(Long::compare));
    }
}

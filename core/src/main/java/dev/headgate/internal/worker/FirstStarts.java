package dev.headgate.internal.worker;

import dev.headgate.internal.lease.EndedLease;
import dev.headgate.internal.time.Nanos;
import dev.headgate.job.Outcome;
import dev.headgate.spi.JobRow;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The job types that this worker has not run yet. The first call of a process takes far longer than all others: classes
 * are loaded, a client is built, a connection is opened. So the first start of a type that has a margin goes alone, and
 * its margin is a second at least; the next ones start when it has ended, or after that second. Used by
 * the claim loop only.
 */
final class FirstStarts {
    private static final Duration ALONE = Duration.ofSeconds(1);

    /** The least margin of a first start, in microseconds. */
    static final long MARGIN_MICROS = Nanos.of(ALONE) / 1_000;

    private final Supplier<Set<String>> types;
    private final Set<String> known = new HashSet<>();
    private final Map<String, Long> underWay = new HashMap<>();

    /** @param types whose starts are made one by one; the members of a batch start together anyway */
    FirstStarts(Supplier<Set<String>> types) {
        this.types = types;
    }

    /** The types whose next start would be the first one, at this reading of the ticker. */
    Set<String> awaited(long now) {
        underWay.entrySet().removeIf(start -> left(start.getValue(), now) <= 0 && known.add(start.getKey()));
        Set<String> awaited = new HashSet<>(types.get());
        awaited.removeAll(known);
        return awaited;
    }

    /** Whether the first start of this type was granted and has not ended. */
    boolean isUnderWay(String type) {
        return underWay.containsKey(type);
    }

    /** For how long the first starts under way still go alone; negative if there are none. */
    long leftNanos(long now) {
        long least = -1;
        for (long granted : underWay.values()) {
            long left = Math.max(0, left(granted, now));
            least = least < 0 ? left : Math.min(least, left);
        }
        return least;
    }

    private static long left(long granted, long now) {
        return Nanos.of(ALONE) - (now - granted);
    }

    /** A turn has granted these. */
    void granted(List<JobRow> rows, Set<String> awaited, long nanos) {
        if (awaited.isEmpty()) {
            return;
        }
        for (JobRow row : rows) {
            String type = row.spec().type();
            if (row.lease().margin() > 0 && awaited.contains(type)) {
                underWay.putIfAbsent(type, nanos);
            }
        }
    }

    /** These have ended. A late one did not run, so that the next start of its type is the first one. */
    void ended(List<EndedLease> all) {
        for (EndedLease each : all) {
            String type = each.lease().spec().type();
            underWay.remove(type);
            if (!(each.outcome() instanceof Outcome.Late)) {
                known.add(type);
            }
        }
    }
}

package dev.headgate.internal.operate;

import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.time.Micros;
import dev.headgate.internal.workflow.PruneRuns;
import dev.headgate.limit.Retention;
import dev.headgate.spi.Backend;
import dev.headgate.spi.EndedRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Deletes jobs and runs whose retention is over, each by what is stored for its queue: see {@link PolicyBook#retentionFor}.
 *
 * <p>Design note: a pass goes on where the last one of this process ended, so that what is kept longer, and lies between what
 * goes, is not read again and again. Now and then, and at first, one goes all the way: something live may have needed a job
 * that it passed by. Not thread-safe.
 */
public final class PruneEnded {
    private static final long ALL_THE_WAY_EVERY = 3_600 * Micros.PER_SECOND;

    private final Backend backend;
    private Map<EndedRange, Long> ends = new HashMap<>();
    private @Nullable Long beganAt;
    private Retention shortest = Retention.DEFAULT;

    public PruneEnded(Backend backend) {
        this.backend = backend;
    }

    /** What is stored, at an instant. */
    private record Look(PolicyBook book, long now) {}

    /** Answers how many jobs went. */
    public int run() {
        Look look = backend.read(tx -> new Look(tx.policies(), tx.now()));
        shortest = look.book.commonRetention();
        if (beganAt == null || look.now - beganAt >= ALL_THE_WAY_EVERY || look.now < beganAt) {
            beganAt = look.now;
            ends.clear();
        }
        Map<EndedRange, Long> done = new HashMap<>();
        int gone = 0;
        for (EndedRange range : ranges(look)) {
            EndedRange whose = range.between(0, 0); // of which queues, at any time
            long from = ends.getOrDefault(whose, Long.MIN_VALUE);
            EndedRange left = range.between(Math.min(from, range.before()), range.before());
            PruneRuns.run(backend, left);
            gone += PruneJobs.run(backend, left);
            done.put(whose, range.before());
        }
        ends = done;
        return gone;
    }

    private List<EndedRange> ranges(Look look) {
        List<EndedRange> ranges = new ArrayList<>();
        Set<String> named = new HashSet<>();
        look.book.retentions().forEach((retention, queues) -> {
            named.addAll(queues);
            shortest = shortest.isLongerThan(retention) ? retention : shortest;
            add(ranges, retention, queues, true, look.now);
        });
        add(ranges, look.book.commonRetention(), named, false, look.now);
        return ranges;
    }

    private static void add(
            List<EndedRange> ranges, Retention retention, Set<String> queues, boolean isAmong, long now) {
        Long before = retention.before(now);
        if (before != null) {
            ranges.add(new EndedRange(Long.MIN_VALUE, before, queues, isAmong));
        }
    }

    /** The shortest that the last run found; absent if all is kept for ever. */
    public @Nullable Duration shortest() {
        return shortest.span();
    }
}

package dev.headgate.internal.evidence;

import dev.headgate.evidence.Verification.Finding;
import dev.headgate.internal.time.Micros;
import dev.headgate.spi.JournalTable.Entry;
import dev.headgate.spi.JournalTable.Kind;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Holds the starts that history has against those of the journal: each job that started while the gate kept a journal must be in a row
 * of that instant. It takes 24 bytes for each of them.
 */
final class StartsCheck {
    /** How far the clock may have stepped back: a start that is closer to the end of a journal is not looked for. */
    private static final long STEP_MAX = 2 * Micros.PER_SECOND;

    private final PolicyCheck policies;
    private final long[] instants;
    private final long[] starts;
    private final long[] missing;
    private long begins = Long.MAX_VALUE;

    /** @param started when jobs of history started at this gate, in any order, one for each start */
    StartsCheck(long[] started, PolicyCheck policies) {
        this.policies = policies;
        long[] sorted = started.clone();
        Arrays.sort(sorted);
        long[] counts = new long[sorted.length];
        int last = -1;
        for (long instant : sorted) {
            if (last < 0 || sorted[last] != instant) {
                sorted[++last] = instant;
            }
            counts[last]++;
        }
        this.instants = Arrays.copyOf(sorted, last + 1);
        this.starts = Arrays.copyOf(counts, last + 1);
        this.missing = starts.clone();
    }

    /** What started before the first row is not looked for: it may have been in rows that were deleted in their time. */
    void look(Entry entry) {
        if (begins == Long.MAX_VALUE && entry.link().number() > 0) {
            begins = entry.link().number() == 1
                    ? entry.event().at()
                    : entry.event().at() + STEP_MAX;
        }
        if (entry.event().kind() == Kind.START) {
            int at = Arrays.binarySearch(instants, entry.event().startedAt());
            if (at >= 0) {
                missing[at] -= entry.event().starts();
            }
        }
    }

    private boolean isAsked(int at) {
        return instants[at] >= begins && policies.isJournaled(instants[at], STEP_MAX);
    }

    /** How many starts of history were looked for. */
    long compared() {
        long all = 0;
        for (int i = 0; i < instants.length; i++) {
            all += isAsked(i) ? starts[i] : 0;
        }
        return all;
    }

    /** The first start that no row has; absent if there is none. */
    @Nullable
    Finding finding() {
        long all = 0;
        int first = -1;
        for (int i = 0; i < instants.length; i++) {
            if (missing[i] > 0 && isAsked(i)) {
                all += missing[i];
                first = first < 0 ? i : first;
            }
        }
        return first < 0
                ? null
                : new Finding(
                        Finding.Kind.HISTORY,
                        0,
                        0,
                        Micros.instant(instants[first]),
                        all == 1
                                ? "history has a job that started then, and no row has that start"
                                : "history has a job that started then, and no row has that start; nor %d others"
                                        .formatted(all - 1));
    }
}

package dev.headgate.internal.worker;

import dev.headgate.internal.admission.JobFit;
import dev.headgate.internal.lease.EndedLease;
import dev.headgate.internal.lease.Turn;
import dev.headgate.spi.JobRow;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How many starts with a margin a worker asks for: fewer while it keeps missing margins, and one of each type that it
 * has not run yet. Used by the claim loop only.
 */
final class StartPacing {
    private final LateStartControl lateStartControl;
    private final FirstStarts firsts;
    private Set<String> awaited = Set.of();
    private @Nullable PacedFit bound;
    private boolean isResting;
    private boolean hasGranted;
    private PacedFit.Passed passed = PacedFit.Passed.NONE;

    /** @param types that do not run in batches */
    StartPacing(LateStartControl lateStartControl, Supplier<Set<String>> types) {
        this.lateStartControl = lateStartControl;
        this.firsts = new FirstStarts(types);
    }

    /** What a turn that is sent now may start, within this capacity. */
    JobFit fit(JobFit room, long now) {
        int most = lateStartControl.most(now);
        isResting = most == 0;
        awaited = firsts.awaited(now);
        bound = most == LateStartControl.UNBOUND && awaited.isEmpty()
                ? null
                : new PacedFit(room, most, awaited, firsts::isUnderWay, passed);
        return bound == null ? room : bound;
    }

    /** That turn has granted these. */
    void granted(Turn turn) {
        int timed = 0;
        for (JobRow row : turn.started()) {
            timed += row.lease().margin() > 0 ? 1 : 0;
        }
        hasGranted = timed > 0;
        lateStartControl.granted(turn.grantedNanos(), timed);
        firsts.granted(turn.started(), awaited, turn.grantedNanos());
    }

    /** These leases have ended. */
    void ended(List<EndedLease> all) {
        firsts.ended(all);
    }

    /** Notes what that turn has passed over. Returns what it has passed over for other reasons. */
    Turn.Passed note(Turn.Passed all) {
        passed = bound == null ? PacedFit.Passed.NONE : bound.passed(all);
        return bound == null ? all : bound.others(all);
    }

    /** Whether the latest turn has passed over a job that could start. */
    boolean hasPassed() {
        return !passed.jobs().isEmpty();
    }

    /**
     * After how many nanoseconds to look again at what the latest turn passed over. Negative if time does not matter:
     * then the granted starts wake the worker when they are reached or end. 0 if the reason for passing over may be
     * gone by now, because no other event would tell.
     */
    long lookAgain(long now) {
        if (!hasPassed()) {
            return -1;
        }
        if (isResting) {
            return lateStartControl.restLeft(now);
        }
        long alone = firsts.leftNanos(now);
        return alone < 0 && !hasGranted ? 0 : alone;
    }
}

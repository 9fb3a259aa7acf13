package dev.headgate.internal.worker;

import dev.headgate.internal.admission.Fit;
import dev.headgate.internal.lease.LeaseEnd;
import dev.headgate.internal.lease.Turn;
import dev.headgate.spi.JobRow;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How many starts with a margin a worker asks for: fewer while it keeps missing margins, and one of each type that it has
 * not run yet. Used by the dispatcher's loop only.
 */
final class StartPacing {
    private final LateStartControl punctuality;
    private final FirstStarts firsts;
    private Set<String> awaited = Set.of();
    private @Nullable LateStartFit bound;
    private boolean isResting;
    private boolean hasGranted;
    private LateStartFit.Passed passed = LateStartFit.Passed.NONE;

    /** @param types those that do not run in batches */
    StartPacing(LateStartControl punctuality, Supplier<Set<String>> types) {
        this.punctuality = punctuality;
        this.firsts = new FirstStarts(types);
    }

    /** What a turn that is sent now may start, of what there is room for. */
    Fit fit(Fit room, long now) {
        int most = punctuality.most(now);
        isResting = most == 0;
        awaited = firsts.awaited(now);
        bound = most == LateStartControl.UNBOUND && awaited.isEmpty()
                ? null
                : new LateStartFit(room, most, awaited, firsts::isUnderWay, passed);
        return bound == null ? room : bound;
    }

    /** That turn has granted these. */
    void granted(Turn turn) {
        int timed = 0;
        for (JobRow row : turn.started()) {
            timed += row.lease().margin() > 0 ? 1 : 0;
        }
        hasGranted = timed > 0;
        punctuality.granted(turn.grantedNanos(), timed);
        firsts.granted(turn.started(), awaited, turn.grantedNanos());
    }

    /** These leases have ended. */
    void ended(List<LeaseEnd> all) {
        firsts.ended(all);
    }

    /** Notes what that turn has passed over. Returns what it has passed over for other reasons. */
    Turn.Passed note(Turn.Passed all) {
        passed = bound == null ? LateStartFit.Passed.NONE : bound.passed(all);
        return bound == null ? all : bound.others(all);
    }

    /** Whether the latest turn has passed over anything that could start. */
    boolean hasPassed() {
        return !passed.jobs().isEmpty();
    }

    /**
     * In how many nanoseconds to look again at what the latest turn passed over; negative if that is not a matter of time: then
     * what it granted tells when it is reached or ends. What kept that turn back may be over by now, and no other event would
     * tell: then at once.
     */
    long lookAgain(long now) {
        if (!hasPassed()) {
            return -1;
        }
        if (isResting) {
            return punctuality.restLeft(now);
        }
        long alone = firsts.leftNanos(now);
        return alone < 0 && !hasGranted ? 0 : alone;
    }
}

package dev.headgate.internal.admission;

import dev.headgate.explain.Decision;
import dev.headgate.explain.Decision.Cause.AtLimit;
import dev.headgate.explain.Decision.Cause.Reserved;
import dev.headgate.internal.admission.GateState.Reservation;
import dev.headgate.internal.admission.InUse.KeptFree;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.GateKey;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Says why a gate blocks a job. Apart from the decision itself, which is asked for far more often. */
record Refusal(GateKey key, Meters meters, GateClosure closure, InUse inUse) {
    /** @param kept a reservation for an older lane: the reason if no other applies */
    Decision of(Waiter asker, @Nullable Reservation kept, long clock) {
        long opens = meters.opens(clock, asker.cost(), inUse, KeptFree.NOTHING);
        if (opens == Meter.NEVER) {
            Meter refusing = meters.firstWith(opens, clock, asker.cost(), inUse);
            return new Decision.NeverFits(key, refusing.limit(), asker.cost(), refusing.most());
        }
        Decision.Blocked shut = closure.blocks(key, clock);
        if (shut != null && (opens == Meter.UNTIL_RELEASE || opens <= closure.opens(clock))) {
            return shut;
        }
        if (opens > clock) {
            Meter slowest = meters.firstWith(opens, clock, asker.cost(), inUse);
            return new Decision.Blocked(
                    key,
                    new AtLimit(
                            slowest.limit(),
                            slowest.used(clock, inUse),
                            slowest.most(),
                            slowest.figures(clock, asker.cost(), inUse)),
                    opens == Meter.UNTIL_RELEASE ? null : Micros.instant(opens));
        }
        long until = Objects.requireNonNull(kept, "what no limit stops is kept for an older one")
                .until();
        return new Decision.Blocked(key, new Reserved(), Micros.instant(until));
    }
}

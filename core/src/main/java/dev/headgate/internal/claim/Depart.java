package dev.headgate.internal.claim;

import dev.headgate.internal.admission.ClaimPlan;
import dev.headgate.internal.admission.ClaimPlan.Grant;
import dev.headgate.internal.admission.ClaimPlan.Head;
import dev.headgate.internal.admission.ClaimPlan.Offer;
import dev.headgate.internal.admission.GateLedger;
import dev.headgate.internal.admission.Start;
import dev.headgate.internal.gate.LineHeads;
import dev.headgate.internal.gate.LockedGates;
import dev.headgate.internal.lease.Departure;
import dev.headgate.internal.lease.LeaseRelease;
import dev.headgate.internal.time.Ticker;
import dev.headgate.job.JobSpec;
import dev.headgate.job.Lane;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.JobTable.LeaseRef;
import dev.headgate.spi.ReleasedRow;
import dev.headgate.spi.StoreTransaction;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Takes a new start for a running job whose call would come too late for the old start: gives the old one up and asks all limits
 * again, in one transaction. Lines do not matter, because the job has its place already. Locks the queue, the gates in key
 * order and then the job, as a turnaround does.
 */
public final class Depart {
    /** When to ask again if only a release or an operator can let it start. */
    private static final long LOOK_MICROS = 100_000;

    private Depart() {}

    public static Departure run(StoreTransaction tx, Ticker ticker, JobRow lease) {
        JobSpec spec = lease.spec();
        Lane lane = spec.lane();
        List<GateKey> gates = GateKey.gatesOf(lane);
        GrantClock clock =
                new GrantClock(ticker); // here, because the time may come along with the policies or the locks
        LockedGates ledgers = new LockedGates(tx);
        ledgers.lockGates(gates, ledgers.lockQueues(List.of(lane.queue())));
        long now = tx.now();
        if (!clock.isFresh()) {
            clock.asking();
            now = tx.now();
        }
        LeaseRef ref = new LeaseRef(lease.id(), lease.lease().epoch());
        String worker = Objects.requireNonNull(lease.lease().worker(), "a leased job has a worker");
        List<ReleasedRow> held = tx.jobs().held(worker, List.of(ref));
        if (held.isEmpty()) {
            return new Departure.Gone();
        }
        Grant grant = restart(tx, ledgers, held.getFirst(), spec, gates, now);
        if (grant == null) {
            return new Departure.Denied(wait(ledgers, spec, now)); // nothing was saved
        }
        LineHeads.refresh(ledgers);
        ledgers.save(now);
        Start anew = new Start(now, grant.margin());
        tx.jobs().depart(worker, ref, anew);
        return new Departure.Granted(lease.departing(anew), clock.askedNanos());
    }

    /**
     * The time until all its gates are open; {@link #LOOK_MICROS} if time alone does not open one of them. If all are open,
     * its queue or its type is paused, and that is {@link #LOOK_MICROS} too.
     */
    private static long wait(LockedGates ledgers, JobSpec spec, long now) {
        long latest = now;
        for (GateLedger gate : ledgers.byKey().values()) {
            long opens = gate.opens(gate.key().unitsOf(spec.cost()), now);
            latest = Math.max(latest, opens >= GateLedger.UNTIL_RELEASE ? now + LOOK_MICROS : opens);
        }
        return latest > now ? latest - now : LOOK_MICROS;
    }

    private static @Nullable Grant restart(
            StoreTransaction tx, LockedGates ledgers, ReleasedRow row, JobSpec spec, List<GateKey> gates, long now) {
        Lane lane = spec.lane();
        if (tx.policies().isPaused(GateKey.queue(lane.queue())) || tx.policies().isTypePaused(spec.type())) {
            return null;
        }
        ledgers.sharing().meet(List.of(lane));
        ledgers.release(row, LeaseRelease.GIVEN_UP, now);
        Head head = new Head(row.job(), row.rank(), row.cost(), spec.type());
        Offer offer = new Offer(lane.id(), lane.queue(), gates, List.of(head), false, 0);
        return new ClaimPlan(now, 1, ledgers.byKey()).restart(offer);
    }
}

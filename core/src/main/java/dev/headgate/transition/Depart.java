package dev.headgate.transition;

import dev.headgate.admission.ClaimPlan;
import dev.headgate.admission.ClaimPlan.Grant;
import dev.headgate.admission.ClaimPlan.Head;
import dev.headgate.admission.ClaimPlan.Offer;
import dev.headgate.admission.GateKey;
import dev.headgate.admission.GateLedger;
import dev.headgate.admission.Start;
import dev.headgate.job.JobSpec;
import dev.headgate.job.Lane;
import dev.headgate.store.JobRow;
import dev.headgate.store.JobTable.LeaseRef;
import dev.headgate.store.ReleasedRow;
import dev.headgate.store.StoreTransaction;
import dev.headgate.time.Ticker;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Takes a new start for a running job whose call would come too late for the old one: gives the old one up and asks all its
 * limits as of now, in one transaction. The line does not matter, because the job has its place already. Locks its queue,
 * its gates in key order and then its row, as a turnaround does.
 */
final class Depart {
    /** For how long after it was asked for a reading of the store's clock serves. */
    private static final long FRESH_NANOS = 1_000_000;

    /** When to look again if only a release or a person can let it start. */
    private static final long LOOK_MICROS = 100_000;

    private Depart() {}

    static Departure run(StoreTransaction tx, Ticker ticker, JobRow lease) {
        JobSpec spec = lease.spec();
        Lane lane = spec.lane();
        List<GateKey> gates = GateKey.gatesOf(lane);
        long asked = ticker.nanos(); // the time may come along with the policies or the locks
        Ledgers ledgers = new Ledgers(tx);
        ledgers.lockGates(gates, ledgers.lockQueues(List.of(lane.queue())));
        long now = tx.now();
        if (ticker.nanos() - asked > FRESH_NANOS) {
            asked = ticker.nanos();
            now = tx.now();
        }
        LeaseRef ref = new LeaseRef(lease.id(), lease.epoch());
        String worker = Objects.requireNonNull(lease.worker(), "a leased job has a worker");
        List<ReleasedRow> held = tx.jobs().held(worker, List.of(ref));
        if (held.isEmpty()) {
            return new Departure.Gone();
        }
        Grant grant = restart(tx, ledgers, held.getFirst(), spec, gates, now);
        if (grant == null) {
            return new Departure.Denied(wait(ledgers, spec, now)); // nothing of the trial was saved
        }
        Lines.refresh(ledgers);
        ledgers.save(now);
        Start anew = new Start(now, grant.margin());
        tx.jobs().depart(worker, ref, anew);
        return new Departure.Granted(lease.departing(anew), asked);
    }

    /**
     * Until time opens all its gates; {@link #LOOK_MICROS} if something else must happen first. That is so too if all of them
     * are open: then its queue or its type is paused.
     */
    private static long wait(Ledgers ledgers, JobSpec spec, long now) {
        long latest = now;
        for (GateLedger gate : ledgers.byKey().values()) {
            long opens = gate.opens(gate.key().unitsOf(spec.cost()), now);
            latest = Math.max(latest, opens >= GateLedger.UNTIL_RELEASE ? now + LOOK_MICROS : opens);
        }
        return latest > now ? latest - now : LOOK_MICROS;
    }

    private static @Nullable Grant restart(
            StoreTransaction tx, Ledgers ledgers, ReleasedRow row, JobSpec spec, List<GateKey> gates, long now) {
        Lane lane = spec.lane();
        if (tx.policies().isPaused(GateKey.queue(lane.queue())) || tx.policies().isTypePaused(spec.type())) {
            return null;
        }
        ledgers.sharing().meet(List.of(lane));
        ledgers.release(row, Return.GIVEN_UP, now);
        Head head = new Head(row.job(), row.rank(), row.cost(), spec.type());
        Offer offer = new Offer(lane.id(), lane.queue(), gates, List.of(head), false, 0);
        return new ClaimPlan(now, 1, ledgers.byKey()).restart(offer);
    }
}

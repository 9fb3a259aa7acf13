package dev.headgate.internal.policy;

import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.enqueue.ImpossibleJobs;
import dev.headgate.internal.gate.LockedGates;
import dev.headgate.internal.lane.Arrivals;
import dev.headgate.internal.lease.OpenTurn;
import dev.headgate.internal.lease.Turn;
import dev.headgate.internal.time.Micros;
import dev.headgate.job.ParkReason;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.Pause;
import dev.headgate.policy.PolicyChange;
import dev.headgate.policy.PolicyVersion;
import dev.headgate.spi.Backend;
import dev.headgate.spi.HeadOfLane;
import dev.headgate.spi.JobTable.ParkedRow;
import dev.headgate.spi.PolicyTable.PauseRow;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.Wake;
import dev.headgate.store.CallerTransaction;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Every transition of the stored policies. Thread-safe. */
public final class PolicyStore {
    private final Backend backend;

    public PolicyStore(Backend backend) {
        this.backend = backend;
    }

    /** The policies in force now. */
    public PolicyBook read() {
        return backend.read(StoreTransaction::policies);
    }

    /**
     * Makes the edits one version; returns what changed, which may be nothing.
     *
     * @throws dev.headgate.policy.PolicyConflictException if a declaration differs from what is stored
     */
    public List<PolicyChange> change(PolicyRequest request) {
        return changed(tx -> ChangePolicy.run(tx, request));
    }

    /** Restores an older version as a new one; absent means the one before the latest change. */
    public List<PolicyChange> undo(@Nullable Long version, String author, String reason) {
        return undo(version, new PolicyRequest(new TreeMap<>(), author, reason));
    }

    /** The same by the author of a request without edits, and only if the version that it expects is the latest. */
    public List<PolicyChange> undo(@Nullable Long version, PolicyRequest request) {
        return changed(tx -> ChangePolicy.undo(tx, version, request));
    }

    /** What {@link #change} would change now, or what it would refuse; changes and locks nothing. */
    public List<PolicyChange> rehearse(PolicyRequest request) {
        return backend.read(tx -> ChangePolicy.rehearse(tx, request));
    }

    /** The newest versions first, at most {@code limit} of those before {@code before}. */
    public List<PolicyVersion> history(long before, int limit) {
        return backend.read(tx -> {
            long end = Math.min(before, tx.policies().version() + 1);
            return tx.policyTable().versions(end - limit - 1, end);
        });
    }

    public @Nullable PolicyVersion latestOf(GateKey key) {
        return backend.read(tx -> tx.policyTable().latestOf(key));
    }

    /** The same in the caller's transaction, on its connection. */
    public @Nullable PolicyVersion latestOf(CallerTransaction caller, GateKey key) {
        return backend.join(caller, tx -> tx.policyTable().latestOf(key));
    }

    /** Lets turns look at this queue for this long, in microseconds, whether or not it has limits. */
    public void count(GateKey queue, long span) {
        boolean isCounted = backend.read(tx -> tx.policies().isCountedUntil(queue, tx.now() + span));
        if (!isCounted) {
            changed(tx -> ChangePolicy.count(tx, queue, span));
        }
    }

    private List<PolicyChange> changed(Function<StoreTransaction, List<PolicyChange>> change) {
        List<PolicyChange> changes = decide(change);
        if (!changes.isEmpty()) {
            reviveMisfits();
            backend.publish(Set.of(new Wake.Anything()));
        }
        return changes;
    }

    /**
     * Brings jobs back that were parked because they did not fit, and do now; returns how many. Follows every change, in
     * short transactions; workers do it now and then as well, in case the process that changed a policy ended before.
     */
    public int reviveMisfits() {
        int all = 0;
        boolean isMore = !backend.read(tx -> tx.jobs().parked(ParkReason.NEVER_FITS, null, 1))
                .isEmpty();
        ParkedRow after = null;
        while (isMore) {
            ParkedRow from = after;
            ImpossibleJobs.Revived batch = backend.write(tx -> ImpossibleJobs.revive(tx, from, Arrivals.BATCH_MAX));
            all += batch.jobs();
            after = batch.last();
            isMore = after != null;
            if (batch.jobs() > 0) {
                Set<Wake> wakes = new HashSet<>();
                batch.queues().forEach(queue -> wakes.add(new Wake.Queue(queue)));
                backend.publish(wakes);
            }
        }
        return all;
    }

    /** Nothing of this starts until it is resumed; what runs goes on. */
    public void pause(Pause pause, String author, String reason) {
        backend.write(tx -> {
            Pausing.pause(tx, pause, author, reason);
            return null;
        });
    }

    /** Returns whether it was paused. Doing it twice is harmless, and finishes what a first one left undone. */
    public boolean resume(Pause pause) {
        boolean wasPaused = decide(tx -> Pausing.resume(tx, pause));
        if (pause.kind() == Pause.Kind.TYPE) {
            revivePaused(List.of(pause.name()));
        }
        backend.publish(Set.of(new Wake.Anything()));
        return wasPaused;
    }

    public List<PauseRow> pauses() {
        return backend.read(tx -> tx.policyTable().pauses());
    }

    private void revivePaused(List<String> types) {
        List<HeadOfLane> revived;
        do {
            revived = backend.write(tx -> Pausing.revive(tx, types));
        } while (revived.size() == Arrivals.BATCH_MAX);
    }

    /** Runs a transition that decides; once more if an override ended between its look at the policies and its decision. */
    public <T extends @Nullable Object> T decide(Function<StoreTransaction, T> work) {
        return LockedGates.decide(backend, work);
    }

    /** Runs one turn; a turn that finds an override that has ended clears it away, and no worker sleeps past the end of one. */
    public Turn turn(Function<StoreTransaction, OpenTurn> work) {
        record Decided(OpenTurn turn, boolean hasEnded) {}
        Decided decided = decide(tx -> {
            OpenTurn turn = work.apply(tx);
            PolicyBook book = tx.policies();
            return book.hasOverrides()
                    ? new Decided(notPast(turn, book.nextEnd(), tx.now()), book.hasEnded())
                    : new Decided(turn, false);
        });
        if (!decided.hasEnded()) {
            return decided.turn().committed();
        }
        changed(ChangePolicy::endOverrides);
        return notPast(decided.turn(), 0L, 0).committed();
    }

    private static OpenTurn notPast(OpenTurn turn, @Nullable Long end, long now) {
        if (end == null) {
            return turn;
        }
        Duration left = Micros.duration(Math.max(0, end - now));
        Duration planned = turn.turn().nextWake();
        return planned != null && planned.compareTo(left) <= 0 ? turn : turn.waking(new Turn.Next(left, end, false));
    }
}

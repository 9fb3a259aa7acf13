package dev.headgate.internal.limiter;

import dev.headgate.internal.admission.GateLedger;
import dev.headgate.internal.admission.ReleaseKind;
import dev.headgate.internal.gate.LockedGates;
import dev.headgate.internal.limiter.PermitStore.Granted;
import dev.headgate.internal.limiter.PermitStore.Part;
import dev.headgate.internal.limiter.PermitStore.Refused;
import dev.headgate.internal.time.Chance;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.BackOff;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.Hold;
import dev.headgate.spi.PermitRow;
import dev.headgate.spi.StoreTransaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Permits that programs elsewhere ask for, each by a request that may be repeated. Thread-safe.
 *
 * <p>Design note. Such a permit must be found again by any process, after an answer was lost or a server has died, so it has a row beside
 * what the gates remember. Whatever changes a permit locks all its gates first, and then looks at the row: so its changes stand in one order,
 * and each is one transaction with what the gates count. The row of a permit that has ended stays for a while, for repeated requests.
 */
public final class RequestedPermits {
    /** Repeated requests of a permit that was given back find it for so long at least. */
    private static final long KEPT_MICROS = Micros.of(Duration.ofMinutes(1));

    private final PermitStore store;
    private final Chance chance;

    /** What a request returns. */
    public sealed interface Answer {}

    /**
     * A permit.
     *
     * @param startWithin the call must be made within this time from when the request was sent; absent if it may be made at any time
     * @param settled what it really cost; absent if that was not told
     * @param isOpen false if it was given back, or its time is over
     */
    public record Held(
            long id,
            List<GateKey> gates,
            Instant endsAt,
            @Nullable Duration startWithin,
            @Nullable Long settled,
            boolean isOpen)
            implements Answer {}

    /**
     * Nothing was taken.
     *
     * @param next how long until time alone opens the gates; absent if something must be given back first, or it never fits
     * @param isNever it asked for more than a gate can ever give
     */
    public record Denied(String reason, @Nullable Duration next, boolean isNever) implements Answer {}

    /** The same request asked for something else before. Nothing was taken. */
    public record Differs() implements Answer {}

    public RequestedPermits(PermitStore store) {
        this(store, Chance.SYSTEM);
    }

    RequestedPermits(PermitStore store, Chance chance) {
        this.store = store;
        this.chance = chance;
    }

    /**
     * Takes from all gates or from none. A request that was given a permit gets the same one again.
     *
     * @param gates at least one; the first is the one that a push-back shuts
     */
    public Answer acquire(String request, List<GateKey> gates, long cost, Duration timeToLive) {
        // Below all numbers of jobs, and below the number that stands for an unknown job.
        long id = -2 - (chance.next() >>> 2);
        String asked = "%d of %s".formatted(cost, gates);
        return store.decide(gates, (tx, ledgers, now, askedNanos) -> {
            PermitRow before = tx.permits().findRequested(request);
            if (before != null) {
                RequestedPermit permit = RequestedPermit.of(before);
                return permit.asked().equals(asked) ? permit.held(now) : new Differs();
            }
            Refused refused = PermitStore.refused(ledgers.byKey(), cost, now);
            if (refused != null) {
                return denied(refused);
            }
            long end = now + Micros.of(timeToLive);
            Granted granted = PermitStore.grant(ledgers, gates, cost, id, end, now, askedNanos);
            RequestedPermit permit = new RequestedPermit(
                    id, request, asked, now, end, granted.margin(), granted.parts(), null, false, false);
            if (!tx.permits().insert(permit.row())) {
                throw new IllegalStateException("permit: expected a new number, drew one that is taken; try again");
            }
            return permit.held(now);
        });
    }

    /** What {@link #acquire} would be denied with now; absent if it would get a permit. Takes nothing. */
    public @Nullable Denied check(List<GateKey> gates, long cost) {
        Refused refused = store.check(gates, cost);
        return refused == null ? null : denied(refused);
    }

    private static Denied denied(Refused refused) {
        boolean isTimed = refused.waitMicros() < GateLedger.UNTIL_RELEASE;
        return new Denied(
                refused.reason(),
                isTimed ? Micros.duration(refused.waitMicros()) : null,
                refused.waitMicros() == GateLedger.NEVER);
    }

    /** A permit of those requests that begin so; absent if there is none, or it has ended long ago. */
    public @Nullable Held find(String owner, long id) {
        return store.backend().<@Nullable Held>read(tx -> {
            RequestedPermit permit = permit(tx, owner, id);
            return permit == null ? null : permit.held(tx.now());
        });
    }

    private static @Nullable RequestedPermit permit(StoreTransaction tx, String owner, long id) {
        PermitRow row = tx.permits().find(id);
        return row == null || !row.request().startsWith(owner) ? null : RequestedPermit.of(row);
    }

    /** What is to become of a permit; absent if it stays as it is. */
    private interface Change {
        @Nullable
        RequestedPermit on(LockedGates ledgers, RequestedPermit permit, long now);
    }

    /** Changes a permit that counts. Says whether it did; absent if there is no such permit. */
    private @Nullable Boolean change(
            String owner, long id, Function<RequestedPermit, Boolean> repeated, Change change) {
        RequestedPermit known = store.backend().<@Nullable RequestedPermit>read(tx -> permit(tx, owner, id));
        if (known == null) {
            return null;
        }
        return store.<Boolean>decide(PermitStore.keys(known.parts()), (tx, ledgers, now, askedNanos) -> {
            RequestedPermit permit = permit(tx, owner, id);
            if (permit == null) {
                return false;
            }
            if (repeated.apply(permit)) {
                return true;
            }
            RequestedPermit after = permit.isOpen(now) ? change.on(ledgers, permit, now) : null;
            if (after != null) {
                tx.permits().save(after.row());
            }
            return after != null;
        });
    }

    /**
     * Says what it really cost, once. Returns whether that counts, by this call or by an earlier one with the same cost; absent if there is
     * no such permit.
     */
    public @Nullable Boolean settle(String owner, long id, long actual) {
        return change(
                owner,
                id,
                permit -> permit.settled() != null && permit.settled() == actual,
                (ledgers, permit, now) ->
                        permit.settled() == null && PermitStore.settle(ledgers, permit.parts(), actual, now)
                                ? permit.settledAs(actual)
                                : null);
    }

    /** Keeps it for this long from now on. Returns false if it no longer counts; absent if there is no such permit. */
    public @Nullable Boolean renew(String owner, long id, Duration timeToLive) {
        return change(owner, id, permit -> false, (ledgers, permit, now) -> {
            long end = Math.max(permit.endsAt(), now + Micros.of(timeToLive));
            List<Part> holding = permit.parts().stream().filter(Part::isHolding).toList();
            return PermitStore.renew(ledgers, holding, end) ? permit.until(end) : null;
        });
    }

    /** What was called pushed back: shuts the first of its gates. Returns whether it counted; absent if there is no such permit. */
    public @Nullable Boolean pushBack(String owner, long id, @Nullable Duration retryAfter) {
        Held known = find(owner, id);
        if (known == null) {
            return null;
        }
        Long wait = Hold.waitMicros(retryAfter);
        store.holds().countAfterPushBack(known.gates().getFirst(), wait);
        int jitter = (int) Math.floorMod(chance.next(), (long) BackOff.JITTER_FULL);
        return change(owner, id, permit -> false, (ledgers, permit, now) -> {
            Part first = permit.parts().getFirst();
            GateLedger gate = PermitStore.gate(ledgers, first.gate());
            return PermitStore.reject(gate, first, wait, jitter, now) ? permit.rejected() : null;
        });
    }

    /**
     * Gives it back: its call has been made. Starts that were spent stay spent. Returns whether it is given back, by this call or an earlier one;
     * absent if there is no such permit.
     *
     * @param lag the time from the sending of its request until it was there; absent if that is not known
     */
    public @Nullable Boolean release(String owner, long id, @Nullable Duration lag) {
        return change(owner, id, RequestedPermit::isClosed, (ledgers, permit, now) -> {
            ReleaseKind how = permit.isRejected() ? ReleaseKind.REJECTED : ReleaseKind.OK;
            boolean isMoved = !permit.isMarginOver(now);
            for (Part part : permit.parts()) {
                if (part.isHolding() || (isMoved && part.start().margin() > 0)) {
                    PermitStore.giveBack(ledgers, PermitStore.gate(ledgers, part.gate()), part, how, lag, now);
                }
            }
            return permit.closed(now + KEPT_MICROS);
        });
    }

    /** Gives it up because it came too late for its call: as if it had never been granted. The answers are those of {@link #release}. */
    public @Nullable Boolean giveUp(String owner, long id, Duration lag) {
        return change(owner, id, RequestedPermit::isClosed, (ledgers, permit, now) -> {
            for (Part part : permit.parts()) {
                PermitStore.giveUp(ledgers, PermitStore.gate(ledgers, part.gate()), part, lag, now);
            }
            return permit.closed(now + KEPT_MICROS);
        });
    }
}

package dev.headgate.admission;

import dev.headgate.admission.GateState.Reservation;
import dev.headgate.admission.Limit.Aside;
import dev.headgate.admission.Limit.Ask;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The working copy of one gate inside a transition: answers, takes and releases. The caller holds the gate's lock and
 * writes {@link #state} back once. Not thread-safe.
 */
public final class GateLedger {
    /** A time that has come whatever the clock says: one that steps back must not put off what is due already. */
    public static final long AT_ONCE = 0;

    private final GateKey key;
    private final GatePolicy policy;
    private GateState state;
    private @Nullable Waiter lineHead;
    private boolean touched;

    /** A job at the head of its lane: who asks, how old it is, what it costs. */
    public record Waiter(String lane, long rank, long cost) {}

    public GateLedger(GateKey key, GatePolicy policy, GateState state) {
        this.key = key;
        this.policy = policy;
        this.state = state;
    }

    /**
     * Takes up what a store kept. An unreadable memory counts as changed: what it is taken for must be written back, or
     * every look would find the buckets empty as of that look, and the gate would never open again.
     */
    public static GateLedger restore(GateKey key, GatePolicy policy, GateState.Stored stored, long now) {
        GateState readable = GateState.parse(stored);
        GateLedger ledger =
                new GateLedger(key, policy, readable == null ? GateState.emptied(stored, policy, now) : readable);
        ledger.touched = readable == null;
        return ledger;
    }

    public GateKey key() {
        return key;
    }

    public GatePolicy policy() {
        return policy;
    }

    public GateState state() {
        return state;
    }

    public boolean isTouched() {
        return touched;
    }

    /** The oldest lane that stays in line here; whoever is younger must join behind it. */
    public void lineHead(@Nullable Waiter oldest) {
        this.lineHead = oldest;
    }

    public @Nullable Waiter lineHead() {
        return lineHead;
    }

    /** May this job pass the gate now? Nothing overtakes the line. */
    public Decision check(Waiter asker, long now) {
        Waiter oldest = lineHead;
        if (oldest != null && oldest.rank() < asker.rank() && !oldest.lane().equals(asker.lane())) {
            Decision limits = checkLimits(asker, now);
            return limits instanceof Decision.Admitted
                    ? new Decision.Blocked(key, "line", "older jobs wait here", null)
                    : limits;
        }
        return checkLimits(asker, now);
    }

    /** The same question without the line: for the one who stands first in it. */
    public Decision checkLimits(Waiter asker, long now) {
        long clock = state.clock(now);
        Decision.Blocked longest = null;
        for (Limit limit : policy.limits()) {
            switch (limit.verdict(state, clock, Ask.of(asker.cost()))) {
                case Verdict.Yes yes -> {}
                case Verdict.Never never -> {
                    return new Decision.NeverFits(key, limit.text(), never.reason());
                }
                case Verdict.NotBefore(long at, String figures) ->
                    longest = later(longest, new Decision.Blocked(key, limit.text(), figures, Micros.instant(at)));
                case Verdict.UntilRelease(String figures) ->
                    longest = later(longest, new Decision.Blocked(key, limit.text(), figures, null));
            }
        }
        if (longest != null) {
            return longest;
        }
        Reservation kept = state.reservation();
        if (kept != null && isForAnOlder(kept, asker) && clock < kept.until() && !leavesEnough(kept, asker, clock)) {
            return new Decision.Blocked(
                    key, "reservation", "kept for an older job of several gates", Micros.instant(kept.until()));
        }
        return Decision.ADMITTED;
    }

    private static boolean isForAnOlder(Reservation kept, Waiter asker) {
        return kept.rank() < asker.rank() && !kept.lane().equals(asker.lane());
    }

    private boolean leavesEnough(Reservation kept, Waiter asker, long clock) {
        Ask ask = new Ask(asker.cost(), new Aside(1, kept.units()));
        for (Limit limit : policy.limits()) {
            if (!(limit.verdict(state, clock, ask) instanceof Verdict.Yes)) {
                return false;
            }
        }
        return true;
    }

    /** Of two blocks the one that lasts longer; a release has no known end and counts as the longest. */
    static Decision.Blocked later(Decision.@Nullable Blocked one, Decision.Blocked other) {
        if (one == null) {
            return other;
        }
        Instant first = one.next();
        Instant second = other.next();
        if (first == null || second == null) {
            return first == null ? one : other;
        }
        return second.isAfter(first) ? other : one;
    }

    /** Whole tokens in the bucket of one of this gate's rates. */
    public long tokens(Rate rate, long now) {
        return rate.tokens(state.bucket(rate.bucketKey()), state.clock(now));
    }

    /** Takes what an admitted job needs. */
    public void take(Waiter starter, long now) {
        long clock = state.clock(now);
        Map<String, Tat> buckets = null;
        for (Limit limit : policy.limits()) {
            if (limit instanceof Rate rate) {
                buckets = buckets == null ? new HashMap<>(state.buckets()) : buckets;
                buckets.put(rate.bucketKey(), rate.take(state.bucket(rate.bucketKey()), clock, starter.cost()));
            }
        }
        if (buckets != null) {
            state = state.withBuckets(buckets, clock);
        }
        state = state.withLeases(state.leases() + 1, state.units() + starter.cost());
        dropReservation(starter.lane());
        touched = true;
    }

    /** Gives back the place of one ended lease. Tokens are not given back: the start happened. */
    public void release(long cost) {
        state = state.withLeases(state.leases() - 1, state.units() - cost);
        touched = true;
    }

    /** Keeps the next units for a lane that several gates have bounced too often. The oldest such lane wins. */
    void reserve(Waiter passedOver, long until) {
        Reservation kept = state.reservation();
        if (kept == null || passedOver.rank() <= kept.rank() || kept.lane().equals(passedOver.lane())) {
            state = state.withReservation(
                    new Reservation(passedOver.lane(), passedOver.rank(), passedOver.cost(), until));
            touched = true;
        }
    }

    void dropReservation(String lane) {
        Reservation kept = state.reservation();
        if (kept != null && kept.lane().equals(lane)) {
            state = state.withReservation(null);
            touched = true;
        }
    }

    /**
     * When time alone lets the head of the line pass: {@link #AT_ONCE} if it may pass already (the next turnaround wakes
     * it), absent if nobody waits or a release must come first.
     */
    public @Nullable Long wakeAt(long now) {
        Waiter oldest = lineHead;
        if (oldest == null) {
            return null;
        }
        return switch (checkLimits(oldest, now)) {
            case Decision.Admitted admitted -> Long.valueOf(AT_ONCE);
            case Decision.NeverFits never -> Long.valueOf(AT_ONCE);
            case Decision.Blocked blocked -> {
                Instant next = blocked.next();
                yield next == null ? null : Long.valueOf(Micros.of(next));
            }
        };
    }

    /**
     * How many jobs of this cost could pass one after the other right now, at most {@code max}. One that can never fit
     * counts as one, so that it is taken out of the line and set aside.
     */
    public int roomFor(Waiter asker, long now, int max) {
        GateLedger trial = new GateLedger(key, policy, state);
        int room = 0;
        while (room < max) {
            Decision decision = trial.checkLimits(asker, now);
            if (decision instanceof Decision.Blocked) {
                return room;
            }
            room++;
            if (decision instanceof Decision.NeverFits) {
                return room;
            }
            trial.take(asker, now);
        }
        return room;
    }
}

package dev.headgate.internal.admission;

import dev.headgate.explain.Decision;
import dev.headgate.internal.admission.GateState.Reservation;
import dev.headgate.internal.admission.InUse.KeptFree;
import dev.headgate.limit.BackOff;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The working copy of one gate inside a transition: decides, takes and releases. The caller holds the gate's lock and
 * writes {@link #state} back once. Not thread-safe.
 */
public final class GateLedger {
    /**
     * An instant that has always passed, whatever the clock says: a clock that steps back must not delay what is
     * already due.
     */
    public static final long AT_ONCE = 0;

    /** {@link #opens} if a release must come first. */
    public static final long UNTIL_RELEASE = Meter.UNTIL_RELEASE;

    /** {@link #opens} if the job asks for more than this gate can ever give. */
    public static final long NEVER = Meter.NEVER;

    private final GateKey key;
    private final GatePolicy policy;
    final InUse inUse;
    final GateClosure closure;
    private final Permits permits;
    Meters meters;
    private final long margin;
    private long seen;
    private final LaneReservation kept;
    private final Line line;
    private StartLags lags;
    boolean touched;
    private final StartsByMargin started = new StartsByMargin();

    public GateLedger(GateKey key, GatePolicy policy, GateState state) {
        this(key, policy, state, Meters.remembering(policy, state));
    }

    private GateLedger(GateKey key, GatePolicy policy, GateState state, Meters meters) {
        this.key = key;
        this.policy = policy;
        this.inUse = new InUse(state.leases(), state.units());
        this.meters = meters;
        this.margin = StartMargin.of(policy);
        this.seen = state.seen();
        this.closure = new GateClosure(state.isPaused(), state.hold());
        this.permits = new Permits(this, state.entries().get(Permits.KEY));
        this.kept = new LaneReservation(state.reservation());
        this.line = Line.remembering(policy, state.entries());
        this.lags = new StartLags(state.entries().get(StartLags.KEY));
    }

    private GateLedger(GateLedger other) {
        this.key = other.key;
        this.policy = other.policy;
        this.inUse = new InUse(other.inUse.leases, other.inUse.units);
        this.meters = other.meters.copy();
        this.margin = other.margin;
        this.seen = other.seen;
        this.closure = new GateClosure(other.closure.isPaused, other.closure.hold);
        this.permits = new Permits(this, other.permits);
        this.kept = new LaneReservation(other.kept.reservation());
        this.line = other.line.copy();
        this.lags = other.lags;
    }

    /**
     * Restores a stored gate. If the stored state cannot be read, every limit counts as used up now and the gate counts
     * as changed: it must be written back, or every read would find the limits used up anew and the gate would never
     * open again.
     */
    public static GateLedger restore(GateKey key, GatePolicy policy, GateState.Stored stored, long now) {
        try {
            GateLedger ledger = new GateLedger(key, policy, MemoryExpiry.faded(GateState.parse(stored), now));
            ledger.permits.expire(now);
            return ledger;
        } catch (RuntimeException unreadable) {
            GateState lost = new GateState(stored.leases(), stored.units(), now, false, null, null, Map.of());
            GateLedger ledger = new GateLedger(key, policy, lost, Meters.fresh(policy));
            ledger.meters.exhaust(now);
            ledger.touched = true;
            return ledger;
        }
    }

    /** A copy for trials. */
    public GateLedger trial() {
        return new GateLedger(this);
    }

    public GateKey key() {
        return key;
    }

    public GatePolicy policy() {
        return policy;
    }

    public GateState state() {
        lags.granted(started, margin, meters, inUse, seen);
        return new GateState(
                inUse.leases,
                inUse.units,
                seen,
                closure.isPaused,
                closure.hold,
                kept.reservation(),
                permits.with(line.withOwn(meters.isTimed() ? lags.with(meters.memory(seen)) : meters.memory(seen))));
    }

    public GateFigures figures(long now) {
        return new GateFigures(key, meters, closure, inUse, lags, clock(now));
    }

    public Permits permits() {
        return permits;
    }

    public boolean isTouched() {
        return touched;
    }

    public long leases() {
        return inUse.leases;
    }

    public long unitsInUse() {
        return inUse.units;
    }

    /** How many jobs this copy has started. */
    public long starts() {
        return started.jobs();
    }

    /** The same, by margin, with their cost here. */
    public StartsByMargin started() {
        return started;
    }

    public Line line() {
        return line;
    }

    /** The margin of the gate's policy: 0 if no limit has a margin that time ends. */
    public long margin() {
        return margin;
    }

    /** The margin of a start of this cost now: a limit that is hardly used may give more than it must. */
    public long margin(long cost, long now) {
        return new StartMargin().pass(this, cost, now).micros();
    }

    /** The store's clock, or the latest time seen if the clock has stepped back. */
    public long clock(long now) {
        return Math.max(now, seen);
    }

    /** The same, and later questions never see an earlier time: for calls that record something. */
    long moved(long now) {
        seen = clock(now);
        return seen;
    }

    /** Whether this job may pass the gate now. Nothing overtakes the line. */
    public Decision check(Waiter asker, long now) {
        return check(asker, false, now);
    }

    Decision check(Waiter asker, boolean isChosen, long now) {
        Decision limits = checkLimits(asker, now);
        return limits instanceof Decision.Admitted && line.isAheadOf(asker, isChosen, keptOut(now))
                ? new Decision.Blocked(key, line.cause(), null)
                : limits;
    }

    /** The same question without the line: for the lane that is first in it. */
    public Decision checkLimits(Waiter asker, long now) {
        return next(asker, now) == AT_ONCE
                ? Decision.ADMITTED
                : new Refusal(key, meters, closure, inUse).of(asker, kept.reservation(), clock(now));
    }

    /** Whether a reservation for an older lane is what keeps this one out. */
    public boolean isKeptOut(Waiter asker, long now) {
        Reservation units = kept.reservation();
        return units != null && isKept(units, asker, clock(now));
    }

    private boolean isKept(Reservation units, Waiter asker, long clock) {
        return units.isForAnOlder(asker)
                && clock < units.until()
                && meters.opens(clock, asker.cost(), inUse, new KeptFree(1, units.units())) > clock;
    }

    private Predicate<Waiter> keptOut(long now) {
        return kept.reservation() == null ? nobody -> false : waiter -> isKeptOut(waiter, now);
    }

    /**
     * {@link #checkLimits} as a time alone, for frequent questions that need no reason: {@link #AT_ONCE} if the job may
     * start, the instant at which it may, {@link #UNTIL_RELEASE} or {@link #NEVER}.
     */
    public long next(Waiter asker, long now) {
        long clock = clock(now);
        long opens = meters.opens(clock, asker.cost(), inUse, KeptFree.NOTHING);
        long shut = closure.opens(clock);
        if (shut > clock && (opens <= shut || opens == UNTIL_RELEASE)) {
            return shut; // a pause, a hold or a probe must end first
        }
        Reservation units = kept.reservation();
        if (opens > clock || units == null) {
            return opens <= clock ? AT_ONCE : opens;
        }
        if (!isKept(units, asker, clock)) {
            return AT_ONCE;
        }
        // Time may leave enough for both before the reservation ends.
        return Math.min(units.until(), meters.opens(clock, asker.cost(), inUse, new KeptFree(1, units.units())));
    }

    /**
     * The earliest time for a job of this cost, whatever waits in line: {@code now} or less if at once. Allocates
     * nothing.
     */
    public long opens(long cost, long now) {
        long clock = clock(now);
        long opens = meters.opens(clock, cost, inUse, KeptFree.NOTHING);
        long latest = opens == NEVER ? opens : Math.max(opens, closure.opens(clock));
        return latest <= clock ? now : latest;
    }

    /** Starts the job if it may start now, for a call that is made at once. Allocates nothing. */
    public boolean tryTake(long job, long cost, long now) {
        if (opens(cost, now) > now) {
            return false;
        }
        take(job, cost, 0, now);
        return true;
    }

    /** Takes what an admitted job needs, for a call that is made at once. */
    public void take(Waiter starter, long now) {
        take(starter, false, 0, now);
    }

    /** @param margin of the whole job, over all its gates; 0 if none has one */
    void take(Waiter starter, boolean isRestart, long margin, long now) {
        line.charge(starter, isRestart, key.scope(), now);
        take(starter.job(), starter.cost(), margin, now);
        dropReservation(starter.lane());
    }

    void take(long job, long cost, long margin, long now) {
        long clock = moved(now);
        meters.take(new Start(clock, margin), cost, inUse);
        inUse.leases++;
        inUse.add(cost);
        started.add(margin, cost);
        closure.started(job, clock);
        touched = true;
    }

    /** Gives back the place of one ended lease of which no more is known. */
    public void release(long cost) {
        release(0, cost, ReleaseKind.UNKNOWN);
    }

    /**
     * Gives back the place of one ended lease. Tokens are not given back: the start happened. If the job was the gate's
     * probe, the gate opens if the job ended well; otherwise another job may be the probe. If the margin is not over,
     * the start counts from now: its handler has ended, so its call has been made.
     */
    public void release(long job, long cost, ReleaseKind how, Start start, long now) {
        long clock = moved(now);
        if (meters.isTimed() && how != ReleaseKind.LOST) {
            lags.ended(start, clock);
        }
        if (how == ReleaseKind.LOST) {
            meters.lost(start, cost, clock);
        } else {
            meters.ended(start, cost, clock);
        }
        release(job, cost, how);
    }

    /** Gives back exactly what a start took, because its handler was reached too late and did not run. */
    public void giveUp(long job, long cost, Start start, long now) {
        meters.giveUp(start, cost, moved(now));
        release(job, cost, ReleaseKind.UNKNOWN);
    }

    /** Notes how long after its grant a start reached its handler; if that was too late, the handler did not run. */
    public void lagged(long micros, boolean isLate) {
        lags.reached(micros, isLate);
        touched = true;
    }

    /** The same for a start without a margin, or one whose margin is over. */
    public void release(long job, long cost, ReleaseKind how) {
        inUse.leases--;
        inUse.units -= cost;
        if (how == ReleaseKind.OK && closure.hold == null) {
            meters.grow();
        }
        closure.returned(job, how);
        touched = true;
    }

    /**
     * A job that was charged {@code charged} units needed {@code actual} units. Every limit by cost returns the
     * difference or keeps it as a debt, which delays later starts. The release must then give back {@code actual}.
     *
     * @param start as it was granted
     */
    public void settle(long charged, long actual, Start start, long now) {
        if (charged < 0 || actual < 0) {
            throw new IllegalArgumentException(
                    "settle: expected units of 0 or more, got %d charged and %d actual".formatted(charged, actual));
        }
        if (charged == actual) {
            return;
        }
        inUse.add(actual - charged);
        meters.settle(charged, actual, start, moved(now));
        touched = true;
    }

    /** The same for a start without a margin. */
    public void settle(long charged, long actual, long startedAt, long now) {
        settle(charged, actual, new Start(startedAt, 0), now);
    }

    /**
     * Closes the gate until an instant; then it opens, or opens with one probe. False if another hold ends no sooner.
     */
    public boolean hold(long until, boolean thenProbe, String reason, long now) {
        boolean isHeld = closure.hold(until, thenProbe, reason, clock(now));
        touched |= isHeld;
        return isHeld;
    }

    /**
     * What the gate stands for has pushed back, as with a 429: closes the gate for as long as was asked or as the
     * policy's back-off says, whichever is longer; then one probe goes ahead. Rejections of jobs that started before
     * the gate closed belong to one episode: they may make it longer, but count once.
     *
     * @param start of the rejected job
     * @param retryAfter the wait that was asked for, in microseconds; absent if none was
     * @param jitter from 0 to just under {@link BackOff#JITTER_FULL}; the caller chooses it, because admission uses no
     *     randomness
     * @return whether this began a new episode
     */
    public boolean reject(Start start, @Nullable Long retryAfter, int jitter, String reason, long now) {
        if (meters.isFull(clock(now), inUse) || lags.wasFull(start.at(), meters.period())) {
            lags.rejected(start, meters.covered(start), clock(now));
        }
        boolean isNews = closure.reject(policy.backOff(), start.at(), retryAfter, jitter, reason, clock(now));
        if (isNews) {
            meters.shrink();
        }
        touched = true;
        return isNews;
    }

    /** The end of the present or last hold; {@link #AT_ONCE} if there is none. */
    public long heldUntil() {
        return closure.hold == null ? AT_ONCE : closure.hold.until();
    }

    /** Ends a hold, its back-off and its probe. What was used stays used. False if nothing was held. */
    public boolean lift(long now) {
        touched |= closure.hold != null;
        return closure.lift(clock(now));
    }

    /** Lets nothing start until {@link #resume}; running jobs go on. */
    public void pause() {
        touched |= !closure.isPaused;
        closure.isPaused = true;
    }

    public void resume() {
        touched |= closure.isPaused;
        closure.isPaused = false;
    }

    /** Resets the gate: no hold, nothing used. What is in use stays in use, and a pause stays. */
    public void clear() {
        meters = Meters.fresh(policy);
        closure.hold = null;
        kept.clear();
        lags = new StartLags((String) null);
        touched = true;
    }

    /** Reserves the next units for a lane that several gates have bounced too often. The oldest such lane wins. */
    void reserve(Waiter passedOver, long until) {
        touched |= kept.reserve(passedOver, until);
    }

    /** Ends the reservation that was made for a former head of this lane. */
    void dropFormer(Waiter head) {
        touched |= kept.dropFormer(head);
    }

    void dropReservation(String lane) {
        touched |= kept.drop(lane);
    }

    /**
     * When time alone lets the head of the line pass: {@link #AT_ONCE} if it may pass already, the first end of a
     * permit if a release must come first, absent if the line is empty or no such time is known.
     */
    public @Nullable Long wakeAt(long now) {
        Waiter oldest = line.next(keptOut(now));
        if (oldest == null) {
            return null;
        }
        long next = next(oldest, now);
        Long permitEnd = permits.firstEnd();
        if (next == UNTIL_RELEASE) {
            return permitEnd;
        }
        // A permit that ends may leave enough beside a reservation before that reservation ends.
        boolean isSooner = permitEnd != null && permitEnd < next && isKeptOut(oldest, now);
        return isSooner ? permitEnd : Long.valueOf(next == NEVER ? AT_ONCE : next);
    }

    /**
     * How many jobs of this cost could start one after the other now, at most {@code max}. A job that can never fit
     * counts as one, so that it is taken out of the line and set aside.
     */
    public int startableCount(Waiter asker, long now, int max) {
        boolean isCounted = !meters.isTimed() && closure.hold == null && !kept.isFor(asker.lane());
        return isCounted
                ? StartableCount.counted(trial(), asker, now, max)
                : StartableCount.oneByOne(trial(), asker, now, max);
    }
}

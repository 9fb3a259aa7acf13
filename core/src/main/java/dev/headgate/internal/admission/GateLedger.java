package dev.headgate.internal.admission;

import dev.headgate.explain.Decision;
import dev.headgate.internal.admission.GateState.Reservation;
import dev.headgate.internal.admission.InUse.Aside;
import dev.headgate.limit.BackOff;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The working copy of one gate inside a transition: answers, takes and releases. The caller holds the gate's lock and
 * writes {@link #state} back once. Not thread-safe.
 */
public final class GateLedger {
    /** A time that has come whatever the clock says: one that steps back must not put off what is due already. */
    public static final long AT_ONCE = 0;

    /** {@link #opens} if somebody must give something back first. */
    public static final long UNTIL_RELEASE = Meter.UNTIL_RELEASE;

    /** {@link #opens} if the job asks for more than this gate can ever give. */
    public static final long NEVER = Meter.NEVER;

    private final GateKey key;
    private final GatePolicy policy;
    final InUse inUse;
    final GateClosure shutter;
    private final Permits permits;
    Meters meters;
    private final long margin;
    private long seen;
    private final LaneReservation kept;
    private final Line line;
    private StartLags lags;
    boolean touched;
    private final Starts started = new Starts();

    /** A job at the head of its lane: who asks, how old it is, what it costs here. Job 0 is one of which no more is known. */
    public record Waiter(String lane, long rank, long cost, long job, String share) {
        public Waiter(String lane, long rank, long cost) {
            this(lane, rank, cost, 0, "");
        }
    }

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
        this.shutter = new GateClosure(state.isPaused(), state.hold());
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
        this.shutter = new GateClosure(other.shutter.isPaused, other.shutter.hold);
        this.permits = new Permits(this, other.permits);
        this.kept = new LaneReservation(other.kept.reservation());
        this.line = other.line.copy();
        this.lags = other.lags;
    }

    /**
     * Takes up what a store kept. If that cannot be read, every limit is spent as of now, and the gate counts as changed: it
     * must be written back, or every look would find it spent as of that look, and it would never open again.
     */
    public static GateLedger restore(GateKey key, GatePolicy policy, GateState.Stored stored, long now) {
        try {
            GateLedger ledger = new GateLedger(key, policy, Fading.faded(GateState.parse(stored), now));
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

    /** A copy to try things on. */
    public GateLedger trial() {
        return new GateLedger(this);
    }

    public GateKey key() {
        return key;
    }

    public GatePolicy policy() {
        return policy;
    }

    /** What is to be remembered now. */
    public GateState state() {
        lags.granted(started, margin, meters, inUse, seen);
        return new GateState(
                inUse.leases,
                inUse.units,
                seen,
                shutter.isPaused,
                shutter.hold,
                kept.reservation(),
                permits.with(line.withOwn(meters.isTimed() ? lags.with(meters.memory(seen)) : meters.memory(seen))));
    }

    /** Where it stands now, for people to look at. */
    public GateFigures figures(long now) {
        return new GateFigures(key, meters, shutter, inUse, lags, clock(now));
    }

    /** Places that limiters hold here. */
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

    /** How many jobs this copy has let start. */
    public long starts() {
        return started.jobs();
    }

    /** The same by margin, and what they cost here. */
    public Starts started() {
        return started;
    }

    /** Who stays in line here, and in which order. */
    public Line line() {
        return line;
    }

    /** That of its policy: 0 if no limit has a margin that time ends. */
    public long margin() {
        return margin;
    }

    /** That of a start of this cost now: a limit that is hardly used may give more than it has to. */
    public long margin(long cost, long now) {
        return new StartMargin().pass(this, cost, now).micros();
    }

    /** The store's clock, except where it stepped back. */
    public long clock(long now) {
        return Math.max(now, seen);
    }

    /** The same, where something is recorded that later questions must not come before. */
    long moved(long now) {
        seen = clock(now);
        return seen;
    }

    /** May this job pass the gate now? Nothing overtakes the line. */
    public Decision check(Waiter asker, long now) {
        return check(asker, false, now);
    }

    Decision check(Waiter asker, boolean isChosen, long now) {
        Decision limits = checkLimits(asker, now);
        return limits instanceof Decision.Admitted && line.isAheadOf(asker, isChosen, keptOut(now))
                ? new Decision.Blocked(key, line.cause(), null)
                : limits;
    }

    /** The same question without the line: for the one who stands first in it. */
    public Decision checkLimits(Waiter asker, long now) {
        return next(asker, now) == AT_ONCE
                ? Decision.ADMITTED
                : new Refusal(key, meters, shutter, inUse).of(asker, kept.reservation(), clock(now));
    }

    /** Whether what is kept for an older one is what keeps this one out. */
    public boolean isKeptOut(Waiter asker, long now) {
        Reservation units = kept.reservation();
        return units != null && isKept(units, asker, clock(now));
    }

    private boolean isKept(Reservation units, Waiter asker, long clock) {
        return units.isForAnOlder(asker)
                && clock < units.until()
                && meters.opens(clock, asker.cost(), inUse, new Aside(1, units.units())) > clock;
    }

    private Predicate<Waiter> keptOut(long now) {
        return kept.reservation() == null ? nobody -> false : waiter -> isKeptOut(waiter, now);
    }

    /**
     * The answer of {@link #checkLimits} as a time alone, for those who ask often and tell nobody why: {@link #AT_ONCE} if
     * it may start, the instant at which it may, {@link #UNTIL_RELEASE} or {@link #NEVER}.
     */
    public long next(Waiter asker, long now) {
        long clock = clock(now);
        long opens = meters.opens(clock, asker.cost(), inUse, Aside.NOTHING);
        long shut = shutter.opens(clock);
        if (shut > clock && (opens <= shut || opens == UNTIL_RELEASE)) {
            return shut; // a pause, a hold or a probe is what must end first
        }
        Reservation units = kept.reservation();
        if (opens > clock || units == null) {
            return opens <= clock ? AT_ONCE : opens;
        }
        if (!isKept(units, asker, clock)) {
            return AT_ONCE;
        }
        // Time may leave room for both before the reservation ends.
        return Math.min(units.until(), meters.opens(clock, asker.cost(), inUse, new Aside(1, units.units())));
    }

    /** The earliest time for a job of this cost, whatever waits in line: {@code now} or less if at once. Allocates nothing. */
    public long opens(long cost, long now) {
        long clock = clock(now);
        long opens = meters.opens(clock, cost, inUse, Aside.NOTHING);
        long latest = opens == NEVER ? opens : Math.max(opens, shutter.opens(clock));
        return latest <= clock ? now : latest;
    }

    /** Starts the job if it may start now, if its call is made at once. Allocates nothing. */
    public boolean tryTake(long job, long cost, long now) {
        if (opens(cost, now) > now) {
            return false;
        }
        take(job, cost, 0, now);
        return true;
    }

    /** Takes what an admitted job needs whose call is made at once. */
    public void take(Waiter starter, long now) {
        take(starter, false, 0, now);
    }

    /** @param margin that of the whole job, by all its gates; 0 if none has one */
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
        shutter.started(job, clock);
        touched = true;
    }

    /** Gives back the place of one ended lease of which no more is known. */
    public void release(long cost) {
        release(0, cost, ReleaseKind.UNKNOWN);
    }

    /**
     * Gives back the place of one ended lease. Tokens are not given back: the start happened. If the job was the gate's
     * probe, the gate opens if it came back well; else another one may try. If its margin is not over yet, it counts from
     * now: its handler has ended, so its call has been made.
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

    /** Gives back all that a start took, and no more, because its handler was reached too late and did not run. */
    public void giveUp(long job, long cost, Start start, long now) {
        meters.giveUp(start, cost, moved(now));
        release(job, cost, ReleaseKind.UNKNOWN);
    }

    /** A start that comes back reached its handler so long after its grant; if that was too late, it did not run. */
    public void lagged(long micros, boolean isLate) {
        lags.reached(micros, isLate);
        touched = true;
    }

    /** The same for a start without a margin, or one whose margin is over. */
    public void release(long job, long cost, ReleaseKind how) {
        inUse.leases--;
        inUse.units -= cost;
        if (how == ReleaseKind.OK && shutter.hold == null) {
            meters.grow();
        }
        shutter.returned(job, how);
        touched = true;
    }

    /**
     * A job that was charged {@code charged} units needed {@code actual} ones. The difference is given back to, or owed by,
     * every limit by cost; a debt delays later starts. Give back {@code actual} when it is released.
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

    /** Shuts the gate until an instant, then it is open, or opens with one probe. False if another hold ends no sooner. */
    public boolean hold(long until, boolean thenProbe, String reason, long now) {
        boolean isHeld = shutter.hold(until, thenProbe, reason, clock(now));
        touched |= isHeld;
        return isHeld;
    }

    /**
     * What the gate stands for has pushed back, as with a 429: shuts it for as long as it was told or as the policy's
     * back-off says, whichever is longer; then one probe goes ahead. Rejections of jobs that had started before the gate
     * was shut belong to one episode: they may make it longer, but count once.
     *
     * @param start that of the rejected job
     * @param retryAfter how long it was told to wait, in microseconds; absent if it was not told
     * @param jitter from 0 to just under {@link BackOff#JITTER_FULL}; chosen by the caller, admission rolls no dice
     * @return whether it began a new episode
     */
    public boolean reject(Start start, @Nullable Long retryAfter, int jitter, String reason, long now) {
        if (meters.isFull(clock(now), inUse) || lags.wasFull(start.at(), meters.period())) {
            lags.rejected(start, meters.covered(start), clock(now));
        }
        boolean isNews = shutter.reject(policy.backOff(), start.at(), retryAfter, jitter, reason, clock(now));
        if (isNews) {
            meters.shrink();
        }
        touched = true;
        return isNews;
    }

    /** Until when it is or was held; {@link #AT_ONCE} if it is not. */
    public long heldUntil() {
        return shutter.hold == null ? AT_ONCE : shutter.hold.until();
    }

    /** Ends a hold, its back-off and its probe. What was spent stays spent. False if nothing was held. */
    public boolean lift(long now) {
        touched |= shutter.hold != null;
        return shutter.lift(clock(now));
    }

    /** Lets nothing start until {@link #resume}; what runs goes on. */
    public void pause() {
        touched |= !shutter.isPaused;
        shutter.isPaused = true;
    }

    public void resume() {
        touched |= shutter.isPaused;
        shutter.isPaused = false;
    }

    /** As if the gate were new: no hold, nothing spent. What is in use stays in use, and a pause stays. */
    public void clear() {
        meters = Meters.fresh(policy);
        shutter.hold = null;
        kept.clear();
        lags = new StartLags((String) null);
        touched = true;
    }

    /** Keeps the next units for a lane that several gates have bounced too often. The oldest such lane wins. */
    void reserve(Waiter passedOver, long until) {
        touched |= kept.reserve(passedOver, until);
    }

    /** Gives up what was kept for a former head of this lane. */
    void dropFormer(Waiter head) {
        touched |= kept.dropFormer(head);
    }

    void dropReservation(String lane) {
        touched |= kept.drop(lane);
    }

    /**
     * When time alone lets the head of the line pass: {@link #AT_ONCE} if it may pass already (the next turnaround wakes
     * it), the first end of a permit if a release must come first, absent if nobody waits or there is none.
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
        // A permit that ends leaves room beside what is kept for an older one, before that reservation ends.
        boolean isSooner = permitEnd != null && permitEnd < next && isKeptOut(oldest, now);
        return isSooner ? permitEnd : Long.valueOf(next == NEVER ? AT_ONCE : next);
    }

    /**
     * How many jobs of this cost could pass one after the other right now, at most {@code max}. One that can never fit
     * counts as one, so that it is taken out of the line and set aside.
     */
    public int roomFor(Waiter asker, long now, int max) {
        boolean isCounted = !meters.isTimed() && shutter.hold == null && !kept.isFor(asker.lane());
        return isCounted ? Places.counted(trial(), asker, now, max) : Places.oneByOne(trial(), asker, now, max);
    }
}

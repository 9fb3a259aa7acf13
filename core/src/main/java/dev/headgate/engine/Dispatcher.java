package dev.headgate.engine;

import dev.headgate.engine.RunningWorker.Shared;
import dev.headgate.job.FrameRef;
import dev.headgate.limiter.Denied;
import dev.headgate.limiter.LocalLimiter;
import dev.headgate.store.JobRow;
import dev.headgate.store.JobTable.LeaseRef;
import dev.headgate.store.StoreUnavailableException;
import dev.headgate.time.Nanos;
import dev.headgate.transition.Ended;
import dev.headgate.transition.Turn;
import dev.headgate.transition.TurnRequest;
import dev.headgate.transition.WorkerLostException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one loop that claims: sleeps until something ended, something may be waiting, or it is time; then one turnaround
 * brings back all that has ended and fills all free slots.
 *
 * <p>Design note: batches without delay. While a turn is under way, handlers go on ending; the next turn takes all of
 * them, so the busier the worker, the larger its turns. When the first of many running handlers ends, the loop waits an
 * eighth of a turn's usual time to see whether others follow, and goes on as long as they do, for one turn's time at
 * most: without that, a few early ones make a small turn, which starts few, which end early. A job that runs alone is
 * never kept waiting.
 *
 * <p>Design note: a lost answer. If a turn fails, the store may have done it all the same: it may have granted leases that
 * this process knows nothing of and would keep alive for ever. So after any failure the outcomes are sent again without
 * claiming (those that had arrived are refused, which is fine), and only then, when that turn has waited for whatever the
 * failed one still held locked, are the leases that the store knows compared with those at work here.
 */
final class Dispatcher {
    private static final Logger log = LoggerFactory.getLogger(Dispatcher.class);
    private static final long GATHER_STEP_MIN_NANOS = 50_000;
    private static final long GATHER_STEP_MAX_NANOS = 1_000_000;
    private static final long GATHER_MAX_NANOS = 10_000_000;
    /** How much later those come whom somebody else should have made unnecessary. */
    private static final long GRACE_MIN_NANOS = 10_000_000;

    /** Two readings of one instant of the store differ by less. */
    private static final long SAME_NANOS = 1_000_000;

    /** The most that is counted for the way to a decision; one that took longer had to wait for others. */
    private static final long LEAD_MAX_NANOS = 30_000_000;

    private static final long SPIN_MAX_NANOS = Duration.ofMillis(50).toNanos();

    private final Loop loop;
    private final Shared shared;
    private final WorkerSettings settings;
    private final Membership membership;
    private final Floor floor;
    private final Backoff backoff;
    private final Calm calm = new Calm();

    private volatile boolean isClaiming = true;
    private volatile boolean isHinted = true;
    private volatile long idleClaim;
    private final AtomicLong claims = new AtomicLong();
    private final AtomicInteger unsettled = new AtomicInteger();
    private final Set<LeaseRef> held = new HashSet<>();
    private boolean isInDoubt;
    private long pausedUntilNanos;
    private long nextLookNanos;
    private long turnNanos;
    private long spinNanos;
    private long leadNanos;
    private boolean isOthers;
    private long attendedNanos;

    /** Where jobs run: what the dispatcher fills and empties. */
    record Floor(Slots slots, Outbox outbox, Consumer<JobRow> start, Consumer<String> onLost) {}

    Dispatcher(Shared shared, WorkerSettings settings, Membership membership, Floor floor) {
        this.loop = new Loop("dispatcher", settings.name(), this::round);
        this.shared = shared;
        this.settings = settings;
        this.membership = membership;
        this.floor = floor;
        this.backoff = new Backoff(log, shared.ticker(), shared.chance(), Duration.ofSeconds(2));
        this.pausedUntilNanos = shared.ticker().nanos();
        this.nextLookNanos = pausedUntilNanos;
    }

    Loop loop() {
        return loop;
    }

    /** Makes those who wait for a quiet moment look again. */
    void nudge() {
        calm.changed();
    }

    /** There may be a job to start. */
    void hint() {
        isHinted = true;
        loop.wake();
    }

    void stopClaiming() {
        isClaiming = false;
        loop.wake();
    }

    boolean isClaiming() {
        return isClaiming;
    }

    boolean awaitIdle(Duration timeout) throws InterruptedException {
        long before = claims.get();
        hint();
        return calm.await(() -> idleClaim > before, timeout);
    }

    /** Waits until every lease granted so far has been given back to the store, or is no longer ours to give. */
    boolean awaitSettled(BooleanSupplier orElse, Duration timeout) throws InterruptedException {
        return calm.await(() -> unsettled.get() == 0 || orElse.getAsBoolean(), timeout) && unsettled.get() == 0;
    }

    private long round() {
        long now = shared.ticker().nanos();
        if (pausedUntilNanos - now > 0) {
            return pausedUntilNanos - now;
        }
        gather();
        List<Ended> dropped = floor.outbox().collect(this::isOurs);
        if (!dropped.isEmpty()) {
            forget(dropped);
            isHinted = true; // a slot has come free, and no turn tells the store
        }
        boolean isAsking = isClaiming && !isInDoubt && membership.mayClaim();
        int slots = isAsking ? Math.max(0, settings.slots() - floor.slots().busy()) : 0;
        int free = room(slots);
        if (slots > 0 && free == 0 && held.isEmpty()) {
            idleClaim = claims.incrementAndGet(); // shut by the limiter: nothing that waits could start now
        }
        boolean isLookDue = isHinted || (nextLookNanos - now <= 0 && isWorthATurn());
        boolean isTurnDue = floor.outbox().hasUnsent() || isInDoubt || (free > 0 && isLookDue);
        if (!membership.isLost() && isTurnDue) {
            turn(free);
        }
        calm.changed();
        return pause();
    }

    private long pause() {
        long now = shared.ticker().nanos();
        if (pausedUntilNanos - now > 0) {
            return pausedUntilNanos - now;
        }
        if (floor.outbox().hasUnsent() && !membership.isLost()) {
            return 0;
        }
        boolean canClaim = isClaiming && membership.mayClaim() && floor.slots().busy() < settings.slots();
        if (!canClaim) {
            return Nanos.of(settings.pollEvery());
        }
        LocalLimiter limiter = settings.limiter();
        Denied shut = limiter == null ? null : limiter.check(1).orElse(null);
        if (shut != null) {
            Duration opens = shut.next();
            return Math.min(Nanos.of(settings.pollEvery()), opens == null ? Nanos.FOR_EVER : Nanos.of(opens));
        }
        return isHinted ? 0 : Math.max(0, nextLookNanos - now);
    }

    /** Of so many free slots, how many may start a job now. */
    private int room(int slots) {
        LocalLimiter limiter = settings.limiter();
        return limiter == null || slots == 0 ? slots : limiter.room(slots);
    }

    /** An outcome of an earlier registration is dropped: its lease belongs to somebody else. */
    private boolean isOurs(JobRow lease) {
        boolean isOurs = membership.id().equals(lease.worker()) && !membership.isLost();
        if (!isOurs) {
            log.info("job {} (epoch {}): its lease was lost, so its outcome does not count", lease.id(), lease.epoch());
        }
        return isOurs;
    }

    private void gather() {
        long most = Math.min(GATHER_MAX_NANOS, turnNanos);
        long step = Math.clamp(turnNanos / 8, GATHER_STEP_MIN_NANOS, GATHER_STEP_MAX_NANOS);
        long start = shared.ticker().nanos();
        int before = floor.slots().busy();
        while (before > 0 && !floor.outbox().isEmpty() && shared.ticker().nanos() - start < most) {
            LockSupport.parkNanos(this, step);
            int after = floor.slots().busy();
            if (after >= before) {
                return;
            }
            before = after;
        }
    }

    private void turn(int free) {
        String worker = membership.id();
        List<Ended> ended = floor.outbox().next();
        if (free > 0) {
            isHinted = false;
            claims.incrementAndGet();
        }
        long asked = shared.ticker().nanos();
        try {
            Turn turn = shared.store()
                    .turnaround(new TurnRequest(worker, settings.queues(), free, ended, Duration.ofNanos(leadNanos)));
            settle(ended, turn);
            turn.started().forEach(this::start);
            if (isInDoubt && !floor.outbox().hasUnsent()) {
                findUnknownLeases(worker);
            }
            backoff.succeed("worker " + worker);
            long now = shared.ticker().nanos();
            turnNanos = (turnNanos * 3 + now - asked) / 4;
            plan(turn, free, ended, asked, now);
        } catch (WorkerLostException lost) {
            floor.onLost().accept(worker);
        } catch (RuntimeException failure) {
            fail(worker, ended, failure);
        }
    }

    private void fail(String worker, List<Ended> ended, RuntimeException failure) {
        isInDoubt = true;
        isHinted = true;
        if (!(failure instanceof StoreUnavailableException)) {
            floor.outbox().suspect(ended, failure);
        }
        pausedUntilNanos = shared.ticker().nanos() + backoff.fail("worker " + worker, failure);
    }

    private void start(JobRow row) {
        held.add(new LeaseRef(row.id(), row.epoch()));
        unsettled.set(held.size());
        floor.start().accept(row);
    }

    private void forget(List<Ended> done) {
        for (Ended each : done) {
            held.remove(new LeaseRef(each.lease().id(), each.lease().epoch()));
        }
        unsettled.set(held.size());
    }

    private void settle(List<Ended> ended, Turn turn) {
        floor.outbox().settle(ended);
        forget(ended);
        for (Long job : turn.refused()) {
            log.info("job {}: its outcome was not taken, because its lease had ended or it had been taken before", job);
        }
        if (shared.completions().isWatched()) {
            shared.completions()
                    .announce(ended.stream().flatMap(Dispatcher::news).toList());
        }
    }

    /** Who may wait for this end: those who wait for the job, and those who wait for its run. */
    private static Stream<Long> news(Ended ended) {
        FrameRef frame = ended.lease().spec().frame();
        Stream<Long> job = Stream.of(ended.lease().id());
        return frame == null ? job : Stream.concat(job, Stream.of(Completions.ofFrame(frame.frame())));
    }

    private void findUnknownLeases(String worker) {
        for (JobRow row : shared.store().holding(worker)) {
            if (!held.contains(new LeaseRef(row.id(), row.epoch()))) {
                log.info(
                        "job {} (epoch {}): leased by a turn whose answer was lost; it starts now",
                        row.id(),
                        row.epoch());
                start(row);
            }
        }
        isInDoubt = false;
    }

    /** Time enough for a turn of the one who is to be there, as far as our own turns tell. */
    private long grace() {
        return Math.max(GRACE_MIN_NANOS, 2 * turnNanos);
    }

    /** What another worker is to start needs no turn of ours, unless it has not. */
    private boolean isWorthATurn() {
        if (!isOthers) {
            return true;
        }
        try {
            Duration left = shared.store().glance(settings.queues());
            isOthers = left == null || !left.isZero();
            long now = shared.ticker().nanos();
            nextLookNanos = now
                    + Math.min(
                            Nanos.of(settings.pollEvery()), left == null ? Nanos.FOR_EVER : Nanos.of(left) + grace());
        } catch (StoreUnavailableException down) {
            isOthers = false; // a turn finds that out too, and knows what to do
        }
        return !isOthers;
    }

    private void plan(Turn turn, int free, List<Ended> ended, long asked, long now) {
        if (free == 0) {
            return;
        }
        // The shortest ways count: one that had to wait for others says nothing of the next.
        long way = Math.clamp(turn.decidedNanos() - asked, 0, LEAD_MAX_NANOS);
        leadNanos += (way - leadNanos) / (way < leadNanos ? 2 : 8);
        @Nullable Duration nextWake = turn.nextWake();
        long poll = Nanos.of(settings.pollEvery());
        long opensNanos = turn.decidedNanos() + (nextWake == null ? 0 : Nanos.of(nextWake));
        // Who came a moment too early has moved nothing, and is still the one to be there.
        isOthers = turn.isOthers() && Math.abs(opensNanos - attendedNanos) > SAME_NANOS;
        attendedNanos = isOthers ? attendedNanos : opensNanos;
        long late = isOthers ? grace() : -leadNanos;
        nextLookNanos = nextWake == null ? now + poll : Math.min(now + poll, opensNanos + late);
        boolean hasMoved = !turn.started().isEmpty() || !ended.isEmpty();
        boolean isMore = nextWake != null && nextWake.isZero();
        if (!hasMoved && isMore) {
            // The store says "at once" and then has nothing. Bounded, or a fault there would burn a core here.
            spinNanos = Math.min(SPIN_MAX_NANOS, Math.max(100_000, spinNanos * 2));
            nextLookNanos = now + spinNanos;
        } else {
            spinNanos = 0;
        }
        if (!isMore && turn.started().isEmpty() && isQuiet()) {
            idleClaim = claims.get();
        }
    }

    private boolean isQuiet() {
        return !isHinted && held.isEmpty();
    }
}

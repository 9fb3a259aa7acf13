package dev.headgate.internal.worker;

import dev.headgate.event.Event;
import dev.headgate.internal.admission.JobFit;
import dev.headgate.internal.admission.QueueTurns;
import dev.headgate.internal.lease.EndedLease;
import dev.headgate.internal.lease.Turn;
import dev.headgate.internal.lease.TurnRequest;
import dev.headgate.internal.lease.WorkerLostException;
import dev.headgate.internal.time.Nanos;
import dev.headgate.internal.worker.RunningWorker.Shared;
import dev.headgate.job.Outcome;
import dev.headgate.limiter.Denied;
import dev.headgate.limiter.LocalLimiter;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.JobTable.LeaseRef;
import dev.headgate.store.StoreRefusedException;
import dev.headgate.store.StoreUnavailableException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The only loop that claims. It sleeps until a job has ended, a job may be waiting, or its timer is due; then one
 * turnaround brings back everything that has ended and fills all free slots.
 *
 * <p>Design note: batches without delay. While a turn is under way, other handlers end; the next turn takes all of
 * them, so the busier the worker, the larger its turns. When the first of many running handlers ends, the loop waits an
 * eighth of a turn's usual time for others, and goes on as long as more end, for one turn's time at most: otherwise a
 * few early ones make a small turn, which starts few jobs, which end early. A job that runs alone never waits.
 *
 * <p>Design note: a lost answer. If a turn fails, the store may have done it all the same: it may have granted leases
 * that this process does not know and would keep alive for ever. So after a failure the outcomes are sent again without
 * claiming (the store refuses those that had arrived, which is harmless). That turn waits for the locks of the failed
 * one; after it, the leases in the store are compared with those at work here.
 */
final class ClaimLoop {
    private static final Logger log = LoggerFactory.getLogger(ClaimLoop.class);
    private static final long GATHER_STEP_MIN_NANOS = 50_000;
    private static final long GATHER_STEP_MAX_NANOS = 1_000_000;
    private static final long GATHER_MAX_NANOS = 10_000_000;
    private static final long ASLEEP_NANOS = 20_000_000;

    private final Loop loop;
    private final Shared shared;
    private final WorkerSettings settings;
    private final WorkerLease workerLease;
    private final Parts parts;
    private final StoreBackoff backoff;
    private final WakeTimer wakeTimer;
    private final IdleWait idleWait = new IdleWait();
    private final Lookahead lookahead = new Lookahead();
    private final DueJobsTimer dueJobsTimer;
    private final LateStartControl lateStartControl;
    private final LateStartLog lateStartLog;
    private final StartPacing pacing;

    private volatile boolean isClaiming = true;
    private volatile boolean isHinted = true;
    private volatile long idleClaim;
    private volatile long turnedNanos;
    private volatile Runnable listener = () -> {};
    private final AtomicLong claims = new AtomicLong();
    private final AtomicInteger unsettled = new AtomicInteger();
    private final AtomicLong late = new AtomicLong();
    private final Set<LeaseRef> held = new HashSet<>();
    private boolean isInDoubt;
    private long doubtNanos;
    private long pausedUntilNanos;
    private QueueTurns serving;

    /** Runs jobs that have just been leased. */
    interface Starter {
        /** Runs them, or reports at once why not. */
        void start(List<JobRow> rows, Function<JobRow, GrantTime> grants);
    }

    /** What the claim loop fills and empties. */
    record Parts(
            Slots slots,
            SlotPool pool,
            ResourceTracker resources,
            OutcomeQueue outcomes,
            Starter start,
            Consumer<String> onLost) {}

    ClaimLoop(Shared shared, WorkerSettings settings, WorkerLease workerLease, Parts parts) {
        this.loop = shared.runner().loop("claims", settings.name(), this::round);
        this.shared = shared;
        this.settings = settings;
        this.workerLease = workerLease;
        this.parts = parts;
        this.backoff = new StoreBackoff(log, shared.ticker(), shared.chance(), Duration.ofSeconds(2));
        this.pausedUntilNanos = shared.ticker().nanos();
        this.turnedNanos = pausedUntilNanos;
        this.dueJobsTimer = new DueJobsTimer(pausedUntilNanos);
        this.wakeTimer = new WakeTimer(Nanos.of(settings.timing().pollEvery()), pausedUntilNanos);
        this.lateStartLog = new LateStartLog(settings.name());
        this.lateStartControl = new LateStartControl(settings.limits().pool().max(), pausedUntilNanos, this::paces);
        this.pacing = new StartPacing(lateStartControl, () -> shared.handlers().unbatchedTypes());
        this.serving =
                new QueueTurns(settings.serving().order(), settings.serving().queues());
    }

    Loop loop() {
        return loop;
    }

    /** Whether starts with a margin are in time. */
    LateStartControl lateStartControl() {
        return lateStartControl;
    }

    private void paces(boolean isBehind) {
        lateStartLog.tell(isBehind);
        String worker = workerLease.id();
        shared.events().tell(() -> new Event.WorkerPaced(worker, settings.name(), isBehind));
    }

    /** Calls this after every round from now on. */
    void listen(Runnable afterRound) {
        listener = afterRound;
    }

    /** A job may be waiting. */
    void hint() {
        isHinted = true;
        dueJobsTimer.hint();
        loop.wake();
    }

    /**
     * A job will come in a moment. If the worker has been idle for more than 20 ms, runs an empty turn now, so that its
     * code is warm when the job arrives.
     */
    void expectJob() {
        if (shared.ticker().nanos() - turnedNanos > ASLEEP_NANOS) {
            hint();
        }
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
        return idleWait.await(() -> idleClaim > before, timeout);
    }

    /** Whether every lease granted so far was given back to the store or was lost. */
    boolean isSettled() {
        return unsettled.get() == 0;
    }

    /** How many starts the store has taken back as too late. */
    long lateStarts() {
        return late.get();
    }

    private long round() {
        long now = shared.ticker().nanos();
        if (pausedUntilNanos - now > 0) {
            return pausedUntilNanos - now;
        }
        gather();
        List<EndedLease> dropped = parts.outcomes().collect(this::isOurs);
        if (!dropped.isEmpty()) {
            forget(dropped);
            pacing.ended(dropped);
            isHinted = true; // a slot is free, and no turn told the store
        }
        boolean isAsking = isClaiming && !isInDoubt && workerLease.mayClaim();
        int slots = isAsking ? Math.max(0, parts.pool().size() - parts.slots().busy()) : 0;
        int free = startable(slots);
        if (slots > 0 && free == 0) {
            parts.resources().noteShut();
            if (held.isEmpty()) {
                idleClaim = claims.incrementAndGet(); // closed by the limiter: no waiting job could start now
            }
        }
        boolean isLookDue = isHinted || (wakeTimer.isDue(now) && isWorthATurn());
        boolean isTurnDue = parts.outcomes().hasUnsent() || isInDoubt || (free > 0 && isLookDue);
        if (!workerLease.isLost() && isTurnDue) {
            turn(free);
        } else if (isAsking && free == 0 && dueJobsTimer.isDue(now)) {
            fileDue();
        }
        idleWait.changed();
        listener.run();
        return pause();
    }

    /** Moves due jobs into their lanes. For a worker that takes no turn because nothing can start. */
    private void fileDue() {
        Duration left = null;
        try {
            left = shared.store().fileDue(settings.serving().queues());
        } catch (RuntimeException failure) {
            log.debug("worker {}: could not look for due jobs; the next look is soon", settings.name(), failure);
        }
        dueJobsTimer.looked(left, shared.ticker().nanos());
    }

    private long pause() {
        long now = shared.ticker().nanos();
        if (pausedUntilNanos - now > 0) {
            return pausedUntilNanos - now;
        }
        if (!parts.outcomes().isEmpty() && !workerLease.isLost()) {
            return 0;
        }
        long poll = Nanos.of(settings.timing().pollEvery());
        if (!isClaiming || !workerLease.mayClaim()) {
            return poll;
        }
        if (parts.slots().busy() >= parts.pool().size()) {
            return Math.min(poll, dueJobsTimer.left(now));
        }
        LocalLimiter limiter = settings.limits().limiter();
        if (limiter != null && startable(1) == 0) {
            // If the remaining places are kept for runs on their way to their handlers, each of them wakes this loop
            // when it enters.
            Duration opens = limiter.check(1).map(Denied::next).orElse(null);
            long look = Math.min(poll, dueJobsTimer.left(now));
            return Math.min(look, opens == null ? Nanos.FOR_EVER : Nanos.of(opens));
        }
        return isHinted ? 0 : wakeTimer.left(now);
    }

    /**
     * How many of these free slots may start a job now. The limiter counts a job when its handler is entered, so places
     * are left for the runs on their way there.
     */
    private int startable(int slots) {
        LocalLimiter limiter = settings.limits().limiter();
        if (limiter == null || slots == 0) {
            return slots;
        }
        int coming = parts.slots().coming();
        return Math.max(0, limiter.available(slots + coming) - coming);
    }

    /** Drops an outcome of an earlier registration: its lease was lost. */
    private boolean isOurs(JobRow lease) {
        boolean isOurs = workerLease.id().equals(lease.lease().worker()) && !workerLease.isLost();
        if (!isOurs) {
            log.info(
                    "job {} (epoch {}): its lease was lost, so its outcome does not count",
                    lease.id(),
                    lease.lease().epoch());
        }
        return isOurs;
    }

    private void gather() {
        long most = Math.min(GATHER_MAX_NANOS, wakeTimer.turnNanos());
        long step = Math.clamp(wakeTimer.turnNanos() / 8, GATHER_STEP_MIN_NANOS, GATHER_STEP_MAX_NANOS);
        long start = shared.ticker().nanos();
        int before = parts.slots().busy();
        while (before > 0 && !parts.outcomes().isEmpty() && shared.ticker().nanos() - start < most) {
            shared.runner().rest(step);
            int after = parts.slots().busy();
            if (after >= before) {
                return;
            }
            before = after;
        }
    }

    private void turn(int free) {
        String worker = workerLease.id();
        List<EndedLease> ended = parts.outcomes().next();
        pacing.ended(ended);
        if (free > 0) {
            isHinted = false;
            claims.incrementAndGet();
        } else if (!ended.isEmpty()) {
            isHinted = true; // what goes back now may start when the limiter opens, and this turn does not look for it
        }
        long asked = shared.ticker().nanos();
        JobFit fit = free > 0 ? pacing.fit(parts.resources().fit(), asked) : JobFit.ALWAYS;
        try {
            Turn turn = shared.store()
                    .turnaround(new TurnRequest(
                            worker,
                            settings.serving().queues(),
                            free,
                            ended,
                            wakeTimer.lead(),
                            serving,
                            fit,
                            ended.isEmpty() ? lookahead.lanes() : 0));
            serving = turn.left().serving();
            settle(turn.taken(ended), turn);
            pacing.granted(turn);
            start(turn.started(), row -> granted(row, turn));
            parts.pool().taken(Math.max(parts.slots().busy(), turn.started().size()));
            if (isInDoubt && !parts.outcomes().hasUnsent()) {
                findUnknownLeases(worker);
            }
            backoff.succeed("worker " + worker);
            long now = shared.ticker().nanos();
            turnedNanos = now;
            wakeTimer.turned(asked, now);
            if (free > 0) {
                lookahead.turned(turn, now - asked);
                dueJobsTimer.turned(now);
                plan(turn, note(turn, now), !ended.isEmpty(), asked, now);
            }
        } catch (WorkerLostException lost) {
            parts.onLost().accept(worker);
        } catch (RuntimeException failure) {
            fail(worker, ended, asked, failure);
        }
    }

    private void fail(String worker, List<EndedLease> ended, long asked, RuntimeException failure) {
        doubtNanos = isInDoubt ? doubtNanos : asked;
        isInDoubt = true;
        isHinted = true;
        boolean isAboutTheStore =
                failure instanceof StoreUnavailableException || failure instanceof StoreRefusedException;
        if (!isAboutTheStore) {
            parts.outcomes().suspect(ended, failure);
        }
        pausedUntilNanos = shared.ticker().nanos() + backoff.fail("worker " + worker, failure);
    }

    private static GrantTime granted(JobRow row, Turn turn) {
        return new GrantTime(
                turn.grantedNanos(), row.lease().margin(), turn.passes().getOrDefault(row.id(), 0));
    }

    private void start(List<JobRow> rows, Function<JobRow, GrantTime> grants) {
        hold(rows);
        parts.start().start(rows, grants);
    }

    private void hold(List<JobRow> rows) {
        rows.forEach(row -> held.add(new LeaseRef(row.id(), row.lease().epoch())));
        unsettled.set(held.size());
    }

    private void forget(List<EndedLease> done) {
        for (EndedLease each : done) {
            held.remove(new LeaseRef(each.lease().id(), each.lease().lease().epoch()));
        }
        unsettled.set(held.size());
    }

    private void settle(List<EndedLease> ended, Turn turn) {
        parts.outcomes().settle(ended);
        forget(ended);
        for (Long job : turn.refused()) {
            log.info("job {}: its outcome was not taken, because its lease had ended or it had been taken before", job);
        }
        for (EndedLease each : ended) {
            if (!turn.refused().contains(each.lease().id())) {
                late.addAndGet(each.outcome() instanceof Outcome.Late ? 1 : 0);
                shared.events().tell(() -> EventText.ended(turn.asTaken(each)));
            }
        }
        shared.completions().announce(ended);
    }

    private void findUnknownLeases(String worker) {
        for (JobRow row : shared.store().holding(worker)) {
            if (held.contains(new LeaseRef(row.id(), row.lease().epoch()))) {
                continue;
            }
            boolean isTimed = row.lease().margin() > 0;
            log.info(
                    "job {} (epoch {}): leased by a turn whose answer was lost; it {}",
                    row.id(),
                    row.lease().epoch(),
                    isTimed ? "is late for its limits and goes back to its place" : "starts now");
            if (isTimed) {
                hold(List.of(row));
                parts.outcomes().put(late(row, doubtNanos));
            } else {
                start(
                        List.of(row),
                        found -> new GrantTime(doubtNanos, found.lease().margin(), 0));
            }
        }
        isInDoubt = false;
    }

    /**
     * An outcome for a lease that came too late to be used, whatever its allowance says: its grant time is not known
     * exactly.
     */
    private EndedLease late(JobRow row, long asked) {
        Duration lag = Duration.ofNanos(shared.ticker().nanos() - asked);
        return new EndedLease(row, new Outcome.Late(lag));
    }

    /** Jobs that another worker is expected to start need no turn, unless they still wait. */
    private boolean isWorthATurn() {
        if (wakeTimer.isOthers()) {
            try {
                Duration left = shared.store().glance(settings.serving().queues());
                wakeTimer.looked(left, shared.ticker().nanos());
            } catch (StoreUnavailableException down) {
                wakeTimer.unknown(); // a turn finds that out too, and handles the failure
            }
        }
        return !wakeTimer.isOthers();
    }

    /**
     * Notes which jobs were passed over. Returns after how many nanoseconds to look again for them; negative if that is
     * not needed.
     */
    private long note(Turn turn, long now) {
        long again = parts.resources().note(pacing.note(turn.left().passed()));
        long paced = pacing.lookAgain(now);
        return paced < 0 || (again >= 0 && again < paced) ? again : paced;
    }

    private void plan(Turn turn, long again, boolean hasEnded, long asked, long now) {
        wakeTimer.plan(turn, hasEnded || turn.hasMoved(), asked, now);
        if (again >= 0) {
            wakeTimer.lookWithin(again, now);
        }
        boolean isMore = Duration.ZERO.equals(turn.nextWake())
                || again == 0
                || pacing.hasPassed(); // these could start, and are only left for a moment
        if (!isMore && turn.started().isEmpty() && !isHinted && held.isEmpty()) {
            idleClaim = claims.get();
        }
    }
}

package dev.headgate.proof.simulation;

import dev.headgate.handler.JobContext;
import dev.headgate.handler.PermanentFailure;
import dev.headgate.handler.RetryLater;
import dev.headgate.handler.TooLate;
import dev.headgate.internal.worker.LoopRunner.HandlerRun;
import dev.headgate.proof.simulation.Handlings.Manner;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where handlers work: each is reached some time after its grant, takes a made-up time, makes its call somewhere in between,
 * hears of an interruption or does not, and then does in an instant whatever else it does. Keeps the handlers' own history.
 */
final class Theatre {
    private static final long MILLI = 1_000_000;
    private static final long NOT_YET = Long.MAX_VALUE;

    /** How long a handler waits for a new start, in all. */
    private static final long PATIENCE_NANOS = 700 * MILLI;

    private final Timeline timeline;
    private final Options options;
    private final Handlings history;
    private boolean isCalm;
    private int lagPerMille;
    private @Nullable Act current;

    Theatre(Timeline timeline, Options options, Handlings history) {
        this.timeline = timeline;
        this.options = options;
        this.history = history;
        this.lagPerMille = options.lagPerMille();
    }

    /** From now on every handler does its work well. */
    void calm() {
        isCalm = true;
        lagPerMille = 0;
    }

    /** From now on so many starts take long from their grant to their handler. */
    void lag(int perMille) {
        lagPerMille = perMille;
    }

    /** One handler at work. */
    private final class Act {
        private final Host host;
        private final HandlerRun shift;
        private final Dice dice;
        private final int life;
        private final boolean isDeaf;
        private final long slowness;
        private long callsAt;
        private long endsAt = NOT_YET;
        private int version;
        private boolean isInterrupted;
        private boolean hasCalled;
        private boolean isDeparting;

        /** How many waited when it asked for its call; if more rest, this handler is not the one that rests. */
        private int restsAt = -1;

        private long patience = PATIENCE_NANOS;

        private Act(Host host, HandlerRun shift, Dice dice) {
            this.host = host;
            this.shift = shift;
            this.dice = dice;
            this.life = host.life();
            this.isDeaf = !isCalm && dice.perMille(options.deafPerMille());
            this.slowness = dice.spread(MILLI / 10, options.leaseNanos() / 16);
        }

        /** From the grant to the handler most take little time; some take long enough to be late. */
        private void come() {
            history.taken(host, shift.job());
            long lag = dice.perMille(lagPerMille)
                    ? dice.between(100 * MILLI, 600 * MILLI)
                    : dice.spread(1_000, isCalm ? MILLI : 10 * MILLI);
            timeline.after(lag, host, this::begin);
        }

        private void begin() {
            shift.begin(this::interrupted);
            if (!shift.enter()) {
                history.notEntered(shift.job(), shift.epoch());
                return;
            }
            history.started(host, shift.job(), shift.epoch(), new Manner(!isDeaf, slowness));
            long most = isCalm ? 20 * MILLI : options.runNanosMax();
            endsAt = timeline.now() + (isInterrupted && !isDeaf ? slowness : length(most));
            plan();
            planCall();
        }

        /** Most are short; where heartbeats are slow, some are as long as a lease. */
        private long length(long most) {
            boolean isLong = !isCalm && options.delays().beatPerMille() > 0 && dice.oneIn(2);
            return isLong ? dice.between(options.leaseNanos() / 4, most) : dice.spread(MILLI / 4, most);
        }

        /** While its limits cover it, and as late as that now and then. */
        private void planCall() {
            StartRef ref = new StartRef(shift.job(), shift.epoch());
            isDeparting = !options.isGentle() && !isCalm && history.callers().isTimed(ref) && dice.oneIn(3);
            if (isDeparting) {
                callsAt = NOT_YET; // it prepares until its end, asks for a start in time, and calls
                return;
            }
            boolean isUntilEnd = history.callers().isOpen(ref) && dice.oneIn(2);
            long latest = isUntilEnd ? endsAt : history.callers().coveredUntil(ref, endsAt);
            callsAt = switch (dice.below(4)) {
                case 0 -> timeline.now();
                case 1 -> latest;
                default -> dice.between(timeline.now(), latest);
            };
            timeline.at(callsAt, host, this::call);
        }

        private boolean call() {
            if (hasCalled) {
                return false;
            }
            hasCalled = true;
            history.called(shift.job(), shift.epoch());
            return true;
        }

        private void interrupted() {
            isInterrupted = true;
            if (!isDeaf && endsAt != NOT_YET && endsAt - timeline.now() > slowness) {
                endsAt = timeline.now() + slowness;
                plan();
            }
        }

        private void plan() {
            if (host.life() != life) {
                return; // what a dead process still says
            }
            int planned = ++version;
            timeline.at(endsAt, host, () -> planned == version && end());
        }

        private boolean end() {
            history.worked(host, life, shift.job(), shift.epoch());
            if (callsAt <= timeline.now()) {
                call();
            }
            hasCalled |= !isDeparting; // or never
            Act before = current;
            current = this;
            try {
                shift.work();
            } finally {
                current = before;
                history.ended(host, life, shift.job(), shift.epoch());
            }
            return true;
        }
    }

    /** A handler waits, if one is at work, and others go on. A rest in the middle of a round does not count. */
    void rest(long nanos) {
        Act act = current;
        if (act == null || act.restsAt != timeline.waiting()) {
            return;
        }
        act.patience -= nanos;
        if (isCalm || act.patience < 0) {
            throw new MadeToFail("waits no longer for its start"); // calls that began before it return only after it
        }
        current = null;
        try {
            timeline.rest(nanos);
            timeline.rest(act.host.pausedUntil() - timeline.now());
        } finally {
            current = act;
        }
        if (act.host.life() != act.life) {
            throw Crashed.NOW;
        }
    }

    /** A handler that has prepared its call for long asks before it makes it. */
    private void depart(JobContext job, Act act) {
        if (!act.isDeparting || timeline.isCrowded()) {
            return;
        }
        act.restsAt = timeline.waiting();
        try {
            job.beforeCall();
        } catch (TooLate late) {
            history.tooLate(job.id().value(), job.epoch());
            throw late;
        } finally {
            act.restsAt = -1;
        }
        history.departs(job.id().value(), job.epoch());
        act.call();
    }

    void open(Host host, HandlerRun shift, Dice dice) {
        new Act(host, shift, dice).come();
    }

    /** What the handler does: the code that is registered for every job type. */
    @Nullable
    Object handle(Payload payload, JobContext job) {
        Act act = current;
        if (act == null) {
            throw new IllegalStateException("job %s: its handler runs outside of the simulation".formatted(job.id()));
        }
        Thread.interrupted();
        Dice dice = act.dice;
        if (job.isCancelled() && !act.isDeaf) {
            job.checkCancelled();
        }
        depart(job, act);
        settle(payload, job, dice);
        if (dice.oneIn(12)) {
            job.log("line");
            job.progress(dice.below(101), "on its way");
        }
        return isCalm ? "done" : outcome(payload, job, act, dice);
    }

    private void settle(Payload payload, JobContext job, Dice dice) {
        if (payload.gates().isEmpty() || isCalm || !dice.oneIn(6)) {
            return;
        }
        String gate = dice.pick(payload.gates());
        long units = dice.below(8);
        try {
            job.settle(gate, units);
            history.settled(job.id().value(), job.epoch(), gate, units);
        } catch (IllegalStateException abandoned) {
            // The worker no longer waits for this handler.
        }
    }

    private @Nullable Object outcome(Payload payload, JobContext job, Act act, Dice dice) {
        List<String> gates = payload.gates();
        int roll = dice.below(100);
        if (roll < options.failPercent()) {
            throw new MadeToFail(dice.oneIn(30) ? "x".repeat(20_000) : "made to fail");
        } else if (roll < options.failPercent() + 3) {
            throw RetryLater.after(Duration.ofMillis(dice.oneIn(2) ? 0 : dice.below(1_500)), "not now");
        } else if (roll < options.failPercent() + 4) {
            long wall = options.startMicros() + timeline.now() / 1_000 + act.host.wallOffsetMicros();
            throw RetryLater.at(Instant.ofEpochSecond(wall / 1_000_000 + dice.below(3)), "not before");
        } else if (roll < options.failPercent() + 5) {
            throw new PermanentFailure("made to fail for good");
        } else if (roll < options.failPercent() + 8 && !gates.isEmpty()) {
            Duration wait = dice.oneIn(2) ? null : Duration.ofMillis(dice.below(900));
            if (dice.oneIn(2)) {
                throw job.pushedBack(dice.pick(gates), wait);
            }
            throw RetryLater.pushedBack(dice.pick(gates), wait);
        }
        return payload.token();
    }
}

package dev.headgate.internal.workflow;

import dev.headgate.internal.lease.TurnRequest;
import dev.headgate.internal.run.BudgetExcess;
import dev.headgate.internal.run.BudgetLedger.Bill;
import dev.headgate.internal.run.FrameView.Phase;
import dev.headgate.internal.run.Move;
import dev.headgate.internal.run.SteeringMessage;
import dev.headgate.internal.run.SteeringMessage.Why;
import dev.headgate.internal.run.StepType;
import dev.headgate.internal.text.Served;
import dev.headgate.internal.time.Micros;
import dev.headgate.internal.workflow.StepOutcome.How;
import dev.headgate.job.JobSpec.FrameRef;
import dev.headgate.limit.Spans;
import dev.headgate.run.Guardrail;
import dev.headgate.run.RunEvent.Kind;
import dev.headgate.run.RunState;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.Wake;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Moves workflow runs on, in the transaction that ended their jobs and for all of them together. A frame moves only from
 * the revision that made the job, so a step counts once, and what it leads to is created once. Work is charged to the
 * root's budget before it is created; what the budget does not cover is not created, and the run stops before it.
 *
 * <p>Design note: the lock of a tree is the row of its root, taken after all job rows of the turn and before the worker's.
 * It is the one row that every move of a tree must write anyway, for the budget.
 */
public final class Advance {
    private static final int SWEEP_EVERY = 64;

    private final StoreTransaction tx;
    private final FrameSet frames;
    private final Forks forks;
    private final SignalWaiters waiting;

    Advance(StoreTransaction tx, FrameSet frames) {
        this.tx = tx;
        this.frames = frames;
        this.forks = new Forks(tx, frames, this);
        this.waiting = new SignalWaiters(tx, frames);
    }

    /** Returns whether there is new work. Costs nothing if no step has ended. */
    public static boolean run(StoreTransaction tx, List<StepOutcome> ends, long now, Set<Wake> wakes) {
        List<StepOutcome> moving =
                ends.stream().filter(end -> end.how() != How.BACK).toList();
        if (moving.isEmpty()) {
            return false;
        }
        FrameSet frames = new FrameSet(tx, now);
        frames.lock(moving.stream().map(end -> end.frame().frame()).toList());
        Advance advance = new Advance(tx, frames);
        Set<Long> signals = advance.takeSignals(moving);
        // Moves that have used a signal go first: a timer that rang in the same turn must not lose it.
        moving.stream().filter(Advance::usesSignal).forEach(end -> advance.end(end, signals));
        moving.stream().filter(end -> !usesSignal(end)).forEach(end -> advance.end(end, signals));
        advance.finish(wakes);
        return frames.hasJobs();
    }

    /**
     * The same in a turnaround. Queues that its worker serves need no wake-up: it looks again itself, and tells others if it
     * is full.
     */
    public static boolean inTurn(
            StoreTransaction tx, List<StepOutcome> ends, long now, TurnRequest request, Set<Wake> wakes) {
        Set<Wake> news = new HashSet<>();
        boolean isNew = run(tx, ends, now, news);
        news.removeIf(wake -> wake instanceof Wake.Queue(String queue) && Served.covers(request.queues(), queue));
        wakes.addAll(news);
        return isNew;
    }

    /** Joins what is complete, tells waiting frames of signals that were there before them, and writes. */
    boolean finish(Set<Wake> wakes) {
        forks.close();
        waiting.tell();
        return frames.save(wakes);
    }

    private Set<Long> takeSignals(List<StepOutcome> ends) {
        List<Long> wanted = new ArrayList<>();
        for (StepOutcome end : ends) {
            Move move = end.move();
            if (move != null && move.signal() != null && current(end) != null) {
                wanted.add(move.signal());
            }
        }
        return wanted.isEmpty() ? Set.of() : new HashSet<>(tx.frames().takeSignals(wanted));
    }

    private static boolean usesSignal(StepOutcome end) {
        return end.move() != null && end.move().signal() != null;
    }

    /** The frame of this job, if it is still the job's to move. */
    private @Nullable FrameEdit current(StepOutcome end) {
        FrameEdit frame = frames.find(end.frame().frame());
        boolean isCurrent =
                frame != null && !frame.state.isTerminal() && end.frame().isFor(frame.revision);
        return isCurrent ? frame : null;
    }

    private void end(StepOutcome end, Set<Long> signals) {
        settle(end);
        FrameEdit frame = current(end);
        if (frame == null) {
            return;
        }
        switch (end.how()) {
            case DONE -> done(frame, end, signals);
            case RETRIED -> retried(frame, end);
            case FAILED, CANCELLED -> failed(frame, end);
            case BACK -> {}
        }
    }

    /** Whatever has become of the run, an attempt was made. */
    private void settle(StepOutcome end) {
        FrameEdit frame = frames.find(end.frame().frame());
        if (frame != null && !StepType.isControl(end.job().type())) {
            frames.rootOf(frame).ledger().settle(end.job().cost().units());
        }
    }

    private void done(FrameEdit frame, StepOutcome end, Set<Long> signals) {
        Move move = end.move();
        if (move == null) {
            return;
        }
        if (end.isOutOfDate(frame.revision) || waiting.isOvertaking(frame, move)) {
            frames.again(end.job()); // decided for what has passed: look again
            return;
        }
        if (move.signal() != null) {
            waiting.add(frame); // whether it gets this one or stays where it is, there may be one more
            boolean isTaken = signals.remove(move.signal());
            if (move.isTimed() && (move.isStay() || !isTaken)) {
                frames.again(end.job()); // its time is up all the same
            }
            if (!isTaken) { // another part of the run was faster
                return;
            }
        }
        if (move.cause() != null) {
            frames.event(frame, move.cause().kind(), move.cause().detail());
        } else if (move.signal() != null) {
            frames.event(frame, Kind.SIGNALLED, frame.awaits);
        }
        frames.artifacts(frame, move.artifacts());
        move(frame, move.to());
    }

    private void retried(FrameEdit frame, StepOutcome end) {
        if (StepType.isControl(end.job().type())) {
            return;
        }
        BudgetExcess exceeded = frames.rootOf(frame)
                .ledger()
                .charge(new Bill().attempt(end.job().cost().units()));
        if (exceeded != null && frame.phase == Phase.FORWARD) {
            halt(frame, "another attempt of step '%s'".formatted(frame.step), exceeded);
        } else if (exceeded != null) {
            leaveOut(frame, frame.phase, frame.detail, "another attempt for step '%s'".formatted(frame.step), exceeded);
            forks.sweep(frame); // the job that would have made it
        }
    }

    /** Ends a run that compensates or was cancelled, instead of stopping it before a step that its budget does not cover. */
    private void leaveOut(FrameEdit frame, Phase as, @Nullable String error, String what, BudgetExcess exceeded) {
        RunState state = as == Phase.CANCELLING ? RunState.CANCELLED : RunState.FAILED;
        end(frame, state, null, "%s (and %s was left out: %s)".formatted(error, what, exceeded));
    }

    private void failed(FrameEdit frame, StepOutcome end) {
        // The first line tells people why; the whole trace is with the attempts of the job.
        String error = end.detail() == null
                ? "it gave no reason"
                : end.detail().lines().findFirst().orElse("");
        frames.event(frame, Kind.STEP_FAILED, error);
        if (StepType.isSettling(end.job().type())) {
            end(frame, RunState.FAILED, null, error);
        } else {
            frames.control(frame, new SteeringMessage(Why.FAILED, error));
        }
    }

    /** Takes a frame to where its workflow says, or stops it before that if the budget does not cover it. */
    void move(FrameEdit frame, Move.To to) {
        switch (to) {
            case Move.Step(String step, var job) -> {
                Bill bill = entering(job.payload()).attempt(job.cost().units());
                if (enter(frame, step, job.payload(), RunState.RUNNING, bill)) {
                    frames.job(job, frame);
                }
            }
            case Move.Begin(String step, String state) -> {
                if (enter(frame, step, state, RunState.RUNNING, entering(state))) {
                    frames.control(frame, new SteeringMessage(Why.BEGIN));
                }
            }
            case Move.Sleep(String step, String state, Duration length) -> {
                if (enter(frame, step, state, RunState.SLEEPING, entering(state))) {
                    frame.dueAt = frames.in(length);
                    frames.control(frame, new SteeringMessage(Why.SLEPT), frame.ref(), length);
                }
            }
            case Move.Await(String step, String state, String signal, Duration timeout) ->
                await(frame, step, state, signal, timeout == null ? null : frames.in(timeout));
            case Move.Remain(String step, String state, String signal) ->
                await(frame, step, state, signal, frame.dueAt);
            case Move.Finish(String step, String state) -> {
                if (enter(frame, step, state, RunState.RUNNING, entering(state))) {
                    end(frame, RunState.SUCCEEDED, state, null);
                }
            }
            case Move.Fork fork -> forks.fork(frame, fork);
            case Move.Unwind unwind -> unwind(frame, unwind);
            case Move.Done(String state) -> {
                if (fits(frame, state)) {
                    end(frame, RunState.SUCCEEDED, state, null);
                }
            }
            case Move.Failed(String error) -> end(frame, RunState.FAILED, null, error);
            case Move.Cancelled(String reason) -> end(frame, RunState.CANCELLED, null, reason);
            case Move.Overdue overdue -> overdue(frames.rootOf(frame));
            case Move.Arrived(String signal) ->
                waiting.arrived(frame.before().tree().run(), signal);
            case Move.Stay stay -> {}
        }
    }

    private void await(FrameEdit frame, String step, String state, String signal, @Nullable Long dueAt) {
        if (!enter(frame, step, state, RunState.AWAITING, entering(state))) {
            return;
        }
        frame.awaits = signal;
        waiting.add(frame);
        if (dueAt != null) {
            frame.dueAt = dueAt; // also if that has passed: what is sent after it must not count as sent before
            frames.control(frame, new SteeringMessage(Why.TIMED_OUT), frame.ref(), frames.until(dueAt));
            if (frame.revision % SWEEP_EVERY == 0) {
                forks.sweep(frame); // or timers of revisions that have passed would pile up until they are due
            }
        }
    }

    /** Stops a tree whose wall time is up. If it was topped up meanwhile, its timer is set anew. */
    private void overdue(FrameEdit root) {
        long limit = root.ledger().limit(Guardrail.WALL_TIME);
        long past = frames.now() - root.before().life().startedAt();
        if (past < limit) {
            timer(root, limit - past);
        } else if (!root.state.isTerminal()
                && root.halt != RunState.BUDGET_EXCEEDED
                && root.phase != Phase.CANCELLING) { // a cancelled run must be able to end
            BudgetExcess exceeded = new BudgetExcess(Guardrail.WALL_TIME, limit, past, past);
            frames.event(root, Kind.BUDGET_EXCEEDED, exceeded.toString());
            root.detail = exceeded.toString();
            root.ledger().stop(exceeded.guardrail());
            root.halt = RunState.BUDGET_EXCEEDED;
        }
    }

    /** Sets the clocks of a new run. */
    void clocks(FrameEdit run, @Nullable Duration deadline) {
        if (deadline != null) {
            FrameRef any = new FrameRef(run.id(), FrameRef.ANY_REVISION);
            frames.control(run, new SteeringMessage(Why.DEADLINE, Spans.text(deadline)), any, deadline);
        }
        long wallTime = run.id() == run.root() ? run.ledger().limit(Guardrail.WALL_TIME) : Long.MAX_VALUE;
        if (wallTime < Long.MAX_VALUE) {
            timer(run, wallTime);
        }
    }

    /** A job that looks at the wall time when it is up. */
    void timer(FrameEdit root, long micros) {
        frames.control(
                root,
                new SteeringMessage(Why.OVERDUE),
                new FrameRef(root.id(), FrameRef.ANY_REVISION),
                Micros.duration(micros));
    }

    private boolean fits(FrameEdit frame, String state) {
        BudgetExcess exceeded =
                frames.rootOf(frame).ledger().charge(new Bill().add(Guardrail.STATE_BYTES, bytes(state)));
        if (exceeded != null) {
            end(frame, RunState.FAILED, null, "its result: %s".formatted(exceeded));
        }
        return exceeded == null;
    }

    static Bill entering(String state) {
        return new Bill().add(Guardrail.TRANSITIONS, 1).add(Guardrail.STATE_BYTES, bytes(state));
    }

    static long bytes(String state) {
        return state.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Puts a frame into a step; false if its budget does not cover the bill, and then it stands before the step. */
    boolean enter(FrameEdit frame, String step, String state, RunState as, Bill bill) {
        BudgetExcess exceeded = frames.rootOf(frame).ledger().charge(bill);
        boolean isFirst = frame.events == 0;
        frame.revision++;
        frame.step = step;
        frame.awaits = null;
        frame.dueAt = null;
        frame.children = null;
        frame.detail = null;
        if (exceeded != null) {
            String why = "step '%s': %s".formatted(step, exceeded);
            frames.entered(frame, Kind.BUDGET_EXCEEDED, step, why, state);
            stop(frame, why, exceeded);
            return false;
        }
        frames.entered(frame, isFirst ? Kind.STARTED : Kind.ENTERED, step, null, state);
        frame.state = as;
        return true;
    }

    /** Stops a frame where it is: what it asked for is not created until it is resumed. */
    void halt(FrameEdit frame, String what, BudgetExcess exceeded) {
        String why = "%s: %s".formatted(what, exceeded);
        frames.event(frame, Kind.BUDGET_EXCEEDED, why);
        stop(frame, why, exceeded);
    }

    private void stop(FrameEdit frame, String why, BudgetExcess exceeded) {
        frame.state = RunState.BUDGET_EXCEEDED;
        frame.detail = why;
        FrameEdit root = frames.rootOf(frame);
        root.ledger().stop(exceeded.guardrail());
        if (!root.state.isTerminal()) { // else what it has spawned and not waited for stops one by one
            root.halt = root.halt == RunState.PAUSED ? RunState.PAUSED : RunState.BUDGET_EXCEEDED;
            root.detail = why;
        }
    }

    /** A compensation leaves the frame where it failed, so that it can be retried from there. */
    private void unwind(FrameEdit frame, Move.Unwind unwind) {
        BudgetExcess exceeded = frames.rootOf(frame)
                .ledger()
                .charge(entering(unwind.job().payload())
                        .attempt(unwind.job().cost().units()));
        if (exceeded != null) {
            leaveOut(frame, unwind.phase(), unwind.error(), "step '%s'".formatted(unwind.step()), exceeded);
            return;
        }
        forks.abandon(frame);
        frame.revision++;
        frame.phase = unwind.phase();
        frame.detail = unwind.error();
        frame.state = RunState.RUNNING;
        frame.awaits = null;
        frame.dueAt = null;
        frames.passed(frame, Kind.UNWINDING, unwind.step(), unwind.job().payload());
        frames.job(unwind.job(), frame);
    }

    /** Cancels a run and all below it. */
    void cancel(FrameEdit run, List<FrameEdit> tree, String why) {
        forks.cancel(run, tree, why);
    }

    /** What a frame has forked is no longer needed. */
    void abandon(FrameEdit frame) {
        forks.abandon(frame);
    }

    /** Ends a frame, and counts it for the frame that waits for it. */
    void end(FrameEdit frame, RunState as, @Nullable String result, @Nullable String detail) {
        forks.abandon(frame);
        frame.revision++;
        frame.state = as;
        frame.result = result;
        frame.detail = detail;
        frame.awaits = null;
        frame.dueAt = null;
        frame.endedAt = frames.now();
        if (frame.id() == frame.root()) {
            if (frame.halt != null || frame.ledger().limit(Guardrail.WALL_TIME) < Long.MAX_VALUE) {
                forks.sweep(frame); // its timer, and what was set aside of those that it has spawned
            }
            frame.halt = null;
        }
        frames.event(
                frame,
                switch (as) {
                    case SUCCEEDED -> Kind.SUCCEEDED;
                    case CANCELLED -> Kind.CANCELLED;
                    default -> Kind.FAILED;
                },
                detail);
        forks.ended(frame);
    }
}

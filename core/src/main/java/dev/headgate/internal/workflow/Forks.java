package dev.headgate.internal.workflow;

import dev.headgate.internal.run.BudgetExcess;
import dev.headgate.internal.run.BudgetLedger.Bill;
import dev.headgate.internal.run.FrameView.Phase;
import dev.headgate.internal.run.Move.Child;
import dev.headgate.internal.run.Move.Definition;
import dev.headgate.internal.run.Move.Fork;
import dev.headgate.internal.run.SteeringMessage;
import dev.headgate.internal.run.SteeringMessage.Why;
import dev.headgate.job.JobSpec.FrameRef;
import dev.headgate.run.Guardrail;
import dev.headgate.run.RunEvent.Kind;
import dev.headgate.run.RunState;
import dev.headgate.spi.FrameRow;
import dev.headgate.spi.FrameRow.Guard;
import dev.headgate.spi.FrameRow.Life;
import dev.headgate.spi.FrameRow.Position;
import dev.headgate.spi.FrameRow.Program;
import dev.headgate.spi.FrameRow.Tree;
import dev.headgate.spi.FrameRow.Waits;
import dev.headgate.spi.StoreTransaction;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Branches, items and child runs: made together, counted once per turn and parent. The parent holds nothing while it
 * waits; when the outcome is decided, it gets one job that reads all results once.
 */
final class Forks {
    private final StoreTransaction tx;
    private final FrameSet frames;
    private final Advance advance;
    private final Set<FrameEdit> counted = new LinkedHashSet<>();
    private final Set<Long> swept = new HashSet<>();

    Forks(StoreTransaction tx, FrameSet frames, Advance advance) {
        this.tx = tx;
        this.frames = frames;
        this.advance = advance;
    }

    void fork(FrameEdit frame, Fork fork) {
        if (fork.from() == 0) {
            begin(frame, fork);
        } else {
            goOn(frame, fork);
        }
    }

    private void begin(FrameEdit frame, Fork fork) {
        Bill bill = Advance.entering(fork.state())
                .add(Guardrail.FAN_OUT_ITEMS, fork.total())
                .add(Guardrail.DEPTH, frame.before().tree().depth() + 1L);
        if (!fork.children().isEmpty() && fork.children().getFirst().run() != null) {
            bill.add(Guardrail.CHILD_RUNS, fork.total());
        }
        charge(bill, fork.children());
        if (!advance.enter(frame, fork.step(), fork.state(), RunState.JOINING, bill)) {
            return;
        }
        frame.children = ForkCount.of(fork.join(), fork.total());
        create(frame, fork);
        counted.add(frame); // nothing to wait for is complete at once
    }

    private void goOn(FrameEdit frame, Fork fork) {
        ForkCount count = frame.children;
        if (count == null || !count.isOpen() || count.created() != fork.from() || count.total() != fork.total()) {
            return;
        }
        Bill bill = new Bill();
        charge(bill, fork.children());
        BudgetExcess exceeded = frames.rootOf(frame).ledger().charge(bill);
        if (exceeded == null) {
            frame.state = RunState.JOINING;
            create(frame, fork);
        } else {
            advance.halt(frame, "step '%s' from item %d on".formatted(fork.step(), fork.from()), exceeded);
        }
    }

    private static void charge(Bill bill, List<Child> children) {
        for (Child child : children) {
            bill.add(Guardrail.TRANSITIONS, 1).add(Guardrail.STATE_BYTES, Advance.bytes(child.state()));
            if (child.job() != null) {
                bill.attempt(child.job().cost().units());
            }
        }
    }

    private void create(FrameEdit parent, Fork fork) {
        List<Long> ids = frames.ids(fork.children().size());
        for (int i = 0; i < ids.size(); i++) {
            create(parent, fork, fork.children().get(i), ids.get(i), fork.from() + i);
        }
        ForkCount before = parent.children == null ? ForkCount.of(fork.join(), fork.total()) : parent.children;
        ForkCount count = before.created(ids.size());
        parent.children = count;
        if (count.created() < count.total()) {
            frames.control(parent, new SteeringMessage(Why.FORKING));
        } else if (fork.isDetached()) {
            parent.children = count.closed();
            frames.control(parent, new SteeringMessage(Why.JOINED));
        }
    }

    private void create(FrameEdit parent, Fork fork, Child child, long id, int place) {
        FrameRow above = parent.before();
        Definition run = child.run();
        FrameEdit frame = frames.add(new FrameRow(
                id,
                new Tree(
                        above.tree().root(),
                        run == null ? above.tree().run() : id,
                        above.id(),
                        fork.isDetached() ? 0 : parent.revision,
                        place,
                        above.tree().depth() + 1),
                run == null
                        ? new Program(
                                child.name(),
                                above.program().workflow(),
                                above.program().version(),
                                above.program().queue(),
                                above.program().priority(),
                                null,
                                above.program().attributes())
                        : new Program(
                                child.name(),
                                run.workflow(),
                                run.version(),
                                run.queue(),
                                above.program().priority(),
                                null,
                                above.program().attributes()),
                Position.start(child.step(), 1),
                Waits.NONE,
                Life.from(frames.now()),
                Guard.NONE));
        frames.entered(frame, Kind.STARTED, child.step(), null, child.state());
        if (child.job() == null) {
            frames.control(frame, new SteeringMessage(Why.BEGIN));
        } else {
            frames.job(child.job(), frame);
        }
        if (run != null) {
            advance.clocks(frame, run.deadline());
        }
    }

    /** Counts a child that has ended; one that its parent no longer waits for counts for nothing. */
    void ended(FrameEdit child) {
        Long above = child.before().tree().parent();
        FrameEdit parent = above == null ? null : frames.find(above);
        boolean isAwaited = parent != null
                && !parent.state.isTerminal()
                && parent.children != null
                && parent.children.isOpen()
                && child.before().tree().fork() == parent.revision;
        if (parent != null && parent.children != null && isAwaited) {
            parent.children = parent.children.ended(child.state == RunState.SUCCEEDED);
            counted.add(parent);
        }
    }

    /** Wakes every parent whose outcome is decided, and cancels what it no longer needs. */
    void close() {
        for (FrameEdit parent : List.copyOf(counted)) {
            ForkCount count = parent.children;
            boolean isWaiting = count != null && count.isOpen() && !parent.state.isTerminal();
            if (count != null && isWaiting && count.isDecided()) {
                parent.children = count.closed();
                frames.control(parent, new SteeringMessage(Why.JOINED));
                if (count.hasLosers()) {
                    cancelChildren(parent, parent.revision, "no longer needed by step '%s'".formatted(parent.step));
                    sweep(parent);
                }
            }
        }
    }

    /** A frame goes another way than through its join: what it had made is no longer needed. */
    void abandon(FrameEdit frame) {
        ForkCount count = frame.children;
        if (count != null && count.isOpen()) {
            frame.children = count.closed();
            cancelChildren(frame, frame.revision, "its run went another way");
            sweep(frame);
        }
    }

    private void cancelChildren(FrameEdit parent, long fork, String why) {
        if (parent.isNew) {
            return;
        }
        for (FrameRow row : tx.frames().children(parent.id(), fork)) {
            FrameEdit child = frames.know(row);
            if (!child.state.isTerminal()) {
                cancel(child, why);
            }
        }
    }

    /** Marks a frame and all below it; their jobs are left to the sweep, which takes locks in the right order. */
    private void cancel(FrameEdit frame, String why) {
        if (frame.children != null && frame.children.isOpen()) {
            cancelChildren(frame, frame.revision, why);
            frame.children = frame.children.closed();
        }
        if (frame.before().isRun()) {
            ask(frame, why);
            return;
        }
        frame.revision++;
        frame.state = RunState.CANCELLED;
        frame.detail = why;
        frame.awaits = null;
        frame.dueAt = null;
        frame.endedAt = frames.now();
        frames.event(frame, Kind.CANCELLED, why);
    }

    /** Cancels a run and all below it; {@code tree} holds at least those, parents before children. */
    void cancel(FrameEdit run, List<FrameEdit> tree, String why) {
        Set<Long> inside = new HashSet<>(Set.of(run.id()));
        for (FrameEdit frame : tree) {
            Long parent = frame.before().tree().parent();
            if (parent != null && inside.contains(parent)) {
                inside.add(frame.id());
                frame.children = frame.children == null ? null : frame.children.closed();
                if (!frame.state.isTerminal()) {
                    cancel(frame, why);
                }
            }
        }
        run.children = run.children == null ? null : run.children.closed();
        ask(run, why);
        sweep(run);
    }

    /** A run may have compensations: a worker that knows its workflow ends it. */
    void ask(FrameEdit run, String why) {
        run.revision++;
        run.phase = Phase.CANCELLING;
        run.state = RunState.RUNNING;
        run.detail = why;
        run.awaits = null;
        run.dueAt = null;
        frames.event(run, Kind.CANCEL_REQUESTED, why);
        frames.control(run, new SteeringMessage(Why.CANCELLED, why));
    }

    /** One job per tree and transaction that ends the jobs of what was cancelled. */
    void sweep(FrameEdit frame) {
        if (swept.add(frame.root())) {
            FrameEdit root = frames.rootOf(frame);
            frames.control(
                    root, new SteeringMessage(Why.SWEEP), new FrameRef(root.id(), FrameRef.ALWAYS), Duration.ZERO);
        }
    }
}

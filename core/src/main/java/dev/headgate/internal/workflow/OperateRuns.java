package dev.headgate.internal.workflow;

import dev.headgate.internal.lane.Arrivals;
import dev.headgate.internal.run.BudgetExcess;
import dev.headgate.internal.run.BudgetLedger.Bill;
import dev.headgate.internal.run.FrameView.Phase;
import dev.headgate.internal.run.SendResult;
import dev.headgate.internal.run.SteeringMessage;
import dev.headgate.internal.run.SteeringMessage.Why;
import dev.headgate.job.JobSpec.FrameRef;
import dev.headgate.job.JobState;
import dev.headgate.job.OperationResult;
import dev.headgate.run.Guardrail;
import dev.headgate.run.RunEvent.Kind;
import dev.headgate.run.RunState;
import dev.headgate.spi.EventRow;
import dev.headgate.spi.FrameRow;
import dev.headgate.spi.HeadOfLane;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.Wake;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What people and programs do to runs from outside. */
final class OperateRuns {
    private static final int BATCH_MAX = 500;
    private static final int PAGE = 1_000;

    private final StoreTransaction tx;
    private final Set<Wake> wakes;
    private final FrameSet frames;

    OperateRuns(StoreTransaction tx, Set<Wake> wakes) {
        this.tx = tx;
        this.wakes = wakes;
        this.frames = new FrameSet(tx, tx.now());
    }

    /** The run with its tree locked, if there is such a run. */
    private @Nullable FrameEdit lock(long id) {
        frames.lock(List.of(id));
        FrameEdit run = frames.find(id);
        return run == null || !run.before().isRun() ? null : run;
    }

    private OperationResult done() {
        frames.save(wakes);
        return OperationResult.DONE;
    }

    /** Where the story of a whole tree is told: at its root, or at what outlives that. */
    private FrameEdit spokesman(FrameEdit run) {
        FrameEdit root = frames.rootOf(run);
        return root.state.isTerminal() ? run : root;
    }

    SendResult signal(long id, String name, String json) {
        FrameEdit run = lock(id);
        if (run == null) {
            return SendResult.UNKNOWN;
        }
        if (run.state.isTerminal() || run.phase == Phase.CANCELLING) {
            return SendResult.ENDED;
        }
        tx.frames().addSignal(id, name, json, tx.now());
        new SignalWaiters(tx, frames).arrived(id, name);
        frames.save(wakes);
        return SendResult.NEW;
    }

    @Nullable
    OperationResult pause(long id, String reason) {
        FrameEdit run = lock(id);
        if (run == null) {
            return null;
        }
        FrameEdit root = frames.rootOf(run);
        if (root.state.isTerminal() || root.halt == RunState.PAUSED) {
            return OperationResult.WRONG_STATE;
        }
        root.halt = RunState.PAUSED;
        frames.event(root, Kind.PAUSED, reason);
        return done();
    }

    /** Lets a paused run go on, and one that its budget stopped, if that covers what it asked for. */
    @Nullable
    OperationResult resume(long id, String reason) {
        FrameEdit run = lock(id);
        if (run == null) {
            return null;
        }
        FrameEdit root = frames.rootOf(run);
        List<FrameEdit> tree = loadTree(root);
        boolean isStopped =
                root.halt != null || tree.stream().anyMatch(frame -> frame.state == RunState.BUDGET_EXCEEDED);
        if (run.state.isTerminal() || !isStopped) {
            return OperationResult.WRONG_STATE;
        }
        boolean wasStopped = root.halt == RunState.BUDGET_EXCEEDED;
        root.halt = null;
        root.ledger().resume();
        frames.event(spokesman(run), Kind.RESUMED, reason);
        restart(root);
        tree.forEach(this::restart);
        if (wasStopped
                && frames.now() - root.before().life().startedAt()
                        >= root.ledger().limit(Guardrail.WALL_TIME)) {
            return OperationResult.WRONG_STATE;
        }
        if (root.ledger().limit(Guardrail.WALL_TIME) < Long.MAX_VALUE && wasStopped) {
            new Advance(tx, frames)
                    .timer(
                            root,
                            root.ledger().limit(Guardrail.WALL_TIME)
                                    - frames.now()
                                    + root.before().life().startedAt());
        }
        return done();
    }

    /** Takes a frame that its budget stopped back to the work it asked for. */
    private void restart(FrameEdit frame) {
        if (frame.state != RunState.BUDGET_EXCEEDED) {
            return;
        }
        frame.state = RunState.RUNNING;
        frame.detail = null;
        List<JobRow> waiting = tx.jobs().findAll(tx.frames().jobsOf(frame.id())).stream()
                .filter(job -> isStepOf(job, frame))
                .toList();
        if (waiting.isEmpty()) {
            frames.control(frame, new SteeringMessage(Why.RESUMED));
        } else {
            // Another attempt was denied: its job is still there, and now it is paid for or stopped again.
            waiting.forEach(job -> charge(frame, job));
        }
    }

    private static boolean isStepOf(JobRow job, FrameEdit frame) {
        FrameRef ref = job.spec().frame();
        return ref != null && ref.revision() == frame.revision;
    }

    private void charge(FrameEdit frame, JobRow job) {
        BudgetExcess exceeded = frames.rootOf(frame)
                .ledger()
                .charge(new Bill().attempt(job.spec().cost().units()));
        if (exceeded != null) {
            new Advance(tx, frames).halt(frame, "another attempt of step '%s'".formatted(frame.step), exceeded);
        }
    }

    private List<FrameEdit> loadTree(FrameEdit root) {
        List<FrameEdit> tree = new ArrayList<>();
        long after = 0;
        List<FrameRow> page;
        do {
            page = tx.frames().tree(root.id(), after, PAGE);
            for (FrameRow row : page) {
                after = row.id();
                tree.add(frames.know(row));
            }
        } while (page.size() == PAGE);
        return tree;
    }

    /**
     * Puts jobs that were set aside while the tree of this run was stopped back to their places, unless it is stopped now.
     * Locks jobs only: see the order of locks.
     */
    boolean unpark(long run) {
        List<FrameRow> found = tx.frames().find(List.of(run));
        long root = found.isEmpty() ? run : found.getFirst().tree().root();
        boolean isHalted = tx.frames().find(List.of(root)).stream()
                .anyMatch(row -> row.guard().halt() != null);
        List<Long> parked = isHalted ? List.of() : tx.frames().parkedJobs(root);
        if (parked.isEmpty()) {
            return false;
        }
        parked.forEach(job -> tx.jobs().lock(job));
        List<HeadOfLane> heads = tx.jobs().unpark(parked, tx.now());
        tx.lanes()
                .ring(Arrivals.oldestPerLane(
                        heads.stream().filter(head -> !head.lane().isPlain()).toList()));
        heads.forEach(head -> wakes.add(new Wake.Queue(head.lane().queue())));
        return true;
    }

    @Nullable
    OperationResult cancel(long id, String reason) {
        FrameEdit run = lock(id);
        if (run == null) {
            return null;
        }
        if (run.state.isTerminal() || run.phase == Phase.CANCELLING) {
            return OperationResult.WRONG_STATE;
        }
        FrameEdit root = frames.rootOf(run);
        if (root == run) {
            root.halt = null;
        }
        Advance advance = new Advance(tx, frames);
        advance.cancel(run, loadTree(root), reason);
        advance.finish(wakes);
        return OperationResult.DONE;
    }

    /** Begins again at the step where the run failed or was cancelled, with the state it had entered it with. */
    @Nullable
    OperationResult retry(long id, String reason) {
        FrameEdit run = lock(id);
        if (run == null) {
            return null;
        }
        boolean hasEnded = run.state == RunState.FAILED || run.state == RunState.CANCELLED;
        if (!hasEnded || run.before().tree().parent() != null) {
            return OperationResult.WRONG_STATE;
        }
        List<EventRow> entered = tx.frames().events(Map.of(id, run.entered));
        return entered.isEmpty()
                ? OperationResult.WRONG_STATE
                : restartAt(run, entered.getFirst(), Kind.RETRIED, reason);
    }

    /** Begins again at the latest time it entered this step; what it had spent since is forgotten. */
    @Nullable
    OperationResult rewind(long id, String step, String reason) {
        FrameEdit run = lock(id);
        if (run == null) {
            return null;
        }
        if (run.before().tree().parent() != null) {
            return OperationResult.WRONG_STATE;
        }
        EventRow target = null;
        Set<String> entered = new LinkedHashSet<>();
        long after = 0;
        List<EventRow> page;
        do {
            page = tx.frames().events(id, after, PAGE);
            for (EventRow event : page) {
                after = event.number();
                boolean isEntry = event.kind() == Kind.STARTED || event.kind() == Kind.ENTERED;
                if (isEntry && event.step() != null && event.spent() != null) {
                    entered.add(event.step());
                    target = step.equals(event.step()) ? event : target;
                }
            }
        } while (page.size() == PAGE);
        if (target == null || target.spent() == null) {
            throw new IllegalArgumentException(
                    "rewind of run %d: expected a step that it has entered, %s, got '%s'; nothing was changed"
                            .formatted(id, entered.isEmpty() ? "and it has entered none" : "one of " + entered, step));
        }
        run.ledger().rewind(target.spent());
        return restartAt(run, target, Kind.REWOUND, reason);
    }

    private OperationResult restartAt(FrameEdit run, EventRow at, Kind kind, String reason) {
        if (at.step() == null || at.state() == null) {
            return OperationResult.WRONG_STATE;
        }
        Advance advance = new Advance(tx, frames);
        advance.abandon(run);
        run.revision++;
        run.state = RunState.RUNNING;
        run.phase = Phase.FORWARD;
        run.step = at.step();
        run.awaits = null;
        run.dueAt = null;
        run.children = null;
        run.endedAt = null;
        run.result = null;
        run.detail = null;
        frames.entered(run, kind, at.step(), reason, at.state());
        frames.control(run, new SteeringMessage(Why.RESUMED));
        advance.finish(wakes);
        return OperationResult.DONE;
    }

    @Nullable
    OperationResult topUp(long id, Guardrail guardrail, long by, String reason) {
        FrameEdit run = lock(id);
        if (run == null) {
            return null;
        }
        if (run.state.isTerminal()) {
            return OperationResult.WRONG_STATE;
        }
        FrameEdit root = frames.rootOf(run);
        long limit = root.ledger().limit(guardrail);
        if (limit == guardrail.most()) {
            throw new IllegalArgumentException(
                    "top-up of run %d: expected a limit that can rise, got %s, which is %s already"
                            .formatted(id, guardrail.title(), guardrail.text(limit)));
        }
        if (by > guardrail.most() - limit) {
            throw new IllegalArgumentException(
                    "top-up of run %d: expected %s to rise by at most %d, to %d, which is the most of this store; got %d"
                            .formatted(id, guardrail.title(), guardrail.most() - limit, guardrail.most(), by));
        }
        root.ledger().topUp(guardrail, by);
        frames.event(
                spokesman(run),
                Kind.TOPPED_UP,
                "%s by %s to %s: %s"
                        .formatted(
                                guardrail.title(),
                                guardrail.text(by),
                                guardrail.text(root.ledger().limit(guardrail)),
                                reason));
        return done();
    }

    /**
     * Ends jobs of a tree that nothing needs any more, and puts those back that were set aside for a halt that is over.
     * Takes no lock of a tree: jobs first, as everywhere. Returns whether there may be more.
     */
    boolean sweep(long root) {
        List<Long> strays = tx.frames().strayJobs(root, BATCH_MAX);
        Map<Long, String> waiting = new LinkedHashMap<>();
        List<HeadOfLane> left = new ArrayList<>();
        for (long id : strays.stream().sorted().toList()) {
            JobRow job = tx.jobs().lock(id);
            if (job != null && job.state() == JobState.RUNNING) {
                tx.jobs().requestCancel(id);
                wakes.add(new Wake.Cancel());
            } else if (job != null) {
                waiting.put(id, "its workflow run no longer needs it");
                leave(job, left);
            }
        }
        if (!waiting.isEmpty()) {
            tx.jobs().endWaiting(waiting, tx.now());
        }
        if (!left.isEmpty()) {
            tx.lanes().ring(Arrivals.oldestPerLane(left));
        }
        boolean isMore = strays.size() == BATCH_MAX;
        if (!isMore) {
            unpark(root);
        }
        return isMore;
    }

    /** Its lane may be waiting with this job as its head; what is behind it may fit where it did not. */
    private void leave(JobRow job, List<HeadOfLane> left) {
        if (job.state() == JobState.QUEUED && !job.spec().lane().isPlain()) {
            left.add(HeadOfLane.left(job.spec().lane(), job.place().rank()));
            wakes.add(new Wake.Queue(job.spec().lane().queue()));
        }
    }
}

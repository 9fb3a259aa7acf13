package dev.headgate.internal.workflow;

import dev.headgate.internal.run.FrameView;
import dev.headgate.internal.run.FrameView.ChildEnd;
import dev.headgate.internal.run.FrameView.Entered;
import dev.headgate.internal.run.FrameView.Inbox;
import dev.headgate.internal.run.Move;
import dev.headgate.internal.run.SendResult;
import dev.headgate.internal.time.Micros;
import dev.headgate.internal.workflow.EventDelivery.Parcel;
import dev.headgate.job.Attributes;
import dev.headgate.job.OperationResult;
import dev.headgate.run.Guardrail;
import dev.headgate.run.RunBudget;
import dev.headgate.run.RunEvent;
import dev.headgate.run.RunFilter;
import dev.headgate.run.RunId;
import dev.headgate.run.RunPage;
import dev.headgate.run.RunStatus;
import dev.headgate.run.RunStatus.Work;
import dev.headgate.run.Started;
import dev.headgate.spi.Backend;
import dev.headgate.spi.EndedRange;
import dev.headgate.spi.EventRow;
import dev.headgate.spi.FrameRow;
import dev.headgate.spi.FrameTable.DefinitionRow;
import dev.headgate.spi.JoinedBackend;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.Wake;
import dev.headgate.store.CallerTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Every transition of workflow runs that is not the end of a job, each one transaction. Thread-safe. */
public final class RunStore implements FrameView.Reader {
    private static final int PAGE = 1_000;
    private static final int START_TRIES_MAX = 5;

    private final Backend backend;

    /** Whether transactions are short enough to hold a run. */
    private final boolean mayHold;

    public RunStore(Backend backend) {
        this(backend, true);
    }

    private RunStore(Backend backend, boolean mayHold) {
        this.backend = backend;
        this.mayHold = mayHold;
    }

    /**
     * The same in the caller's transaction and on its connection alone. Starts and what is sent to runs append rows there and
     * lock none; all other writes lock the run until the caller's transaction ends.
     */
    public RunStore in(CallerTransaction caller) {
        return new RunStore(new JoinedBackend(backend, caller), false);
    }

    /**
     * A run to start.
     *
     * @param key a second start with the same key returns the first run
     * @param first where it goes at once
     */
    public record NewRun(
            Move.Definition workflow,
            @Nullable String key,
            int priority,
            Attributes attributes,
            RunBudget budget,
            Move.To first) {}

    /** Starts runs: all of them or none. */
    public List<Started> start(List<NewRun> runs) {
        for (int tries = 1; ; tries++) {
            List<Started> started = write((tx, wakes) -> StartRuns.run(tx, runs, wakes));
            if (started != null) {
                return started;
            }
            if (tries == START_TRIES_MAX) {
                throw new IllegalStateException(
                        "start: %d times a run with one of these keys came and went meanwhile".formatted(tries));
            }
        }
    }

    <T extends @Nullable Object> T write(BiFunction<StoreTransaction, Set<Wake>, T> work) {
        Set<Wake> wakes = new HashSet<>();
        T answer = backend.write(tx -> {
            wakes.clear();
            return work.apply(tx, wakes);
        });
        if (!wakes.isEmpty()) {
            backend.publish(wakes);
        }
        return answer;
    }

    /** Stores a workflow's shape, unless this version has one; returns what is stored. */
    public DefinitionRow define(String workflow, int version, String shape) {
        DefinitionRow known = definition(workflow, version);
        return known != null
                ? known
                : backend.write(tx -> tx.frames().define(new DefinitionRow(workflow, version, shape, tx.now())));
    }

    /** What is stored for this version. */
    public @Nullable DefinitionRow definition(String workflow, int version) {
        return backend.<@Nullable DefinitionRow>read(tx -> definition(tx, workflow, version));
    }

    private static @Nullable DefinitionRow definition(StoreTransaction tx, String workflow, int version) {
        return tx.frames().definitions(workflow).stream()
                .filter(row -> row.version() == version)
                .findFirst()
                .orElse(null);
    }

    public List<DefinitionRow> definitions(@Nullable String workflow) {
        return backend.read(tx -> tx.frames().definitions(workflow));
    }

    public @Nullable RunStatus find(RunId id) {
        return backend.read(tx -> RunStatuses.find(tx, id.value()));
    }

    public List<RunStatus> list(RunFilter filter) {
        return RunPages.all(filter, this::page);
    }

    public RunPage page(RunFilter filter) {
        return backend.read(tx -> RunPages.page(tx, filter));
    }

    /** The run with all its branches, items and child runs, by id. */
    public List<RunStatus> tree(RunId id) {
        return backend.read(tx -> RunStatuses.of(tx, RunStatuses.below(tx, id.value())));
    }

    /** How the jobs of the run and of everything below it stand, counted. */
    public List<Work> work(RunId id) {
        return backend.read(tx -> RunStatuses.work(tx, id.value()));
    }

    /** What has happened to the run and everything below it, in order. */
    public List<RunEvent> timeline(RunId id) {
        return backend.read(tx -> RunStatuses.timeline(tx, RunStatuses.below(tx, id.value())));
    }

    /**
     * A run with everything below it.
     *
     * @param parts the run itself, its branches, items and child runs, by id
     * @param timeline what has happened to all of them, in order
     * @param artifacts what the run and each child run has kept, by name
     */
    public record Whole(
            List<RunStatus> parts, List<RunEvent> timeline, Map<RunId, SortedMap<String, String>> artifacts) {}

    public Whole whole(RunId id) {
        return backend.read(tx -> {
            List<FrameRow> frames = RunStatuses.below(tx, id.value());
            return new Whole(
                    RunStatuses.of(tx, frames), RunStatuses.timeline(tx, frames), RunStatuses.artifacts(tx, frames));
        });
    }

    /**
     * Leaves a signal for a run, and wakes the part of it that waits for it, if one does.
     *
     * @return ENDED also for a run that is being cancelled
     */
    public SendResult signal(RunId id, String name, String json) {
        return write((tx, wakes) -> mayHold
                ? new OperateRuns(tx, wakes).signal(id.value(), name, json)
                : new SignalPosting(tx, wakes).leave(new Parcel(id, name, null, json), shape -> true));
    }

    /**
     * Puts an event into the inbox of a run.
     *
     * @param inbox the name of the signal that it is stored as
     * @param isTakenBy told the shape of the run's definition: whether that has such an event
     */
    public SendResult deliver(RunId id, String inbox, @Nullable String key, String json, Predicate<String> isTakenBy) {
        Parcel parcel = new Parcel(id, inbox, key, json);
        return write((tx, wakes) -> mayHold
                ? new EventDelivery(tx, wakes).deliver(parcel, isTakenBy)
                : new SignalPosting(tx, wakes).leave(parcel, isTakenBy));
    }

    /** Signals to a run that nothing has used up, oldest first. */
    public List<Inbox> signals(RunId id, int limit) {
        return backend.read(tx -> tx.frames().signals(id.value(), limit));
    }

    public @Nullable OperationResult pause(RunId id, String reason) {
        return this.<@Nullable OperationResult>write(
                (tx, wakes) -> new OperateRuns(tx, wakes).pause(id.value(), reason));
    }

    /** Lets a run go on that is paused, or stopped by a budget that was topped up. */
    public @Nullable OperationResult resume(RunId id, String reason) {
        OperationResult answer = this.<@Nullable OperationResult>write(
                (tx, wakes) -> new OperateRuns(tx, wakes).resume(id.value(), reason));
        if (answer != null) {
            // In a transaction of its own: it locks jobs, and must see what claims have set aside meanwhile. Also for a
            // run that goes on already: a caller that got no reply asks again, and may have been cut off between the
            // two.
            write((tx, wakes) -> new OperateRuns(tx, wakes).unpark(id.value()));
        }
        return answer;
    }

    public @Nullable OperationResult cancel(RunId id, String reason) {
        return this.<@Nullable OperationResult>write(
                (tx, wakes) -> new OperateRuns(tx, wakes).cancel(id.value(), reason));
    }

    /** Begins a run again at the step where it failed or was cancelled. */
    public @Nullable OperationResult retry(RunId id, String reason) {
        return this.<@Nullable OperationResult>write(
                (tx, wakes) -> new OperateRuns(tx, wakes).retry(id.value(), reason));
    }

    /** Begins a run again at the latest time it entered this step. */
    public @Nullable OperationResult rewind(RunId id, String step, String reason) {
        return this.<@Nullable OperationResult>write(
                (tx, wakes) -> new OperateRuns(tx, wakes).rewind(id.value(), step, reason));
    }

    public @Nullable OperationResult topUp(RunId id, Guardrail guardrail, long by, String reason) {
        return this.<@Nullable OperationResult>write(
                (tx, wakes) -> new OperateRuns(tx, wakes).topUp(id.value(), guardrail, by, reason));
    }

    /** The names of what the run's steps have kept. */
    public List<String> artifacts(RunId id) {
        return backend.read(tx -> tx.frames().artifacts(id.value()));
    }

    public @Nullable String artifact(RunId id, String name) {
        return backend.read(tx -> tx.frames().artifact(id.value(), name));
    }

    /** Deletes runs that ended longer ago than this, in short batches, as {@link PruneRuns} explains; returns how many roots. */
    public int prune(Duration olderThan) {
        return PruneRuns.run(backend, EndedRange.before(backend.read(StoreTransaction::now) - Micros.of(olderThan)));
    }

    @Override
    public @Nullable FrameView frame(long id) {
        return backend.read(tx -> {
            List<FrameRow> found = tx.frames().find(List.of(id));
            return found.isEmpty() ? null : view(tx, found.getFirst());
        });
    }

    private static FrameView view(StoreTransaction tx, FrameRow row) {
        List<EventRow> entered =
                tx.frames().events(Map.of(row.id(), row.position().entered()));
        Inbox signal = row.waits().awaits() == null
                ? null
                : tx.frames().inbox(row.tree().run(), row.waits().awaits());
        return new FrameView(
                row.id(),
                RunId.of(row.tree().run()),
                row.position().state(),
                row.position().phase(),
                row.position().revision(),
                row.position().step(),
                entered.isEmpty() ? null : entered.getFirst().state(),
                row.life().detail(),
                row.waits().children() == null
                        ? 0
                        : ForkCount.parse(row.waits().children()).created(),
                row.waits().dueAt(),
                signal);
    }

    @Override
    public List<ChildEnd> children(long id) {
        return backend.read(tx -> {
            List<FrameRow> found = tx.frames().find(List.of(id));
            return found.isEmpty()
                    ? List.of()
                    : tx.frames().children(id, found.getFirst().position().revision()).stream()
                            .map(row -> new ChildEnd(
                                    row.tree().place(),
                                    row.program().name(),
                                    RunId.of(row.id()),
                                    row.position().state(),
                                    row.life().result(),
                                    row.life().detail()))
                            .toList();
        });
    }

    @Override
    public List<Entered> entered(long id) {
        List<Entered> entered = new ArrayList<>();
        long after = 0;
        List<EventRow> page;
        do {
            long from = after;
            page = backend.read(tx -> tx.frames().events(id, from, PAGE));
            for (EventRow event : page) {
                after = event.number();
                note(entered, event);
            }
        } while (page.size() == PAGE);
        return entered;
    }

    private static void note(List<Entered> entered, EventRow event) {
        if (event.step() == null || event.state() == null) {
            return;
        }
        switch (event.kind()) {
            case STARTED, ENTERED -> entered.add(new Entered(event.step(), event.state(), false));
            case UNWINDING -> entered.add(new Entered(event.step(), event.state(), true));
            case REWOUND, RETRIED -> {
                // What came after is as if it had not been, and so is this entry: it is entered again.
                entered.removeIf(Entered::isUnwinding);
                int last = entered.size() - 1;
                while (last > 0 && !entered.get(last).step().equals(event.step())) {
                    last--;
                }
                entered.subList(Math.max(0, last), entered.size()).clear();
            }
            default -> {}
        }
    }

    @Override
    public boolean sweep(long root) {
        return write((tx, wakes) -> new OperateRuns(tx, wakes).sweep(root));
    }
}

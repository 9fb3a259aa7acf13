package dev.headgate;

import dev.headgate.internal.handler.Handler;
import dev.headgate.internal.handler.Handlers;
import dev.headgate.internal.json.JsonCodec;
import dev.headgate.internal.run.Program;
import dev.headgate.internal.time.Micros;
import dev.headgate.internal.workflow.RunStore;
import dev.headgate.job.OperationResult;
import dev.headgate.run.Guardrail;
import dev.headgate.run.RunEvent;
import dev.headgate.run.RunFilter;
import dev.headgate.run.RunId;
import dev.headgate.run.RunPage;
import dev.headgate.run.RunState;
import dev.headgate.run.RunStatus;
import dev.headgate.run.Started;
import dev.headgate.run.WorkflowDefinition;
import dev.headgate.spi.FrameTable.DefinitionRow;
import dev.headgate.store.CallerTransaction;
import dev.headgate.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Workflows: register them where workers run, start them anywhere, watch and steer their runs. Thread-safe.
 *
 * <pre>{@code
 * headgate.workflows().register(SHIP);
 * RunId id = headgate.workflows().start(SHIP, order, r -> r.key("order-7").budget(b -> b.maxCostUnits(500))).id();
 * }</pre>
 */
public final class Workflows implements WorkflowOperations {
    private final RunStore store;
    private final JsonCodec codec;
    private final Handlers handlers;
    private final Awaiting awaiting;
    private final StoredDefinitions definitions = new StoredDefinitions();
    private final StoreWorkflows intake;
    private final Map<String, List<String>> shapes = new ConcurrentHashMap<>();
    private final Set<String> registered = ConcurrentHashMap.newKeySet();

    Workflows(RunStore store, JsonCodec codec, Handlers handlers, Awaiting awaiting) {
        this.awaiting = awaiting;
        this.store = store;
        this.codec = codec;
        this.handlers = handlers;
        this.intake = new StoreWorkflows(
                store, codec, workflow -> definitions.store(store, StoredDefinitions.Entry.of(workflow)), shapes);
    }

    /**
     * Registers a workflow, so that workers of this process run its steps. Do so before a worker starts. Register old
     * versions too as long as they have runs: a run goes on with the version it began with.
     *
     * @throws IllegalArgumentException if the store knows this version with other steps, or the needs of a step are wrong
     */
    public Workflows register(Workflow<?, ?> workflow) {
        List<Handler<?>> steps = Program.of(workflow).handlers(codec, store);
        definitions.store(store, StoredDefinitions.Entry.of(workflow));
        if (!registered.add(workflow.toString())) {
            return this;
        }
        workflow.children().forEach(this::register);
        steps.forEach(handlers::add);
        return this;
    }

    /**
     * The same acts in the caller's own transaction: they count when it commits, and never if it does not. Uses the caller's
     * connection and no other. Nothing waits for the caller's transaction, except what names the same key.
     *
     * <p>A workflow must have been registered, here or elsewhere, before a transaction starts it.
     *
     * @param caller such as {@code dev.headgate.store.jdbc.JdbcTransaction.of(connection)}: a connection to the database of this
     *     store, with auto-commit off
     */
    public WorkflowOperations in(CallerTransaction caller) {
        RunStore callers = store.in(caller);
        return new StoreWorkflows(
                callers, codec, workflow -> definitions.require(callers, StoredDefinitions.Entry.of(workflow)), shapes);
    }

    @Override
    public <I> List<Started> startAll(Workflow<I, ?> workflow, List<I> inputs, BiConsumer<I, RunOptions> options) {
        return intake.startAll(workflow, inputs, options);
    }

    @Override
    public Started startJson(String workflow, int version, String json, Consumer<RunOptions> options) {
        return intake.startJson(workflow, version, json, options);
    }

    @Override
    public <P> void signal(RunId id, String name, P payload) {
        intake.signal(id, name, payload);
    }

    @Override
    public void signalJson(RunId id, String name, String json) {
        intake.signalJson(id, name, json);
    }

    /** Looks a run up, or a branch or item of one; empty if there is no such run. */
    public Optional<RunStatus> find(RunId id) {
        return Optional.ofNullable(store.find(id));
    }

    /**
     * Where the run stands, with its budget.
     *
     * @throws UnknownRunException if there is no such run
     */
    public RunStatus status(RunId id) {
        return find(id).orElseThrow(() -> StoreWorkflows.unknown(id));
    }

    /**
     * Waits until the run has ended, or has stopped at its budget; absent if it had not within {@code timeout}.
     *
     * @throws UnknownRunException if there is no such run
     */
    public Optional<RunStatus> await(RunId id, Duration timeout) throws InterruptedException {
        return awaiting.await(id, () -> status(id), timeout);
    }

    /** Runs that no other run has started, newest first; if the filter names a workflow, also child runs of that workflow. */
    public List<RunStatus> list(RunFilter filter) {
        return store.list(filter);
    }

    /**
     * The same in one look that is short however many runs there are: a bounded number of runs is looked at, and the page says if it
     * is partial.
     */
    public RunPage page(RunFilter filter) {
        return store.page(filter);
    }

    /**
     * The run and all its branches, items and child runs, by id.
     *
     * @throws UnknownRunException if there is no such run
     */
    public List<RunStatus> tree(RunId id) {
        List<RunStatus> tree = store.tree(id);
        if (tree.isEmpty()) {
            throw StoreWorkflows.unknown(id);
        }
        return tree;
    }

    /**
     * How the steps of the run and of everything below it stand now, counted, most first: {@code 135 waiting at gate openai},
     * {@code 5 running}. Empty if it waits for no job. Costs a few statements, however many items there are.
     *
     * @throws UnknownRunException if there is no such run
     */
    public List<RunStatus.Work> work(RunId id) {
        List<RunStatus.Work> work = store.work(id);
        if (work.isEmpty()) {
            status(id);
        }
        return work;
    }

    /**
     * What has happened to the run and everything below it, in order.
     *
     * @throws UnknownRunException if there is no such run
     */
    public List<RunEvent> timeline(RunId id) {
        status(id);
        return store.timeline(id);
    }

    /**
     * The result of a run that has succeeded.
     *
     * @throws UnknownRunException if there is no such run
     * @throws IllegalStateException if it has not
     * @throws IllegalArgumentException if it is a run of another workflow
     */
    public <O> O result(RunId id, Workflow<?, O> workflow) {
        RunStatus status = status(id);
        if (!status.origin().workflow().equals(workflow.name())) {
            throw new IllegalArgumentException("result of run %s: expected a run of '%s', it is one of '%s'"
                    .formatted(id, workflow.name(), status.origin().workflow()));
        }
        String json = status.position().json();
        if (status.state() != RunState.SUCCEEDED || json == null) {
            throw new IllegalStateException("run %s of '%s': expected it to have succeeded, it is %s%s"
                    .formatted(
                            id,
                            status.origin().workflow(),
                            status.state(),
                            status.life().detail() == null
                                    ? ""
                                    : ": " + status.life().detail()));
        }
        return codec.read("result of run " + id, json, workflow.output());
    }

    /**
     * Lets nothing of the run or below it start until it is resumed; what runs ends, and its result is recorded.
     *
     * @throws UnknownRunException if there is no such run
     */
    public OperationResult pause(RunId id, String reason) {
        return ofKnown(id, store.pause(id, reason));
    }

    /**
     * Lets a run go on that is paused, or that its budget stopped: then it does exactly the work that was denied.
     *
     * @throws UnknownRunException if there is no such run
     */
    public OperationResult resume(RunId id, String reason) {
        return ofKnown(id, store.resume(id, reason));
    }

    /**
     * Cancels the run and everything below it; compensations and {@code onCancel} run before it ends, and until then it is
     * {@link RunState#CANCELLING}. One that is being cancelled, or has ended, stays as it is: {@code WRONG_STATE}.
     *
     * @throws UnknownRunException if there is no such run
     */
    public OperationResult cancel(RunId id, String reason) {
        return ofKnown(id, store.cancel(id, reason));
    }

    /**
     * Starts a run that failed or was cancelled again, at the step where it stood and with the state it had there.
     *
     * @throws UnknownRunException if there is no such run
     */
    public OperationResult retry(RunId id, String reason) {
        return ofKnown(id, store.retry(id, reason));
    }

    /**
     * Takes a run back to the latest time it entered this step, and starts it again there; what it has spent since is given
     * back. A child run cannot be rewound: {@code WRONG_STATE}.
     *
     * @throws UnknownRunException if there is no such run
     * @throws IllegalArgumentException if it has not entered this step; the message names those it has
     */
    public OperationResult rewind(RunId id, String step, String reason) {
        return ofKnown(id, store.rewind(id, step, reason));
    }

    /** A branch or an item is no run of its own, so it cannot be asked for this. */
    private OperationResult ofKnown(RunId id, @Nullable OperationResult result) {
        if (result != null) {
            return result;
        }
        status(id);
        return OperationResult.WRONG_STATE;
    }

    /**
     * Raises a limit of the run's budget, also above what its definition says; a run that it stopped must then be resumed. Who
     * raises it, and why, belongs in {@code reason}: the timeline shows it.
     *
     * @throws UnknownRunException if there is no such run
     */
    public OperationResult topUp(RunId id, Guardrail guardrail, long by, String reason) {
        if (by < 1) {
            throw new IllegalArgumentException("top-up of run %s: expected %s to rise by more than zero, got %s"
                    .formatted(id, guardrail.title(), guardrail.text(by)));
        }
        return ofKnown(id, store.topUp(id, guardrail, by, reason));
    }

    /**
     * The names of the artifacts that the steps of this run have kept.
     *
     * @throws UnknownRunException if there is no such run
     */
    public List<String> artifacts(RunId id) {
        status(id);
        return store.artifacts(id);
    }

    /** Looks up what a step of this run has kept under a name; empty if there is nothing, or no such run. */
    public Optional<String> findArtifact(RunId id, String name) {
        return Optional.ofNullable(store.artifact(id, name));
    }

    /**
     * Everything about a run as one JSON text: status and budget, parts, timeline, artifacts.
     *
     * @throws UnknownRunException if there is no such run
     */
    public String export(RunId id) {
        return new RunExport(store, codec).export(status(id));
    }

    /** Every version of every workflow that was ever registered, by name and version. */
    public List<WorkflowDefinition> definitions() {
        return store.definitions(null).stream().map(Workflows::definition).toList();
    }

    private static WorkflowDefinition definition(DefinitionRow row) {
        WorkflowShape shape = WorkflowShape.parse(row.shape());
        return new WorkflowDefinition(
                row.workflow(),
                row.version(),
                shape.queue(),
                shape.budget(),
                shape.steps(),
                Micros.instant(row.since()));
    }

    /** The versions of a workflow that were ever registered. */
    public List<Integer> versions(String workflow) {
        return store.definitions(workflow).stream().map(DefinitionRow::version).toList();
    }

    /**
     * Deletes runs that ended longer ago than this, branch by branch; returns how many of them are no child of another run. What lives
     * stays, with all above it. Workers do this by themselves.
     */
    public int prune(Duration olderThan) {
        return store.prune(olderThan);
    }
}

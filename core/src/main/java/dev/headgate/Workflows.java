package dev.headgate;

import dev.headgate.admission.Micros;
import dev.headgate.codec.JsonCodec;
import dev.headgate.handler.Handlers;
import dev.headgate.job.Names;
import dev.headgate.run.Guardrail;
import dev.headgate.run.Move;
import dev.headgate.run.RunEvent;
import dev.headgate.run.RunFilter;
import dev.headgate.run.RunId;
import dev.headgate.run.RunState;
import dev.headgate.run.RunStatus;
import dev.headgate.run.WorkflowDefinition;
import dev.headgate.store.FrameTable.DefinitionRow;
import dev.headgate.transition.Answer;
import dev.headgate.transition.RunStore;
import dev.headgate.transition.RunStore.NewRun;
import dev.headgate.transition.RunStore.Started;
import dev.headgate.workflow.Approval;
import dev.headgate.workflow.Workflow;
import dev.headgate.workflow.WorkflowHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Workflows: register them where workers run, start them anywhere, watch and steer their runs. Thread-safe.
 *
 * <pre>{@code
 * headgate.workflows().register(SHIP);
 * RunId id = headgate.workflows().start(SHIP, order, r -> r.key("order-7").budget(b -> b.maxCostUnits(500)));
 * }</pre>
 */
public final class Workflows {
    private static final int BATCH_MAX = 1_000;

    private final RunStore store;
    private final JsonCodec codec;
    private final Handlers handlers;
    private final Awaiting awaiting;
    private final Set<String> defined = ConcurrentHashMap.newKeySet();
    private final Map<String, List<String>> shapes = new ConcurrentHashMap<>();
    private final Set<String> registered = ConcurrentHashMap.newKeySet();

    Workflows(RunStore store, JsonCodec codec, Handlers handlers, Awaiting awaiting) {
        this.awaiting = awaiting;
        this.store = store;
        this.codec = codec;
        this.handlers = handlers;
    }

    /**
     * Registers a workflow, so that workers of this process run its steps. Do so before a worker starts. Register old
     * versions too as long as they have runs: a run goes on with the version it began with.
     *
     * @throws IllegalArgumentException if the store knows this version with other steps
     */
    public Workflows register(Workflow<?, ?> workflow) {
        define(workflow);
        if (!registered.add(workflow.toString())) {
            return this;
        }
        workflow.children().forEach(this::register);
        new WorkflowHandlers(workflow, codec, store).all().forEach(handlers::add);
        return this;
    }

    private void define(Workflow<?, ?> workflow) {
        String known = "%s%n%s".formatted(workflow, workflow.shape());
        if (defined.contains(known)) {
            return;
        }
        String shape = Shape.of(workflow).text();
        DefinitionRow stored = store.define(workflow.name(), workflow.version(), shape);
        List<String> before = Shape.parse(stored.shape()).steps();
        if (!before.equals(workflow.shape())) {
            throw new IllegalArgumentException(
                    "workflow '%s' version %d: expected the steps it was registered with, %s; give the changed workflow version %d and register both, so that runs under way end as they began"
                            .formatted(
                                    workflow.name(),
                                    workflow.version(),
                                    difference(before, workflow.shape()),
                                    workflow.version() + 1));
        }
        defined.add(known);
    }

    static String difference(List<String> before, List<String> after) {
        for (int i = 0; i < Math.max(before.size(), after.size()); i++) {
            String was = i < before.size() ? before.get(i).strip() : "the end";
            String is = i < after.size() ? after.get(i).strip() : "the end";
            if (!was.equals(is)) {
                return "got another entry %d: '%s' where '%s' was".formatted(i + 1, is, was);
            }
        }
        return "got another nesting";
    }

    /** Starts a run. */
    public <I> RunId start(Workflow<I, ?> workflow, I input) {
        return start(workflow, input, run -> {});
    }

    public <I> RunId start(Workflow<I, ?> workflow, I input, Consumer<RunOptions> options) {
        return offer(workflow, input, options).id();
    }

    /** Like {@link #start}, and tells whether the run is new or was there under the same key. */
    public <I> Started offer(Workflow<I, ?> workflow, I input, Consumer<RunOptions> options) {
        return startAll(workflow, List.of(input), (each, run) -> options.accept(run))
                .getFirst();
    }

    /** Starts up to 1,000 runs in one transaction: all of them or none. */
    public <I> List<Started> startAll(Workflow<I, ?> workflow, List<I> inputs, BiConsumer<I, RunOptions> options) {
        if (inputs.size() > BATCH_MAX) {
            throw new IllegalArgumentException(
                    "start of '%s': expected at most %d runs in one call, got %d; split the list"
                            .formatted(workflow.name(), BATCH_MAX, inputs.size()));
        }
        if (inputs.isEmpty()) {
            return List.of();
        }
        define(workflow);
        List<Move.To> first = WorkflowHandlers.begin(workflow, codec, inputs);
        List<NewRun> runs = new ArrayList<>(inputs.size());
        for (int i = 0; i < inputs.size(); i++) {
            RunOptions asked = new RunOptions();
            options.accept(inputs.get(i), asked);
            runs.add(new NewRun(workflow.definition(), asked.key(), asked.priority(), asked.budget(), first.get(i)));
        }
        return store.start(runs);
    }

    public Optional<RunStatus> find(RunId id) {
        return Optional.ofNullable(store.find(id));
    }

    /**
     * Where the run stands, with its budget.
     *
     * @throws UnknownRunException if there is no such run
     */
    public RunStatus status(RunId id) {
        return find(id).orElseThrow(() -> unknown(id));
    }

    /**
     * Waits until the run has ended, or has stopped at its budget; absent if it had not within {@code timeout}.
     *
     * @throws UnknownRunException if there is no such run
     */
    public Optional<RunStatus> await(RunId id, Duration timeout) throws InterruptedException {
        return awaiting.await(id, () -> status(id), timeout);
    }

    private static UnknownRunException unknown(RunId id) {
        return new UnknownRunException(
                id, "run %s: there is no such run; it may have been pruned with the history".formatted(id));
    }

    /** Runs that no other run has spawned, newest first. */
    public List<RunStatus> list(RunFilter filter) {
        return store.list(filter);
    }

    /** The run and all its branches, items and child runs, by id. */
    public List<RunStatus> tree(RunId id) {
        return store.tree(id);
    }

    /** What has happened to the run and everything below it, in order. */
    public List<RunEvent> timeline(RunId id) {
        status(id);
        return store.timeline(id);
    }

    /**
     * The result of a run that has succeeded.
     *
     * @throws IllegalStateException if it has not
     * @throws IllegalArgumentException if it is a run of another workflow
     */
    public <O> O result(RunId id, Workflow<?, O> workflow) {
        RunStatus status = status(id);
        if (!status.workflow().equals(workflow.name())) {
            throw new IllegalArgumentException("result of run %s: expected a run of '%s', it is one of '%s'"
                    .formatted(id, workflow.name(), status.workflow()));
        }
        String json = status.json();
        if (status.state() != RunState.SUCCEEDED || json == null) {
            throw new IllegalStateException("run %s of '%s': expected it to have succeeded, it is %s%s"
                    .formatted(
                            id,
                            status.workflow(),
                            status.state(),
                            status.detail() == null ? "" : ": " + status.detail()));
        }
        return codec.read("result of run " + id, json, workflow.output());
    }

    /**
     * Sends a signal to a run. It is kept until a part of the run waits for it.
     *
     * @throws UnknownRunException if there is no such run, or it has ended
     * @throws IllegalArgumentException if nothing in its workflow awaits a signal of this name
     */
    public <P> void signal(RunId id, String name, P payload) {
        signalJson(id, name, codec.write("signal '%s' to run %s".formatted(name, id), payload));
    }

    /** The same with JSON text. */
    public void signalJson(RunId id, String name, String json) {
        Names.check("signal", name);
        codec.check("signal '%s' to run %s".formatted(name, id), json);
        checkAwaited(id, name);
        if (!store.signal(id, name, json)) {
            RunStatus status = status(id);
            throw new UnknownRunException(
                    id,
                    "signal '%s' to run %s of '%s': expected a run under way, it is %s"
                            .formatted(name, id, status.workflow(), status.state()));
        }
    }

    /** A signal that no step takes would be kept, while the run goes on waiting for the one that was meant. */
    private void checkAwaited(RunId id, String name) {
        RunStatus run = status(id);
        List<String> shape =
                shapes.computeIfAbsent("%s@%d".formatted(run.workflow(), run.version()), key -> shape(run));
        List<String> awaited = Workflow.signalsIn(shape);
        if (shape.isEmpty() || run.state().isTerminal() || awaited.contains(name)) {
            return;
        }
        throw new IllegalArgumentException(
                "signal '%s' to run %s: expected one that %s version %d awaits, %s; nothing was sent"
                        .formatted(
                                name,
                                id,
                                run.workflow(),
                                run.version(),
                                awaited.isEmpty() ? "and it awaits none" : "which are %s".formatted(awaited)));
    }

    private List<String> shape(RunStatus run) {
        return store.definitions(run.workflow()).stream()
                .filter(row -> row.version() == run.version())
                .flatMap(row -> Shape.parse(row.shape()).steps().stream())
                .toList();
    }

    /** Approves what a run waits for at {@link dev.headgate.workflow.Flow#awaitApproval}. */
    public void approve(RunId id, String name, String by, String comment) {
        signal(id, name, new Approval(true, by, comment));
    }

    /** Rejects it: the step fails, unless the workflow says otherwise. */
    public void reject(RunId id, String name, String by, String comment) {
        signal(id, name, new Approval(false, by, comment));
    }

    /** Lets nothing of the run or below it start until it is resumed; what runs ends, and its result is recorded. */
    public Answer pause(RunId id, String reason) {
        return store.pause(id, reason);
    }

    /** Lets a run go on that is paused, or that its budget stopped: then it does exactly the work that was denied. */
    public Answer resume(RunId id, String reason) {
        return store.resume(id, reason);
    }

    /** Cancels the run and everything below it; compensations and {@code onCancel} run before it ends. */
    public Answer cancel(RunId id, String reason) {
        return store.cancel(id, reason);
    }

    /** Begins a run that failed or was cancelled again, at the step where it stood and with the state it had there. */
    public Answer retry(RunId id, String reason) {
        return store.retry(id, reason);
    }

    /** Begins a run again at the latest time it entered this step; what it has spent since is given back. */
    public Answer rewind(RunId id, String step, String reason) {
        return store.rewind(id, step, reason);
    }

    /** Raises a limit of the run's budget; a run that it stopped must then be resumed. */
    public Answer topUp(RunId id, Guardrail guardrail, long by, String reason) {
        if (by < 1) {
            throw new IllegalArgumentException(
                    "top-up of run %s: expected %s to rise by 1 or more, got %d".formatted(id, guardrail.title(), by));
        }
        return store.topUp(id, guardrail, by, reason);
    }

    /** The names of what the steps of this run have kept. */
    public List<String> artifacts(RunId id) {
        status(id);
        return store.artifacts(id);
    }

    public Optional<String> artifact(RunId id, String name) {
        return Optional.ofNullable(store.artifact(id, name));
    }

    /** Everything about a run as one JSON text: status and budget, parts, timeline, artifacts. */
    public String export(RunId id) {
        return new RunExport(store, codec).export(status(id));
    }

    /** Every version of every workflow that was ever registered, by name and version. */
    public List<WorkflowDefinition> definitions() {
        return store.definitions(null).stream().map(Workflows::definition).toList();
    }

    private static WorkflowDefinition definition(DefinitionRow row) {
        Shape shape = Shape.parse(row.shape());
        return new WorkflowDefinition(
                row.workflow(), row.version(), shape.queue(), shape.steps(), Micros.instant(row.since()));
    }

    private String whatIsKnown(String workflow) {
        List<Integer> versions = versions(workflow);
        return versions.isEmpty() ? "a name it does not know" : "one of which it knows only %s".formatted(versions);
    }

    /** The versions of a workflow that were ever registered. */
    public List<Integer> versions(String workflow) {
        return store.definitions(workflow).stream().map(DefinitionRow::version).toList();
    }

    /** Deletes runs that ended longer ago than this, with all below them; answers how many. Workers do this by themselves. */
    public int prune(Duration olderThan) {
        return store.prune(olderThan);
    }

    /**
     * Starts a run of a workflow that this process need not know, with JSON text.
     *
     * @throws IllegalArgumentException if no such version was ever registered
     */
    public Started startJson(String workflow, int version, String json, Consumer<RunOptions> options) {
        codec.check("input of workflow '%s'".formatted(workflow), json);
        DefinitionRow definition = store.definitions(workflow).stream()
                .filter(row -> row.version() == version)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "workflow '%s' version %d: expected one that was registered on this store, got %s; let the program that has it register it once"
                                .formatted(workflow, version, whatIsKnown(workflow))));
        RunOptions asked = new RunOptions();
        options.accept(asked);
        Shape shape = Shape.parse(definition.shape());
        return store.start(List.of(new NewRun(
                        new Move.Definition(workflow, version, shape.queue(), shape.deadline()),
                        asked.key(),
                        asked.priority(),
                        asked.budget(),
                        new Move.Begin(shape.first(), json))))
                .getFirst();
    }
}

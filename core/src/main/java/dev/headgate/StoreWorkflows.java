package dev.headgate;

import dev.headgate.internal.json.JsonCodec;
import dev.headgate.internal.run.Move;
import dev.headgate.internal.run.Program;
import dev.headgate.internal.run.SendResult;
import dev.headgate.internal.text.Names;
import dev.headgate.internal.workflow.RunStore;
import dev.headgate.internal.workflow.RunStore.NewRun;
import dev.headgate.run.RunBudget;
import dev.headgate.run.RunId;
import dev.headgate.run.RunStatus;
import dev.headgate.run.Started;
import dev.headgate.spi.FrameTable.DefinitionRow;
import dev.headgate.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Writes inputs and signals as JSON, checks them and hands them to a store: its own transaction, or the caller's. */
final class StoreWorkflows implements WorkflowOperations {
    private static final int BATCH_MAX = 1_000;

    private final RunStore store;
    private final JsonCodec codec;
    private final Consumer<Workflow<?, ?>> define;
    private final Map<String, List<String>> shapes;

    /**
     * @param define sees to it that a workflow is stored before it is started
     * @param shapes the steps of workflows that were looked up before
     */
    StoreWorkflows(RunStore store, JsonCodec codec, Consumer<Workflow<?, ?>> define, Map<String, List<String>> shapes) {
        this.store = store;
        this.codec = codec;
        this.define = define;
        this.shapes = shapes;
    }

    @Override
    public <I> List<Started> startAll(Workflow<I, ?> workflow, List<I> inputs, BiConsumer<I, RunOptions> options) {
        if (inputs.size() > BATCH_MAX) {
            throw new IllegalArgumentException(
                    "start of '%s': expected at most %d runs in one call, got %d; split the list"
                            .formatted(workflow.name(), BATCH_MAX, inputs.size()));
        }
        if (inputs.isEmpty()) {
            return List.of();
        }
        define.accept(workflow);
        Program<I> program = Program.of(workflow);
        List<Move.To> first = program.begin(codec, inputs);
        List<NewRun> runs = new ArrayList<>(inputs.size());
        for (int i = 0; i < inputs.size(); i++) {
            RunOptions asked = new RunOptions();
            options.accept(inputs.get(i), asked);
            RunBudget budget = asked.budget(
                    "start of workflow '%s' version %d".formatted(workflow.name(), workflow.version()),
                    workflow.budget());
            runs.add(new NewRun(
                    program.definition(), asked.key(), asked.priority(), asked.attributes(), budget, first.get(i)));
        }
        return store.start(runs);
    }

    @Override
    public Started startJson(String workflow, int version, String json, Consumer<RunOptions> options) {
        codec.check("input of workflow '%s'".formatted(workflow), json);
        List<DefinitionRow> stored = store.definitions(workflow);
        DefinitionRow definition = stored.stream()
                .filter(row -> row.version() == version)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "workflow '%s' version %d: expected one that was registered on this store, got %s; let the program that has it register it once"
                                .formatted(workflow, version, whatIsKnown(stored))));
        RunOptions asked = new RunOptions();
        options.accept(asked);
        WorkflowShape shape = WorkflowShape.parse(definition.shape());
        return store.start(List.of(new NewRun(
                        new Move.Definition(workflow, version, shape.queue(), shape.deadline()),
                        asked.key(),
                        asked.priority(),
                        asked.attributes(),
                        asked.budget("start of workflow '%s' version %d".formatted(workflow, version), shape.budget()),
                        new Move.Begin(shape.first(), json))))
                .getFirst();
    }

    private static String whatIsKnown(List<DefinitionRow> stored) {
        return stored.isEmpty()
                ? "a name it does not know"
                : "one of which it knows only %s"
                        .formatted(stored.stream().map(DefinitionRow::version).toList());
    }

    @Override
    public <P> void signal(RunId id, String name, P payload) {
        signalJson(id, name, codec.write("signal '%s' to run %s".formatted(name, id), payload));
    }

    @Override
    public void signalJson(RunId id, String name, String json) {
        Names.check("signal", name);
        codec.check("signal '%s' to run %s".formatted(name, id), json);
        checkAwaited(id, name);
        SendResult sent = store.signal(id, name, json);
        if (sent == SendResult.NEW) {
            return;
        }
        RunStatus status = status(id);
        String what = "signal '%s' to run %s of '%s'"
                .formatted(name, id, status.origin().workflow());
        if (sent == SendResult.UNKNOWN) {
            throw new UnknownRunException(id, what + ": expected the id of a run, got that of a branch or an item");
        }
        throw new RunEndedException(
                id, "%s: expected a run under way, it is %s; nothing was sent".formatted(what, status.state()));
    }

    /** A signal that no step takes would be kept, while the run goes on waiting for the one that was meant. */
    private void checkAwaited(RunId id, String name) {
        RunStatus run = status(id);
        List<String> shape = shape(run);
        List<String> awaited = Workflow.signalsIn(shape);
        if (shape.isEmpty() || run.state().isTerminal() || awaited.contains(name)) {
            return;
        }
        throw new IllegalArgumentException(
                "signal '%s' to run %s: expected one that %s version %d awaits, %s; nothing was sent"
                        .formatted(
                                name,
                                id,
                                run.origin().workflow(),
                                run.origin().version(),
                                awaited.isEmpty() ? "and it awaits none" : "which are %s".formatted(awaited)));
    }

    private RunStatus status(RunId id) {
        RunStatus found = store.find(id);
        if (found == null) {
            throw unknown(id);
        }
        return found;
    }

    static UnknownRunException unknown(RunId id) {
        return new UnknownRunException(
                id, "run %s: there is no such run; it may have been pruned with the history".formatted(id));
    }

    /** The stored steps of its workflow; none if they are not stored, or not to be seen in this transaction. */
    private List<String> shape(RunStatus run) {
        String key = "%s@%d".formatted(run.origin().workflow(), run.origin().version());
        List<String> known = shapes.get(key);
        if (known != null) {
            return known;
        }
        DefinitionRow stored =
                store.definition(run.origin().workflow(), run.origin().version());
        if (stored == null) {
            return List.of();
        }
        List<String> steps = WorkflowShape.parse(stored.shape()).steps();
        shapes.put(key, steps);
        return steps;
    }
}

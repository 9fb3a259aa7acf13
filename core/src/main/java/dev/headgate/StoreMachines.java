package dev.headgate;

import dev.headgate.internal.json.JsonCodec;
import dev.headgate.internal.run.Program;
import dev.headgate.internal.run.SendResult;
import dev.headgate.internal.text.Names;
import dev.headgate.internal.workflow.RunStore;
import dev.headgate.internal.workflow.RunStore.NewRun;
import dev.headgate.machine.Machine;
import dev.headgate.machine.Machine.SentEvent;
import dev.headgate.run.RunId;
import dev.headgate.run.RunStatus;
import dev.headgate.run.Started;
import dev.headgate.spi.FrameTable.DefinitionRow;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Writes data and events as JSON, checks them and hands them to a store: its own transaction, or the caller's. */
final class StoreMachines implements MachineOperations {
    private final RunStore store;
    private final JsonCodec codec;
    private final Consumer<Machine<?>> define;

    /** @param define sees to it that a machine is stored before an instance is started */
    StoreMachines(RunStore store, JsonCodec codec, Consumer<Machine<?>> define) {
        this.store = store;
        this.codec = codec;
        this.define = define;
    }

    @Override
    public <D> Started start(Machine<D> machine, D data, Consumer<RunOptions> options) {
        define.accept(machine);
        RunOptions asked = new RunOptions();
        options.accept(asked);
        Program<D> program = Program.of(machine);
        return store.start(List.of(new NewRun(
                        program.definition(),
                        asked.key(),
                        asked.priority(),
                        asked.attributes(),
                        asked.budget(
                                "start of machine '%s' version %d".formatted(machine.name(), machine.version()),
                                machine.budget()),
                        program.begin(codec, List.of(data)).getFirst())))
                .getFirst();
    }

    @Override
    public boolean send(RunId id, String event, @Nullable Object payload, @Nullable String key) {
        return sendJson(id, event, codec.write("event '%s' to instance %s".formatted(event, id), payload), key);
    }

    @Override
    public boolean sendJson(RunId id, String event, String json, @Nullable String key) {
        String what = "event '%s' to instance %s".formatted(event, id);
        Names.check("event", event);
        if (key != null) {
            Names.check("key of " + what, key);
        }
        String parcel = codec.write(what, new SentEvent(event, key, codec.check(what, json)));
        SendResult delivered = store.deliver(
                id,
                SentEvent.INBOX,
                key,
                parcel,
                shape -> !shape.isEmpty()
                        && Machine.eventsIn(WorkflowShape.parse(shape).steps()).contains(event));
        return switch (delivered) {
            case NEW -> true;
            case KNOWN -> false;
            case UNKNOWN -> throw unknown(id);
            case ENDED ->
                throw new RunEndedException(
                        id,
                        "%s: expected one under way, it is %s; nothing was sent"
                                .formatted(what, status(id).state()));
            case NOT_TAKEN -> throw new IllegalArgumentException(notTaken(what, id));
        };
    }

    private String notTaken(String what, RunId id) {
        RunStatus status = status(id);
        List<String> events = Machine.eventsIn(
                shape(store, status.origin().workflow(), status.origin().version()));
        return events.isEmpty()
                ? "%s: expected an instance of a state machine that takes events, '%s' version %d takes none"
                        .formatted(
                                what,
                                status.origin().workflow(),
                                status.origin().version())
                : "%s: expected one of the events of machine '%s' version %d: %s"
                        .formatted(
                                what,
                                status.origin().workflow(),
                                status.origin().version(),
                                events);
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
                id, "instance %s: there is no such instance; it may have been pruned with the history".formatted(id));
    }

    /** The stored lines of this version; none if it is not stored. */
    static List<String> shape(RunStore store, String machine, int version) {
        DefinitionRow stored = store.definition(machine, version);
        return stored == null ? List.of() : WorkflowShape.parse(stored.shape()).steps();
    }
}

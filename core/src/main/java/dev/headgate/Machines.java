package dev.headgate;

import dev.headgate.internal.handler.Handler;
import dev.headgate.internal.handler.Handlers;
import dev.headgate.internal.json.JsonCodec;
import dev.headgate.internal.run.Program;
import dev.headgate.internal.workflow.RunStore;
import dev.headgate.job.OperationResult;
import dev.headgate.machine.Machine;
import dev.headgate.machine.Machine.SentEvent;
import dev.headgate.machine.MachineStatus;
import dev.headgate.run.RunEvent;
import dev.headgate.run.RunFilter;
import dev.headgate.run.RunId;
import dev.headgate.run.RunStatus;
import dev.headgate.run.Started;
import dev.headgate.store.CallerTransaction;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * State machines: register them where workers run, start instances and send them events from anywhere. An instance is a
 * run, so pausing, resuming, topping up, retrying and exporting it are done through {@link Headgate#workflows()}. Thread-safe.
 *
 * <pre>{@code
 * headgate.machines().register(ORDER);
 * RunId id = headgate.machines().start(ORDER, order, run -> run.key("order-7")).id();
 * headgate.machines().send(id, "pay", payment, "payment-12");
 * }</pre>
 */
public final class Machines implements MachineOperations {
    private static final int PENDING_MAX = 1_000;

    private final RunStore store;
    private final JsonCodec codec;
    private final Handlers handlers;
    private final StoredDefinitions definitions = new StoredDefinitions();
    private final StoreMachines intake;
    private final Set<String> registered = ConcurrentHashMap.newKeySet();

    Machines(RunStore store, JsonCodec codec, Handlers handlers) {
        this.store = store;
        this.codec = codec;
        this.handlers = handlers;
        this.intake = new StoreMachines(
                store, codec, machine -> definitions.store(store, StoredDefinitions.Entry.of(machine)));
    }

    /**
     * Registers a machine, so that workers of this process take its events and run its entry actions. Do so before a worker
     * starts. Register old versions too as long as they have instances: an instance goes on with the version it began with.
     *
     * @throws IllegalArgumentException if the store knows this version with other states or events, or the needs of an entry action
     *     are wrong
     */
    public Machines register(Machine<?> machine) {
        List<Handler<?>> actions = Program.of(machine).handlers(codec, store);
        definitions.store(store, StoredDefinitions.Entry.of(machine));
        if (registered.add(machine.toString())) {
            actions.forEach(handlers::add);
        }
        return this;
    }

    /**
     * The same acts in the caller's own transaction: they count when it commits, and never if it does not. Uses the caller's
     * connection and no other. Nothing waits for the caller's transaction, except what names the same key. Events of several
     * transactions are taken in the order in which they were sent, as far as they are committed by then.
     *
     * <p>A machine must have been registered, here or elsewhere, before a transaction starts an instance.
     *
     * @param caller such as {@code dev.headgate.store.jdbc.JdbcTransaction.of(connection)}: a connection to the database of this
     *     store, with auto-commit off
     */
    public MachineOperations in(CallerTransaction caller) {
        RunStore callers = store.in(caller);
        return new StoreMachines(
                callers, codec, machine -> definitions.require(callers, StoredDefinitions.Entry.of(machine)));
    }

    @Override
    public <D> Started start(Machine<D> machine, D data, Consumer<RunOptions> options) {
        return intake.start(machine, data, options);
    }

    @Override
    public boolean send(RunId id, String event, @Nullable Object payload, @Nullable String key) {
        return intake.send(id, event, payload, key);
    }

    @Override
    public boolean sendJson(RunId id, String event, String json, @Nullable String key) {
        return intake.sendJson(id, event, json, key);
    }

    /**
     * Whether this run is an instance of a state machine, and takes events instead of signals.
     *
     * @throws UnknownRunException if there is no such run
     */
    public boolean isInstance(RunId id) {
        RunStatus run = store.find(id);
        if (run == null) {
            throw StoreWorkflows.unknown(id);
        }
        return Machine.isShape(
                StoreMachines.shape(store, run.origin().workflow(), run.origin().version()));
    }

    /** Looks an instance up; empty if there is no such instance. */
    public Optional<MachineStatus> find(RunId id) {
        RunStatus run = store.find(id);
        return run == null ? Optional.empty() : Optional.of(MachineStatus.of(run));
    }

    /**
     * Where the instance stands.
     *
     * @throws UnknownRunException if there is no such instance
     */
    public MachineStatus status(RunId id) {
        return find(id).orElseThrow(() -> StoreMachines.unknown(id));
    }

    /**
     * The data of an instance as they are now.
     *
     * @throws UnknownRunException if there is no such instance
     */
    public <D> D data(RunId id, Machine<D> machine) {
        String json = status(id).position().json();
        if (json == null) {
            throw new IllegalStateException("instance %s of '%s': it has no data".formatted(id, machine.name()));
        }
        return codec.read("data of instance %s".formatted(id), json, machine.data());
    }

    /** Instances of a machine, newest first. */
    public List<MachineStatus> list(String machine, RunFilter filter) {
        return store.list(filter.workflow(machine)).stream()
                .map(MachineStatus::of)
                .toList();
    }

    /**
     * What has happened to an instance, in order: SIGNALLED and TIMED tell why the ENTERED behind it happened, IGNORED which
     * event led nowhere and why.
     *
     * @throws UnknownRunException if there is no such instance
     */
    public List<RunEvent> timeline(RunId id) {
        status(id);
        return store.timeline(id);
    }

    /**
     * Events that were sent and not yet taken, oldest first, 1,000 at most; of an ended instance, those it never took.
     *
     * @throws UnknownRunException if there is no such instance
     */
    public List<SentEvent> pending(RunId id) {
        status(id);
        return store.signals(id, PENDING_MAX).stream()
                .filter(signal -> signal.name().equals(SentEvent.INBOX))
                .map(signal -> codec.read("event to instance %s".formatted(id), signal.json(), SentEvent.class))
                .toList();
    }

    /**
     * Ends an instance wherever it is; an entry action that runs is asked to stop, and what it returns does not count.
     *
     * @throws UnknownRunException if there is no such instance
     */
    public OperationResult cancel(RunId id, String reason) {
        OperationResult result = store.cancel(id, reason);
        if (result == null) {
            throw StoreMachines.unknown(id);
        }
        return result;
    }
}

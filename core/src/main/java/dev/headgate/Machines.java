package dev.headgate;

import dev.headgate.codec.JsonCodec;
import dev.headgate.handler.Handlers;
import dev.headgate.job.Names;
import dev.headgate.machine.Machine;
import dev.headgate.machine.MachineHandlers;
import dev.headgate.machine.MachineStatus;
import dev.headgate.machine.Sent;
import dev.headgate.run.Move;
import dev.headgate.run.RunEvent;
import dev.headgate.run.RunFilter;
import dev.headgate.run.RunId;
import dev.headgate.run.RunStatus;
import dev.headgate.store.FrameTable.DefinitionRow;
import dev.headgate.transition.Answer;
import dev.headgate.transition.Delivered;
import dev.headgate.transition.RunStore;
import dev.headgate.transition.RunStore.NewRun;
import dev.headgate.transition.RunStore.Started;
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
 * RunId id = headgate.machines().start(ORDER, order, run -> run.key("order-7"));
 * headgate.machines().send(id, "pay", payment, "payment-12");
 * }</pre>
 */
public final class Machines {
    private static final int PENDING_MAX = 1_000;

    private final RunStore store;
    private final JsonCodec codec;
    private final Handlers handlers;
    private final Set<String> defined = ConcurrentHashMap.newKeySet();
    private final Set<String> registered = ConcurrentHashMap.newKeySet();

    Machines(RunStore store, JsonCodec codec, Handlers handlers) {
        this.store = store;
        this.codec = codec;
        this.handlers = handlers;
    }

    /**
     * Registers a machine, so that workers of this process take its events and run its entry actions. Do so before a worker
     * starts. Register old versions too as long as they have instances: an instance goes on with the version it began with.
     *
     * @throws IllegalArgumentException if the store knows this version with other states or events
     */
    public Machines register(Machine<?> machine) {
        define(machine);
        if (registered.add(machine.toString())) {
            new MachineHandlers(machine, codec, store).all().forEach(handlers::add);
        }
        return this;
    }

    private void define(Machine<?> machine) {
        String known = "%s%n%s".formatted(machine, machine.shape());
        if (defined.contains(known)) {
            return;
        }
        DefinitionRow stored = store.define(
                machine.name(), machine.version(), Shape.of(machine).text());
        List<String> before = Shape.parse(stored.shape()).steps();
        if (!before.equals(machine.shape())) {
            throw new IllegalArgumentException(
                    "machine '%s' version %d: expected what it was registered with, %s; give the changed machine version %d and register both, so that instances under way end as they began"
                            .formatted(
                                    machine.name(),
                                    machine.version(),
                                    Workflows.difference(before, machine.shape()),
                                    machine.version() + 1));
        }
        defined.add(known);
    }

    /** Starts an instance in the initial state of its machine. */
    public <D> RunId start(Machine<D> machine, D data) {
        return start(machine, data, run -> {});
    }

    /** The same with an idempotency key, a priority or a budget. */
    public <D> RunId start(Machine<D> machine, D data, Consumer<RunOptions> options) {
        return offer(machine, data, options).id();
    }

    /** Like {@link #start}, and tells whether the instance is new or was there under the same key. */
    public <D> Started offer(Machine<D> machine, D data, Consumer<RunOptions> options) {
        define(machine);
        RunOptions asked = new RunOptions();
        options.accept(asked);
        return store.start(List.of(new NewRun(
                        new Move.Definition(machine.name(), machine.version(), machine.queue(), null),
                        asked.key(),
                        asked.priority(),
                        asked.budget(),
                        MachineHandlers.begin(machine, codec, data))))
                .getFirst();
    }

    /** Sends an event that has no payload. */
    public boolean send(RunId id, String event) {
        return send(id, event, null, null);
    }

    public boolean send(RunId id, String event, @Nullable Object payload) {
        return send(id, event, payload, null);
    }

    /**
     * Sends an event to an instance. When this returns, it is stored: it will be taken once, after those that were sent before
     * it, and the history tells what came of it.
     *
     * @param key the sender's own key for this event; one that the instance has had is not delivered again. Absent: no such check
     * @return false if an event with this key was sent before
     * @throws UnknownRunException if there is no such instance, or it has ended
     * @throws IllegalArgumentException if no state of its machine takes such an event
     */
    public boolean send(RunId id, String event, @Nullable Object payload, @Nullable String key) {
        return sendJson(id, event, codec.write("event '%s' to instance %s".formatted(event, id), payload), key);
    }

    /** The same with JSON text. */
    public boolean sendJson(RunId id, String event, String json, @Nullable String key) {
        String what = "event '%s' to instance %s".formatted(event, id);
        Names.check("event", event);
        if (key != null) {
            Names.check("key of " + what, key);
        }
        String parcel = codec.write(what, new Sent(event, key, codec.check(what, json)));
        Delivered delivered = store.deliver(
                id,
                Sent.INBOX,
                key,
                parcel,
                shape -> !shape.isEmpty()
                        && Machine.eventsIn(Shape.parse(shape).steps()).contains(event));
        return switch (delivered) {
            case NEW -> true;
            case KNOWN -> false;
            case UNKNOWN -> throw unknown(id);
            case ENDED ->
                throw new UnknownRunException(
                        id,
                        "%s: expected one under way, it is %s"
                                .formatted(what, status(id).run()));
            case NOT_TAKEN -> throw new IllegalArgumentException(notTaken(what, id));
        };
    }

    /** Whether this run is an instance of a state machine, and takes events instead of signals. */
    public boolean isInstance(RunId id) {
        RunStatus run = store.find(id);
        return run != null && Machine.isShape(shape(run.workflow(), run.version()));
    }

    private List<String> shape(String machine, int version) {
        return store.definitions(machine).stream()
                .filter(row -> row.version() == version)
                .flatMap(row -> Shape.parse(row.shape()).steps().stream())
                .toList();
    }

    private String notTaken(String what, RunId id) {
        MachineStatus status = status(id);
        List<String> events = Machine.eventsIn(shape(status.machine(), status.version()));
        return events.isEmpty()
                ? "%s: expected an instance of a state machine that takes events, '%s' version %d takes none"
                        .formatted(what, status.machine(), status.version())
                : "%s: expected one of the events of machine '%s' version %d: %s"
                        .formatted(what, status.machine(), status.version(), events);
    }

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
        return find(id).orElseThrow(() -> unknown(id));
    }

    private static UnknownRunException unknown(RunId id) {
        return new UnknownRunException(
                id, "instance %s: there is no such instance; it may have been pruned with the history".formatted(id));
    }

    /** The data of an instance as they are now. */
    public <D> D data(RunId id, Machine<D> machine) {
        String json = status(id).json();
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
     */
    public List<RunEvent> history(RunId id) {
        status(id);
        return store.timeline(id);
    }

    /** Events that were sent and not yet taken, oldest first, 1,000 at most; of an ended instance, those it never took. */
    public List<Sent> pending(RunId id) {
        status(id);
        return store.signals(id, PENDING_MAX).stream()
                .filter(signal -> signal.name().equals(Sent.INBOX))
                .map(signal -> codec.read("event to instance %s".formatted(id), signal.json(), Sent.class))
                .toList();
    }

    /** Ends an instance wherever it is; an entry action that runs is asked to stop, and what it returns does not count. */
    public Answer cancel(RunId id, String reason) {
        return store.cancel(id, reason);
    }
}

package dev.headgate;

import dev.headgate.machine.Machine;
import dev.headgate.run.RunId;
import dev.headgate.run.Started;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Starts instances of state machines and sends them events: in a transaction of its own ({@link Headgate#machines}), or in
 * the caller's ({@link Machines#in}).
 */
public interface MachineOperations {
    /** Starts an instance in the initial state of its machine. */
    default <D> Started start(Machine<D> machine, D data) {
        return start(machine, data, run -> {});
    }

    /**
     * Starts an instance with an idempotency key, a priority or a budget. If an instance of this machine with the same key is
     * known, nothing is started, and the result has the id of that instance.
     *
     * @throws dev.headgate.run.BudgetExceededException if the budget does not cover the start
     */
    <D> Started start(Machine<D> machine, D data, Consumer<RunOptions> options);

    /** Sends an event that has no payload. */
    default boolean send(RunId id, String event) {
        return send(id, event, null, null);
    }

    /** Sends an event with a payload, without a key. */
    default boolean send(RunId id, String event, @Nullable Object payload) {
        return send(id, event, payload, null);
    }

    /**
     * Sends an event to an instance. Once it is stored, it will be taken once, after those that were sent before it, and the
     * history tells what came of it.
     *
     * @param key the sender's own key for this event; one that the instance has had is not delivered again. Absent: no such check
     * @return false if an event with this key was sent before
     * @throws UnknownRunException if there is no such instance
     * @throws RunEndedException if it has ended
     * @throws IllegalArgumentException if no state of its machine takes such an event
     */
    boolean send(RunId id, String event, @Nullable Object payload, @Nullable String key);

    /** The same with JSON text. */
    boolean sendJson(RunId id, String event, String json, @Nullable String key);
}

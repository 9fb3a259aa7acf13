package dev.headgate;

import dev.headgate.run.RunId;
import dev.headgate.run.Started;
import dev.headgate.workflow.Flow.ApprovalDecision;
import dev.headgate.workflow.Workflow;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Starts runs of workflows and sends them signals: in a transaction of its own ({@link Headgate#workflows}), or in the
 * caller's ({@link Workflows#in}).
 */
public interface WorkflowOperations {
    /** Starts a run. */
    default <I> Started start(Workflow<I, ?> workflow, I input) {
        return start(workflow, input, run -> {});
    }

    /**
     * Starts a run with an idempotency key, a priority or a budget: {@code start(SHIP, order, run -> run.key("order-7"))}. If
     * a run of this workflow with the same key is known, nothing is started, and the result has the id of that run.
     *
     * @throws IllegalArgumentException if the budget is more than the workflow's own
     * @throws dev.headgate.run.BudgetExceededException if the budget does not cover the start
     */
    default <I> Started start(Workflow<I, ?> workflow, I input, Consumer<RunOptions> options) {
        return startAll(workflow, List.of(input), (each, run) -> options.accept(run))
                .getFirst();
    }

    /** Starts up to 1,000 runs in one transaction: all of them or none. */
    <I> List<Started> startAll(Workflow<I, ?> workflow, List<I> inputs, BiConsumer<I, RunOptions> options);

    /**
     * Starts a run of a workflow that this process need not know, with JSON text.
     *
     * @throws IllegalArgumentException if no such version was ever registered, or the budget is more than that of the workflow
     */
    Started startJson(String workflow, int version, String json, Consumer<RunOptions> options);

    /**
     * Sends a signal to a run. It is kept until a part of the run waits for it.
     *
     * @throws UnknownRunException if there is no such run
     * @throws RunEndedException if it has ended
     * @throws IllegalArgumentException if nothing in its workflow awaits a signal of this name
     */
    <P> void signal(RunId id, String name, P payload);

    /** The same with JSON text. */
    void signalJson(RunId id, String name, String json);

    /** Approves what a run waits for at {@link dev.headgate.workflow.Flow#awaitApproval}. */
    default void approve(RunId id, String name, String by, String comment) {
        signal(id, name, new ApprovalDecision(true, by, comment));
    }

    /** Rejects it: the step fails, unless the workflow says otherwise. */
    default void reject(RunId id, String name, String by, String comment) {
        signal(id, name, new ApprovalDecision(false, by, comment));
    }
}

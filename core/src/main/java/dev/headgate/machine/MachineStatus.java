package dev.headgate.machine;

import dev.headgate.run.BudgetLine;
import dev.headgate.run.RunId;
import dev.headgate.run.RunState;
import dev.headgate.run.RunStatus;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where an instance of a state machine stands, with its data and its budget.
 *
 * @param state the state it is in
 * @param action the entry action of that state, if it waits or runs
 * @param run AWAITING an event, RUNNING an entry action or about to take an event, SUCCEEDED in a final state, and so on
 * @param key its idempotency key
 * @param json its data
 * @param timerAt when the timer of its state rings
 * @param detail why it failed, was cancelled or stopped
 * @param budget every guardrail with limit, use and reservations
 */
public record MachineStatus(
        RunId id,
        String machine,
        int version,
        String state,
        @Nullable String action,
        RunState run,
        @Nullable String key,
        @Nullable String json,
        @Nullable Instant timerAt,
        @Nullable String detail,
        List<BudgetLine> budget,
        Instant startedAt,
        @Nullable Instant endedAt) {

    /** The same of the run that an instance is. */
    public static MachineStatus of(RunStatus run) {
        String position = run.step() == null ? "" : run.step();
        return new MachineStatus(
                run.id(),
                run.workflow(),
                run.version(),
                StateNode.stateOf(position),
                StateNode.actionOf(position),
                run.state(),
                run.key(),
                run.json(),
                run.until(),
                run.detail(),
                run.budget(),
                run.startedAt(),
                run.endedAt());
    }
}

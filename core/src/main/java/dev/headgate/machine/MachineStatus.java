package dev.headgate.machine;

import dev.headgate.job.Attributes;
import dev.headgate.run.BudgetLine;
import dev.headgate.run.RunId;
import dev.headgate.run.RunState;
import dev.headgate.run.RunStatus;
import dev.headgate.run.RunStatus.Life;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where an instance of a state machine stands, with its data and its budget.
 *
 * @param run AWAITING an event, RUNNING an entry action or about to take an event, SUCCEEDED in a final state, and so on
 * @param budget every guardrail with limit, use and reservations
 */
public record MachineStatus(
        RunId id, RunState run, Origin origin, Position position, Life life, List<BudgetLine> budget) {

    /**
     * What it is an instance of.
     *
     * @param key its idempotency key
     * @param attributes its labels and headers
     */
    public record Origin(
            String machine, int version, @Nullable String key, Attributes attributes) {}

    /**
     * Where it stands.
     *
     * @param state the state it is in
     * @param action the entry action of that state, if it waits or runs
     * @param json its data
     * @param timerAt when the timer of its state rings
     * @param work the job that must end before it takes another event: its entry action, or one that takes an event; absent if
     *     there is none now
     */
    public record Position(
            String state,
            @Nullable String action,
            @Nullable String json,
            @Nullable Instant timerAt,
            RunStatus.@Nullable Work work) {}

    /** The same of the run that an instance is. */
    public static MachineStatus of(RunStatus run) {
        String step = run.position().step() == null ? "" : run.position().step();
        return new MachineStatus(
                run.id(),
                run.state(),
                new Origin(
                        run.origin().workflow(),
                        run.origin().version(),
                        run.origin().key(),
                        run.origin().attributes()),
                new Position(
                        StateNode.stateOf(step),
                        StateNode.actionOf(step),
                        run.position().json(),
                        run.position().until(),
                        run.position().work()),
                run.life(),
                run.budget());
    }
}

package dev.headgate.run;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All there is to know about a run at a glance.
 *
 * @param origin what it is a run of
 * @param position where it stands
 * @param life when it began and how it ended
 * @param budget every guardrail with limit, use and reservations; of the whole tree
 */
public record RunStatus(
        RunId id, RunState state, Origin origin, Position position, Life life, List<BudgetLine> budget) {

    /**
     * What it is a run of, and where it came from.
     *
     * @param name of a run that of its workflow; of a branch or item that of the entry it belongs to
     * @param place the index of a branch, item or child run among its siblings
     * @param key its idempotency key
     * @param parent the run that spawned it
     */
    public record Origin(
            String workflow,
            int version,
            String name,
            int place,
            @Nullable String key,
            @Nullable RunId parent) {}

    /**
     * Where it stands, and what it waits for.
     *
     * @param step where it stands; after the end, where it ended
     * @param json the state it entered that step with, or its result once it has succeeded, as JSON
     * @param until when it wakes, if it sleeps
     * @param awaits the name of the signal it waits for
     * @param children how its present branches, items or child runs stand
     */
    public record Position(
            @Nullable String step,
            @Nullable String json,
            @Nullable Instant until,
            @Nullable String awaits,
            @Nullable Children children) {}

    /**
     * Its begin and its end.
     *
     * @param detail why it failed, was cancelled or stopped
     * @param stoppedBy the guardrails that stopped it, as long as it is {@link RunState#BUDGET_EXCEEDED}: they must be topped
     *     up before it goes on
     */
    public record Life(
            Instant startedAt,
            @Nullable Instant endedAt,
            @Nullable String detail,
            Set<Guardrail> stoppedBy) {
        public Life {
            stoppedBy = Set.copyOf(stoppedBy);
        }
    }

    /** Children that a run waits for. */
    public record Children(int total, int created, int succeeded, int failed) {}
}

package dev.headgate.run;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All there is to know about a run at a glance.
 *
 * @param name of a run that of its workflow; of a branch or item that of the entry it belongs to
 * @param place the index of a branch, item or child run among its siblings
 * @param key its idempotency key
 * @param parent the run that spawned it
 * @param step where it stands; after the end, where it ended
 * @param json the state it entered that step with, or its result once it has succeeded, as JSON
 * @param until when it wakes, if it sleeps
 * @param awaits the name of the signal it waits for
 * @param detail why it failed, was cancelled or stopped
 * @param children how its present branches, items or child runs stand
 * @param budget every guardrail with limit, use and reservations; of the whole tree
 */
public record RunStatus(
        RunId id,
        String workflow,
        int version,
        RunState state,
        String name,
        int place,
        @Nullable String key,
        @Nullable RunId parent,
        @Nullable String step,
        @Nullable String json,
        @Nullable Instant until,
        @Nullable String awaits,
        @Nullable String detail,
        @Nullable Children children,
        List<BudgetLine> budget,
        Instant startedAt,
        @Nullable Instant endedAt) {

    /** Children that a run waits for. */
    public record Children(int total, int created, int succeeded, int failed) {}
}

package dev.headgate.run;

import dev.headgate.job.Attributes;
import dev.headgate.job.JobId;
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
     * @param attributes its labels and headers, which its jobs have too
     */
    public record Origin(
            String workflow,
            int version,
            String name,
            int place,
            @Nullable String key,
            @Nullable RunId parent,
            Attributes attributes) {}

    /**
     * Where it stands, and what it waits for.
     *
     * @param step where it stands; after the end, where it ended
     * @param json the state it entered that step with, or its result once it has succeeded, as JSON
     * @param until when it wakes, if it sleeps
     * @param awaits the name of the signal it waits for
     * @param children how its present branches, items or child runs stand
     * @param work the job that must end before it goes on; absent if there is none now, as while it sleeps
     */
    public record Position(
            @Nullable String step,
            @Nullable String json,
            @Nullable Instant until,
            @Nullable String awaits,
            @Nullable Children children,
            @Nullable Work work) {}

    /**
     * How the job stands that a run, branch or item waits for: that of its step, or one that decides where it goes on.
     *
     * @param job the job, or the first of several; {@code headgate.explain(job)} says more
     * @param where the gate or queue it waits at, the job type that is not known or paused, the worker that is lost, or why it is
     *     parked; empty if it runs
     * @param due when it is tried again
     * @param jobs how many jobs stand like this: 1 for the job of one run, branch or item
     */
    public record Work(
            JobId job, Stand stand, String where, @Nullable Instant due, long jobs) {
        /** What a job does, or what keeps it from running. */
        public enum Stand {
            /** It runs. */
            RUNNING,
            /** It ran on a worker that is lost; another worker takes it over. */
            WORKER_LOST,
            /** Its gates do not let it pass now. */
            AT_GATE,
            /** It waits for a worker of its queue. */
            QUEUED,
            /** Its queue is paused. */
            QUEUE_PAUSED,
            /** No live worker serves its queue. */
            NO_WORKER,
            /** An attempt failed, and the next one is not due. */
            RETRYING,
            /** No worker that saw it knows its type, so it was parked; a worker that knows it takes it on. */
            UNKNOWN_TYPE,
            /** Its type is paused. */
            TYPE_PAUSED,
            /** It was parked for another reason. */
            PARKED
        }

        /** Whether a worker is at it. */
        public boolean isRunning() {
            return stand == Stand.RUNNING;
        }

        /** In words: {@code waiting at gate openai}. */
        public String text() {
            return switch (stand) {
                case RUNNING -> "running";
                case WORKER_LOST -> "waiting: its worker %s is lost".formatted(where);
                case AT_GATE -> "waiting at %s".formatted(where);
                case QUEUED -> "waiting for a worker of %s".formatted(where);
                case QUEUE_PAUSED -> "waiting: %s is paused".formatted(where);
                case NO_WORKER -> "waiting: no live worker serves %s".formatted(where);
                case RETRYING -> "waiting for its next attempt";
                case UNKNOWN_TYPE -> "waiting: no worker knows '%s'".formatted(where);
                case TYPE_PAUSED -> "waiting: job type '%s' is paused".formatted(where);
                case PARKED -> "parked: %s".formatted(where);
            };
        }
    }

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

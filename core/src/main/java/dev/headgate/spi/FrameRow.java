package dev.headgate.spi;

import dev.headgate.internal.run.FrameView.Phase;
import dev.headgate.job.Attributes;
import dev.headgate.run.RunState;
import org.jspecify.annotations.Nullable;

/**
 * A run of a workflow, or a branch, item or child run of one, as stored. Seven values: the first three never change, and each
 * of the others changes apart from the rest.
 *
 * @param tree where it belongs
 * @param program what it runs
 * @param position where it stands
 * @param waits what it waits for
 * @param life when it began and how it ended
 * @param guard what bounds the whole tree; only of a root
 */
public record FrameRow(long id, Tree tree, Program program, Position position, Waits waits, Life life, Guard guard) {

    /**
     * The frames above and beside it.
     *
     * @param root the frame at the top; its row is the lock of the whole tree, and holds its budget
     * @param run the run that this belongs to: itself, unless it is a branch or item
     * @param parent what waits for it, or spawned it
     * @param fork the revision of the parent that made it; 0 if nothing waits for it
     * @param place its index among its siblings
     */
    public record Tree(long root, long run, @Nullable Long parent, long fork, int place, int depth) {
        /** Of a run that was started from outside. */
        public static Tree root(long id) {
            return new Tree(id, id, null, 0, 0, 0);
        }
    }

    /**
     * The workflow and how it was asked for.
     *
     * @param name of a branch or item: that of its fork; of a run: its workflow
     * @param key its idempotency key
     * @param attributes its labels and headers, which its jobs and all below it have too
     */
    public record Program(
            String name,
            String workflow,
            int version,
            String queue,
            int priority,
            @Nullable String key,
            Attributes attributes) {}

    /**
     * A place in the workflow.
     *
     * @param revision rises with every move
     * @param events how many events it has had
     * @param entered the event that holds the state it entered its step with
     */
    public record Position(
            RunState state, Phase phase, @Nullable String step, long revision, long events, long entered) {
        /** Before its first event. */
        public static Position start(@Nullable String step, long revision) {
            return new Position(RunState.RUNNING, Phase.FORWARD, step, revision, 0, 0);
        }
    }

    /**
     * What must happen before it goes on.
     *
     * @param awaits the signal it waits for
     * @param children how the children of its latest fork stand, as text
     */
    public record Waits(
            @Nullable String awaits,
            @Nullable Long dueAt,
            @Nullable String children) {
        public static final Waits NONE = new Waits(null, null, null);
    }

    /**
     * Its begin and its end.
     *
     * @param result its last state
     * @param detail why it failed, was cancelled or stopped
     */
    public record Life(
            long startedAt,
            @Nullable Long endedAt,
            @Nullable String result,
            @Nullable String detail) {
        /** Of one that has just begun. */
        public static Life from(long startedAt) {
            return new Life(startedAt, null, null, null);
        }
    }

    /**
     * What bounds a whole tree.
     *
     * @param budget as text
     * @param halt PAUSED or BUDGET_EXCEEDED if nothing of the tree may start
     */
    public record Guard(@Nullable String budget, @Nullable RunState halt) {
        /** Of a frame that is no root. */
        public static final Guard NONE = new Guard(null, null);
    }

    /**
     * The state that people see. A list that asks for one state has the same rule in SQL.
     *
     * @param halt that of its root
     */
    public RunState shown(@Nullable RunState halt) {
        if (position.state.isTerminal()) {
            return position.state;
        }
        RunState moving = position.phase == Phase.CANCELLING ? RunState.CANCELLING : position.state;
        return halt == null ? moving : halt;
    }

    public boolean isRun() {
        return tree.run == id;
    }
}

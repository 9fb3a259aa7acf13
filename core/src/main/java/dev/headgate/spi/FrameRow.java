package dev.headgate.spi;

import dev.headgate.internal.run.FrameView.Phase;
import dev.headgate.run.RunState;
import org.jspecify.annotations.Nullable;

/**
 * A run of a workflow, or a branch, item or child run of one, as stored.
 *
 * @param root the frame at the top; its row is the lock of the whole tree, and holds its budget
 * @param run the run that this belongs to: itself, unless it is a branch or item
 * @param name of a branch or item: that of its fork; of a run: its workflow
 * @param parent what waits for it, or spawned it
 * @param fork the revision of the parent that made it; 0 if nobody waits for it
 * @param place its index among its siblings
 * @param revision rises with every move
 * @param events how many events it has had
 * @param entered the event that holds the state it entered its step with
 * @param awaits the signal it waits for
 * @param children how the children of its latest fork stand, as text
 * @param result its last state
 * @param detail why it failed, was cancelled or stopped
 * @param budget of the whole tree, as text; only of a root
 * @param halt PAUSED or BUDGET_EXCEEDED if nothing of the tree may start; only of a root
 */
public record FrameRow(
        long id,
        long root,
        long run,
        String name,
        @Nullable Long parent,
        long fork,
        int place,
        int depth,
        String workflow,
        int version,
        String queue,
        int priority,
        @Nullable String key,
        RunState state,
        Phase phase,
        @Nullable String step,
        long revision,
        long events,
        long entered,
        @Nullable String awaits,
        @Nullable Long dueAt,
        @Nullable String children,
        long startedAt,
        @Nullable Long endedAt,
        @Nullable String result,
        @Nullable String detail,
        @Nullable String budget,
        @Nullable RunState halt) {

    public boolean isRun() {
        return run == id;
    }
}

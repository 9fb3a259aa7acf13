package dev.headgate.proof.simulation;

import dev.headgate.internal.run.FrameView.Phase;
import dev.headgate.run.RunState;
import dev.headgate.spi.FrameRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A run, or a branch, item or child run of one, as the commits show it. */
final class RunPart {
    final long id;
    final RunTree tree;
    final @Nullable RunPart parent;
    final long fork;
    final boolean isRun;
    final List<RunPart> children = new ArrayList<>();

    /** What it entered each of its revisions with. */
    private final Map<Long, String> entered = new HashMap<>();

    FrameRow row;
    long lastEvent;

    /** The job that made the present state. */
    long maker;

    /** The revision before this commit. */
    long revisionBefore;

    /** Whether it was begun again in this commit. */
    boolean isBegunAgain;

    /** Whether it was deleted because it ended long ago. */
    boolean isPruned;

    RunPart(FrameRow row, RunTree tree, @Nullable RunPart parent) {
        this.id = row.id();
        this.tree = tree;
        this.parent = parent;
        this.fork = row.tree().fork();
        this.isRun = row.isRun();
        this.row = row;
        this.revisionBefore = row.position().revision();
    }

    void entered(long revision, String state) {
        entered.put(revision, state);
    }

    /** What it entered this revision with; absent if that was no step. */
    @Nullable
    String enteredWith(long revision) {
        return entered.get(revision);
    }

    boolean hasEnded() {
        return row.position().state().isTerminal();
    }

    /** Whether it is on its way to an end because it is no longer wanted. */
    boolean isGivenUp() {
        return hasEnded() || row.position().phase() == Phase.CANCELLING;
    }

    boolean isHeld() {
        return tree.root().row.guard().halt() != null || row.position().state() == RunState.BUDGET_EXCEEDED;
    }

    @Override
    public String toString() {
        return "part %d of run %d (%s at %s, revision %d)"
                .formatted(
                        id,
                        tree.root().id,
                        row.position().state(),
                        row.position().step(),
                        row.position().revision());
    }
}

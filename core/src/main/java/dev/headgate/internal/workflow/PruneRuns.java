package dev.headgate.internal.workflow;

import dev.headgate.spi.Backend;
import dev.headgate.spi.EndPosition;
import dev.headgate.spi.EndedRange;
import dev.headgate.spi.FrameRow;
import dev.headgate.spi.FrameTable.Branch;
import dev.headgate.spi.FrameTable.EndedRoot;
import dev.headgate.spi.StoreTransaction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Deletes runs that ended long ago, branch by branch. A tree is looked at once its root is old enough. Then a frame goes if it
 * ended before the same instant, its parent has ended too, no job of it runs or is wanted, and nothing below it stays. So a
 * live child keeps the whole path up to its root, and a live parent keeps all children that it made.
 *
 * <p>Design note: whatever is below a frame has a higher number, so the newest come first and one look at each is enough. What
 * has ended below a root never comes back to life, and the root does so only under its lock, which every batch takes. So a
 * large tree may go in many transactions.
 */
public final class PruneRuns {
    private static final int ROOTS_MAX = 100;
    private static final int FRAMES_MAX = 2_000;

    private final Backend backend;
    private final EndedRange range;

    private PruneRuns(Backend backend, EndedRange range) {
        this.backend = backend;
        this.range = range;
    }

    /** Which frames go, and which of those that are still to come must stay because of what is below them. */
    private static final class Choice {
        private final Set<Long> staying;
        private final List<Long> gone = new ArrayList<>();
        private final long before;

        /** @param staying the frames known to stay so far because of what is below them; gets more */
        private Choice(Set<Long> staying, long before) {
            this.staying = staying;
            this.before = before;
        }

        private void see(Branch branch) {
            Long endedAt = branch.endedAt();
            boolean isNeeded = branch.isParentLive() || branch.hasJob() || staying.contains(branch.id());
            if (endedAt == null || endedAt >= before || isNeeded) {
                staying.add(branch.parent());
            } else {
                gone.add(branch.id());
            }
        }

        /** A root that is old enough. */
        private boolean see(EndedRoot root) {
            boolean isGoing =
                    !root.hasJob() && !staying.contains(root.position().id());
            if (isGoing) {
                gone.add(root.position().id());
            }
            return isGoing;
        }

        private void write(StoreTransaction tx) {
            if (!gone.isEmpty()) {
                tx.frames().prune(gone);
            }
        }
    }

    /**
     * Some trees that were looked at together.
     *
     * @param isLarge there are too many frames in them for one transaction: nothing was done
     */
    private record Batch(List<EndedRoot> roots, boolean isLarge, int gone) {}

    /** Returns how many roots were deleted. */
    public static int run(Backend backend, EndedRange range) {
        PruneRuns pass = new PruneRuns(backend, range);
        int all = 0;
        EndPosition position = EndPosition.startOf(range);
        Batch batch;
        do {
            EndPosition after = position;
            batch = backend.write(tx -> pass.small(tx, after));
            all += batch.gone();
            if (batch.isLarge()) {
                all += (int) batch.roots().stream().filter(pass::large).count();
            }
            position =
                    batch.roots().isEmpty() ? position : batch.roots().getLast().position();
        } while (batch.roots().size() == ROOTS_MAX);
        return all;
    }

    private Batch small(StoreTransaction tx, EndPosition after) {
        List<EndedRoot> roots = tx.frames().lockEndedRoots(range, after, ROOTS_MAX);
        if (roots.isEmpty()) {
            return new Batch(roots, false, 0);
        }
        List<Long> ids = roots.stream().map(root -> root.position().id()).toList();
        List<Branch> below = tx.frames().branches(ids, FRAMES_MAX);
        if (below.size() == FRAMES_MAX) {
            return new Batch(roots, true, 0);
        }
        Choice choice = new Choice(new HashSet<>(), range.before());
        below.forEach(choice::see);
        int gone = (int) roots.stream().filter(choice::see).count();
        choice.write(tx);
        return new Batch(roots, false, gone);
    }

    /** A tree of its own, as many frames in each transaction as one may write. Returns whether its root was deleted. */
    private boolean large(EndedRoot root) {
        long id = root.position().id();
        Set<Long> staying = new HashSet<>();
        long before = Long.MAX_VALUE;
        List<Branch> page;
        do {
            long from = before;
            page = backend.write(tx -> {
                tx.frames().lockRoots(List.of(id));
                List<Branch> some = tx.frames().branches(id, from, FRAMES_MAX);
                Choice choice = new Choice(staying, range.before());
                some.forEach(choice::see);
                choice.write(tx);
                return some;
            });
            before = page.isEmpty() ? before : page.getLast().id();
        } while (page.size() == FRAMES_MAX);
        return backend.write(tx -> {
            List<FrameRow> locked = tx.frames().lockRoots(List.of(id));
            Long endedAt = locked.isEmpty() ? null : locked.getFirst().life().endedAt();
            Choice choice = new Choice(staying, range.before());
            boolean isGone = endedAt != null && endedAt < range.before() && choice.see(root);
            choice.write(tx);
            return isGone;
        });
    }
}

package dev.headgate.engine;

import dev.headgate.admission.ClaimPlan.Head;
import dev.headgate.admission.ClaimPlan.Unfit;
import dev.headgate.admission.Fit;
import dev.headgate.transition.Turn;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Room for so many starts with a margin, besides what there is room for otherwise. For one turn, by one thread. */
final class PunctualFit implements Fit {
    /** So many more are looked at, so that jobs without a margin are found behind those that are passed over. */
    private static final int SIGHT = 64;

    private final Fit room;
    private final int most;
    private final Passed before;
    private final Set<Long> refused = new HashSet<>();

    /** What was passed over. */
    record Passed(Set<Long> jobs, Set<String> lanes) {
        static final Passed NONE = new Passed(Set.of(), Set.of());
    }

    /**
     * For a worker that has been asked to start fewer.
     *
     * @param before what its latest turn passed over, so that others have been told of it
     */
    PunctualFit(Fit room, int most, Passed before) {
        this.room = room;
        this.most = most;
        this.before = before;
    }

    @Override
    public Trial trial() {
        refused.clear();
        return new Bounded(room.trial());
    }

    @Override
    public int sight() {
        return Math.max(SIGHT, room.sight());
    }

    @Override
    public boolean hasPassed(long job) {
        return before.jobs.contains(job) || room.hasPassed(job);
    }

    @Override
    public boolean hasPassedLane(String lane) {
        return before.lanes.contains(lane) || room.hasPassedLane(lane);
    }

    /** What this turn has passed over because it may not be in time. */
    Passed passed(Turn.Passed all) {
        Set<String> lanes = new HashSet<>();
        all.jobs().stream().filter(this::isOurs).forEach(unfit -> lanes.add(unfit.lane()));
        return new Passed(Set.copyOf(refused), lanes);
    }

    /** What this turn has passed over for other reasons. */
    Turn.Passed others(Turn.Passed all) {
        List<Unfit> others = new ArrayList<>(all.jobs());
        others.removeIf(this::isOurs);
        return others.isEmpty() ? Turn.Passed.NONE : new Turn.Passed(others, all.isBeyondSight());
    }

    private boolean isOurs(Unfit unfit) {
        return refused.contains(unfit.head().job());
    }

    private final class Bounded implements Trial {
        private final Trial trial;
        private int left = most;

        private Bounded(Trial trial) {
            this.trial = trial;
        }

        @Override
        public boolean take(Head head) {
            return trial.take(head);
        }

        @Override
        public boolean take(Head head, long margin) {
            if (margin > 0 && left == 0) {
                refused.add(head.job());
                return false;
            }
            boolean isTaken = trial.take(head, margin);
            left -= isTaken && margin > 0 ? 1 : 0;
            return isTaken;
        }
    }
}

package dev.headgate.internal.worker;

import dev.headgate.internal.admission.ClaimPlan.Head;
import dev.headgate.internal.admission.ClaimPlan.Unfit;
import dev.headgate.internal.admission.JobFit;
import dev.headgate.internal.lease.Turn;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Bounds the starts with a margin, and the first starts of each type, besides what another capacity allows. For one
 * turn, by one thread.
 */
final class PacedFit implements JobFit {
    /** How many more jobs to read, so that jobs without a margin are found behind those that are passed over. */
    private static final int SIGHT = 64;

    private final JobFit room;
    private final int most;
    private final Set<String> awaited;
    private final Predicate<String> isUnderWay;
    private final Passed before;
    private final Set<Long> refused = new HashSet<>();

    /**
     * What was passed over.
     *
     * @param told the jobs that the turn before had passed over too, so that other workers were told of them twice.
     *     Once is not enough: while the next turn here holds their lanes, another worker that looks for them finds nothing
     */
    record Passed(Set<Long> jobs, Set<Long> told, Set<String> lanes) {
        static final Passed NONE = new Passed(Set.of(), Set.of(), Set.of());
    }

    /**
     * For a worker that was asked to start fewer, or has not run some types yet.
     *
     * @param most how many starts with a margin; {@link LateStartControl#UNBOUND} if there is no bound
     * @param awaited types whose next start would be the first one here
     * @param isUnderWay whether the first start of such a type was granted and has not ended
     * @param before what its latest turn passed over
     */
    PacedFit(JobFit room, int most, Set<String> awaited, Predicate<String> isUnderWay, Passed before) {
        this.room = room;
        this.most = most;
        this.awaited = awaited;
        this.isUnderWay = isUnderWay;
        this.before = before;
    }

    @Override
    public Trial trial() {
        refused.clear();
        return new Bounded(room.trial());
    }

    @Override
    public int sight() {
        return most == LateStartControl.UNBOUND ? room.sight() : Math.max(SIGHT, room.sight());
    }

    @Override
    public boolean hasPassed(long job) {
        return before.told.contains(job) || room.hasPassed(job);
    }

    @Override
    public boolean hasPassedLane(String lane) {
        return before.lanes.contains(lane) || room.hasPassedLane(lane);
    }

    /** What this turn has passed over because it might be late. */
    Passed passed(Turn.Passed all) {
        Set<String> lanes = new HashSet<>();
        all.jobs().stream().filter(this::isOurs).forEach(unfit -> lanes.add(unfit.lane()));
        Set<Long> told = new HashSet<>(refused);
        told.retainAll(before.jobs);
        return new Passed(Set.copyOf(refused), told, lanes);
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
        private final Set<String> firsts = new HashSet<>();
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
            if (margin == 0) {
                return trial.take(head, margin);
            }
            boolean isFirst = awaited.contains(head.type());
            if (left == 0 || (isFirst && (isUnderWay.test(head.type()) || firsts.contains(head.type())))) {
                refused.add(head.job());
                return false;
            }
            boolean isTaken = trial.take(head, margin);
            if (isTaken) {
                left--;
                firsts.addAll(isFirst ? List.of(head.type()) : List.of());
            }
            return isTaken;
        }

        /** In a lane without gates the margin is the queue's, so all jobs behind one with a margin have one too. */
        @Override
        public boolean mayBePassed(Head unfit) {
            return !refused.contains(unfit.job()) && trial.mayBePassed(unfit);
        }

        @Override
        public long margin(Head head, long margin) {
            return margin > 0 && firsts.contains(head.type()) ? Math.max(margin, FirstStarts.MARGIN_MICROS) : margin;
        }
    }
}

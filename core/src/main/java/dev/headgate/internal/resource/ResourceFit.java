package dev.headgate.internal.resource;

import dev.headgate.internal.admission.ClaimPlan.Head;
import dev.headgate.internal.admission.JobFit;
import dev.headgate.internal.resource.Demands.Demand;
import dev.headgate.internal.resource.Stocks.Levels;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What fits one worker at one moment. Immutable.
 *
 * <p>Design note: heavy jobs do not starve. Light jobs behind a heavy one start, so the capacity it waits for may never
 * be free at once. So capacity is kept for a job that was passed over for {@link PassedOver#PATIENCE_NANOS}: younger
 * jobs get only what is left beside it, until running jobs have ended and it fits. Of several such jobs capacity is
 * kept only for the oldest, and only if the end of our own jobs would make it fit; a job that is too big blocks no
 * other.
 */
final class ResourceFit implements JobFit {
    private final Demands demands;
    private final Levels levels;
    private final TimeLeft time;
    private final Set<Long> passed;
    private final Set<String> passedLanes;
    private final int sight;
    private final @Nullable Head kept;

    ResourceFit(Demands demands, Levels levels, TimeLeft time, PassedOver passedOver, long now) {
        this.demands = demands;
        this.levels = levels;
        this.time = time;
        this.passed = passedOver.latest();
        this.passedLanes = passedOver.lanes();
        this.sight = passedOver.sight();
        this.kept = passedOver.overdue(now, this::canEverFit);
    }

    /** Whether it would fit if the jobs at work here had ended. */
    private boolean canEverFit(Head head) {
        Demand demand = demands.of(head.type());
        if (demand.isForeign() || !time.isEnoughFor(demand.micros())) {
            return false;
        }
        for (int i = 0; i < levels.free.length; i++) {
            if (demand.amount(i, levels.whole[i]) > levels.free[i] + levels.promised[i]) {
                return false;
            }
        }
        return true;
    }

    @Override
    public Trial trial() {
        return new Trying();
    }

    @Override
    public int sight() {
        return sight;
    }

    @Override
    public boolean hasPassed(long job) {
        return passed.contains(job);
    }

    @Override
    public boolean hasPassedLane(String lane) {
        return passedLanes.contains(lane);
    }

    private final class Trying implements Trial {
        private final long[] free = levels.free.clone();
        private @Nullable Head waiting = kept;

        @Override
        public boolean take(Head head) {
            Demand demand = demands.of(head.type());
            if (!time.isEnoughFor(demand.micros())) {
                return false;
            }
            if (demand.isNothing()) {
                return true;
            }
            if (demand.isForeign() || !isRoom(head, demand)) {
                return false;
            }
            for (int i = 0; i < free.length; i++) {
                free[i] -= demand.amount(i, levels.whole[i]);
            }
            if (waiting != null && waiting.job() == head.job()) {
                waiting = null;
            }
            return true;
        }

        private boolean isRoom(Head head, Demand demand) {
            Demand first = waiting == null || !PassedOver.isBefore(waiting, head) ? null : demands.of(waiting.type());
            for (int i = 0; i < free.length; i++) {
                long need = demand.amount(i, levels.whole[i]);
                long keptHere = first == null ? 0 : first.amount(i, levels.whole[i]);
                if (need > 0 && need > free[i] - keptHere) {
                    return false;
                }
            }
            return true;
        }
    }
}

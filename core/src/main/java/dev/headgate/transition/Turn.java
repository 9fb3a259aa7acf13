package dev.headgate.transition;

import dev.headgate.store.JobRow;
import dev.headgate.store.Wake;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a turnaround answers.
 *
 * @param started leases granted now
 * @param refused jobs whose outcome came too late: their lease was no longer this worker's
 * @param nextWake how long until time alone can let another job start; absent if only an event can
 * @param isOthers another worker was the last to move what opens then and will be there: who comes as well comes in vain
 * @param decidedNanos when it was decided, by the ticker of this process; {@code nextWake} counts from here
 * @param wakes queues in which work was left that another worker may be able to start
 * @param isLookDue whether somebody must look at jobs that wait for others
 */
public record Turn(
        List<JobRow> started,
        Set<Long> refused,
        @Nullable Duration nextWake,
        boolean isOthers,
        long decidedNanos,
        Set<Wake> wakes,
        boolean isLookDue) {
    Turn waking(Duration next) {
        return new Turn(started, refused, next, false, decidedNanos, wakes, isLookDue);
    }
}

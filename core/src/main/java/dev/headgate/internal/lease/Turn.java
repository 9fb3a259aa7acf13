package dev.headgate.internal.lease;

import dev.headgate.explain.Decision;
import dev.headgate.internal.admission.ClaimPlan.Unfit;
import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.admission.QueueTurns;
import dev.headgate.job.Outcome;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.Wake;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a turnaround answers.
 *
 * @param started leases granted now
 * @param passes how often the lanes of these jobs had been turned away before they started, of those that had been: a start
 *     that is given up brings it back
 * @param ends what became of the outcomes that were sent, if it is not what was sent
 * @param clock when it was decided
 * @param next when time alone can let another job start; absent if only an event can. If all slots are full now, only what
 *     this turn has moved counts: no other worker waits for it
 * @param wakes queues in which work was left that another worker may be able to start
 * @param left what it leaves to the next turn
 * @param noted what figures are made of
 */
public record Turn(
        List<JobRow> started,
        Map<Long, Integer> passes,
        Ends ends,
        Clock clock,
        @Nullable Next next,
        Set<Wake> wakes,
        Left left,
        Noted noted) {
    /**
     * Outcomes that were not taken up as they were sent.
     *
     * @param refused jobs whose outcome came too late: their lease was no longer this worker's
     * @param givenUp what became of jobs that their workers gave back once too often, in place of the outcome that was sent
     * @param busy jobs whose outcome was not taken up, because another transaction has locked a gate of theirs: to be sent again.
     *     Never the first of those that were sent
     */
    public record Ends(Set<Long> refused, Map<Long, Outcome> givenUp, Set<Long> busy) {
        /** All outcomes were taken up as they were sent. */
        public static final Ends AS_SENT = new Ends(Set.of(), Map.of(), Set.of());

        public static Ends of(Set<Long> refused, Map<Long, Outcome> givenUp, Set<Long> busy) {
            return refused.isEmpty() && givenUp.isEmpty() && busy.isEmpty()
                    ? AS_SENT
                    : new Ends(refused, givenUp, busy);
        }
    }

    /**
     * Two readings of the ticker of this process.
     *
     * @param decidedNanos when the turn was decided
     * @param grantedNanos taken before the statement was sent that read the store's clock: the leases are not older than this. A
     *     reading taken after it could be later than the grant by as long as the answer was on its way, and a start would look that
     *     much earlier than it is
     */
    public record Clock(long decidedNanos, long grantedNanos) {}

    /**
     * What a turn leaves to the next one.
     *
     * @param serving where the worker stands in serving its queues after these starts
     * @param passed what the worker has no room for
     * @param denied how many lanes were judged for the first time and joined the line of a gate: progress, although nothing
     *     started
     * @param isLookDue whether jobs that wait for others must be looked at
     */
    public record Left(QueueTurns serving, Passed passed, int denied, boolean isLookDue) {}

    /**
     * What figures are made of, beside what started and ended.
     *
     * @param at when it was decided, in store time
     * @param book by which policies
     * @param refusals why lanes were turned away, one for each
     */
    public record Noted(long at, PolicyBook book, List<Decision.Blocked> refusals) {}

    /**
     * When to look again.
     *
     * @param in how long after the decision
     * @param at what the worker is to attend, in store time: the same, or what opens later if it is to look again at once
     * @param isOthers another worker was the last to move what opens then and will look at that time, so this one need
     *     not
     */
    public record Next(Duration in, long at, boolean isOthers) {}

    /**
     * Jobs that could start and do not fit the worker that asked.
     *
     * @param jobs as far as they were looked at, oldest first within a queue
     * @param isBeyondSight more may stand behind them that would fit; a worker that looks further finds out
     */
    public record Passed(List<Unfit> jobs, boolean isBeyondSight) {
        public static final Passed NONE = new Passed(List.of(), false);
    }

    /** How long until time alone can let another job start; absent if only an event can. */
    public @Nullable Duration nextWake() {
        return next == null ? null : next.in();
    }

    /** Whether it started or judged something, or has more queues to look at. Only so often without a start. */
    public boolean hasMoved() {
        return !started.isEmpty() || left.denied > 0 || !left.serving.sweep().isStart();
    }

    /** What was sent, as the store took it. */
    public EndedLease asTaken(EndedLease sent) {
        Outcome instead = ends.givenUp.get(sent.lease().id());
        return instead == null ? sent : sent.with(instead);
    }

    /** Of what was sent with it, what the store has dealt with; the rest is to be sent again. */
    public List<EndedLease> taken(List<EndedLease> sent) {
        return ends.busy.isEmpty()
                ? sent
                : sent.stream()
                        .filter(ended -> !ends.busy.contains(ended.lease().id()))
                        .toList();
    }

    public Set<Long> refused() {
        return ends.refused;
    }

    public Set<Long> busy() {
        return ends.busy;
    }

    public long decidedNanos() {
        return clock.decidedNanos;
    }

    public long grantedNanos() {
        return clock.grantedNanos;
    }

    public int denied() {
        return left.denied;
    }

    /** The same with the leases that it has granted. */
    public Turn starting(List<JobRow> jobs) {
        return new Turn(jobs, passes, ends, clock, next, wakes, left, noted);
    }

    public Turn waking(Next sooner) {
        return new Turn(started, passes, ends, clock, sooner, wakes, left, noted);
    }
}

package dev.headgate.internal.claim;

import dev.headgate.internal.admission.ClaimPlan;
import dev.headgate.internal.admission.QueueTurns;
import dev.headgate.internal.gate.NextWake;
import dev.headgate.internal.lane.Arrivals;
import dev.headgate.internal.lane.NextDue;
import dev.headgate.internal.lease.OpenTurn;
import dev.headgate.internal.lease.Turn;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.Pending;
import dev.headgate.spi.ReleasedRow;
import dev.headgate.spi.Wake;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The last phase: what the worker is told, when it comes again, and which other workers are woken. */
final class AnswerPhase {
    private final TurnContext turn;
    private final LockPhase locked;
    private final EndedLeases ended;
    private final PlanPhase planned;
    private final ClaimPlan plan;
    private final Arrivals.Filed filed;
    private final long now;
    private boolean isMoreHere;

    AnswerPhase(TurnContext turn, LockPhase locked, EndedLeases ended, PlanPhase planned, long now) {
        this.turn = turn;
        this.locked = locked;
        this.ended = ended;
        this.planned = planned;
        this.plan = planned.plan();
        this.filed = locked.filed();
        this.now = now;
    }

    OpenTurn run(Pending<List<JobRow>> started, long decidedNanos) {
        RemainingWork left = new RemainingWork(turn, planned);
        turn.more.addIf(left.isClaimable(), MoreWork.Reason.NOT_JUDGED);
        isMoreHere = turn.more.isAny();
        turn.more.addIf(turn.queues.isCut() || turn.queues.isAgain(), MoreWork.Reason.QUEUES_LEFT);
        wakeOthers(left);
        Turn answer = new Turn(
                List.of(),
                turn.lanes.passesBefore(plan),
                Turn.Ends.of(ended.refused(), ended.givenUp(), turn.busy),
                new Turn.Clock(decidedNanos, turn.clock.askedNanos()),
                next(started),
                Set.copyOf(turn.wakes),
                new Turn.Left(served(), left.passed(), left.denied(), filed.isLookDue()),
                new Turn.Noted(now, turn.book, List.copyOf(plan.refusals())));
        return new OpenTurn(started, answer);
    }

    private void wakeOthers(RemainingWork left) {
        turn.wakes.addAll(left.toOthers());
        if (plan.slotsLeft() > 0) {
            return;
        }
        if (turn.more.isAny()) {
            turn.queues.all().forEach(queue -> turn.wakes.add(new Wake.Queue(queue)));
        }
        for (ReleasedRow row : ended.released()) {
            if (turn.gates.queue(row.lane().queue()) != null) {
                turn.wakes.add(new Wake.Queue(row.lane().queue()));
            }
        }
    }

    /** Where the worker goes on. */
    private QueueTurns served() {
        QueuesOfTurn queues = turn.queues;
        if (!queues.hasPatterns()) {
            return plan.served();
        }
        Turn.Next seen = queues.isCut()
                ? NextWake.after(queues.all(), turn.gates, plan, null, null, now)
                        .from(now)
                : null;
        Long opens = NextWake.earlier(queues.opens(), seen == null ? null : Long.valueOf(seen.at()));
        boolean isLeft = plan.slotsLeft() == 0 || isMoreHere || !plan.grants().isEmpty();
        return plan.served().goingOn(queues.next(opens, isLeft));
    }

    private Turn.@Nullable Next next(Pending<List<JobRow>> started) {
        Collection<String> queues = turn.queues.all();
        if (plan.slotsLeft() == 0) {
            return NextWake.ofMoved(queues, turn.gates, now).from(now);
        }
        if (turn.more.isAny()) {
            return NextWake.ofMoved(queues, turn.gates, now).atOnce(now);
        }
        return NextWake.after(queues, turn.gates, plan, nextDue(started), locked.nextOpening(), now)
                .orOf(turn.queues.opens())
                .from(now);
    }

    /** When the next job is due by its own time. What filing read still holds if no job with such a time has moved since. */
    private @Nullable Long nextDue(Pending<List<JobRow>> started) {
        boolean isStill = filed.isWhole()
                && ended.hasOnlyEnded()
                && (filed.nextDue() == null
                        || started.get().stream()
                                .allMatch(job -> job.spec().tries().deadline() == null));
        return isStill
                ? filed.nextDue()
                : NextDue.of(turn.tx, turn.request().queues()).get().orElse(null);
    }
}

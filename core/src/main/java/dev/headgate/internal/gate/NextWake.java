package dev.headgate.internal.gate;

import dev.headgate.explain.Decision;
import dev.headgate.internal.admission.ClaimPlan;
import dev.headgate.internal.admission.GateLedger;
import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.admission.Waiter;
import dev.headgate.internal.lane.NextDue;
import dev.headgate.internal.lane.WaitingQueues;
import dev.headgate.internal.lease.Turn;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.GateRow;
import dev.headgate.spi.StoreTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * When time alone lets something start, and which worker takes a turn then.
 *
 * <p>Design note: one worker comes, the others check. If every worker came the instant a gate opens, one of them would start a
 * job and the rest would wait behind its locks for nothing, on the machine that it needs. So the worker that moved the gate
 * last comes exactly in time. The others check a little later, without any lock, whether it has.
 */
public final class NextWake {
    /** How many jobs of an open queue are counted; the next poll finds what is behind them. */
    private static final int STARTABLE_MAX = 8;

    /** Comes before all others and takes nothing: what blocks this job blocks every job. */
    public static final Waiter ANY_JOB = new Waiter("", Long.MIN_VALUE, 0);

    private @Nullable Long ours;
    private @Nullable Long others;

    private NextWake() {}

    /**
     * After a turn, which has saved its gates.
     *
     * @param nextDue when the next job is due by its own time
     * @param others when the first gate opens that the turn did not touch
     */
    public static NextWake after(
            Collection<String> queues,
            LockedGates ledgers,
            ClaimPlan plan,
            @Nullable Long nextDue,
            @Nullable Long others,
            long now) {
        NextWake look = ofMoved(queues, ledgers, now);
        look.mine(nextDue);
        look.theirs(ledgers.firstKept());
        look.theirs(others);
        for (String queue : queues) {
            GateLedger ledger = ledgers.queue(queue);
            look.theirs(ledger == null ? null : opens(ledger, now));
        }
        plan.shutQueues().forEach((queue, shut) -> {
            GateLedger ledger = ledgers.queue(queue);
            look.theirs(opens(shut));
            look.mine(ledger != null && ledger.starts() > 0 ? opens(shut) : null);
        });
        return look;
    }

    /** Or at this instant, if it is earlier. */
    public NextWake orOf(@Nullable Long at) {
        mine(at);
        return this;
    }

    /**
     * Only of what this turn has moved, which this worker must attend. The worker is told this also if it does something else
     * next, because its slots are full or it takes another turn at once: otherwise every worker would leave the gate to another
     * one, and all would come late.
     */
    public static NextWake ofMoved(Collection<String> queues, LockedGates ledgers, long now) {
        NextWake look = new NextWake();
        look.mine(ledgers.firstMoved());
        for (String queue : queues) {
            GateLedger ledger = ledgers.queue(queue);
            look.mine(ledger != null && ledger.starts() > 0 ? opens(ledger, now) : null);
        }
        return look;
    }

    /**
     * Without a turn and without locks: the time until something can start; absent if nothing waits for time. That a queue is open
     * does not say that a job still waits in it: the worker that should come may have filled its slots, or may be gone. So this
     * checks whether a job could start, and whether a lane is in no line, because it was read while the queue was shut.
     */
    public static @Nullable Duration glance(StoreTransaction tx, Collection<String> served) {
        WaitingQueues waiting = WaitingQueues.of(tx, served);
        if (waiting.isCut()) {
            return Duration.ZERO;
        }
        Collection<String> queues = waiting.queues();
        PolicyBook book = tx.policies();
        long now = tx.now();
        NextWake look = new NextWake();
        look.mine(NextDue.of(tx, served).get().orElse(null));
        look.mine(tx.gates().nextWake());
        var limited =
                queues.stream().map(GateKey::queue).filter(book::isCounted).toList();
        List<String> opened = new ArrayList<>();
        if (!limited.isEmpty()) {
            for (GateRow row : rows(tx, limited)) {
                Long opens = opens(row.ledger(book, now), now);
                look.mine(opens);
                if (opens == null) {
                    opened.add(row.key().name());
                }
            }
        }
        if (!opened.isEmpty() && (look.ours == null || look.ours > now)) {
            Admissible startable = Admissible.in(tx, opened, STARTABLE_MAX);
            boolean isWorthATurn =
                    opened.stream().anyMatch(queue -> startable.of(queue) > 0 || startable.hasLanesInNoLine(queue));
            look.mine(isWorthATurn ? Long.valueOf(now) : null);
        }
        return look.ours == null ? null : Micros.duration(Math.max(0, look.ours - now));
    }

    /** The rows of these queues; a fresh one if there is none. */
    private static List<GateRow> rows(StoreTransaction tx, List<GateKey> queues) {
        Map<GateKey, GateRow> rows = new LinkedHashMap<>();
        queues.forEach(queue -> rows.put(queue, GateRow.fresh(queue)));
        tx.gates().findAll(queues).forEach(row -> rows.put(row.key(), row));
        return List.copyOf(rows.values());
    }

    /** Absent if only an event can let something start. */
    public Turn.@Nullable Next from(long now) {
        Long next = earlier(ours, others);
        boolean isOthers = others != null && (ours == null || others < ours);
        return next == null ? null : new Turn.Next(Micros.duration(Math.max(0, next - now)), next, isOthers);
    }

    /** There is more to do now. */
    public Turn.Next atOnce(long now) {
        return new Turn.Next(Duration.ZERO, ours == null ? now : ours, false);
    }

    private void mine(@Nullable Long at) {
        ours = earlier(ours, at);
    }

    private void theirs(@Nullable Long at) {
        others = earlier(others, at);
    }

    /** When time alone opens a shut queue: also when a permit there ends. */
    static @Nullable Long opens(GateLedger queue, long now) {
        long next = queue.next(ANY_JOB, now);
        if (next == GateLedger.UNTIL_RELEASE) {
            return queue.permits().firstEnd();
        }
        boolean isByTime = next != GateLedger.AT_ONCE && next < GateLedger.UNTIL_RELEASE;
        return isByTime ? Long.valueOf(next) : null;
    }

    private static @Nullable Long opens(Decision.Blocked blocked) {
        return blocked.next() == null ? null : Long.valueOf(Micros.of(blocked.next()));
    }

    public static @Nullable Long earlier(@Nullable Long one, @Nullable Long other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return Math.min(one, Objects.requireNonNull(other));
    }
}

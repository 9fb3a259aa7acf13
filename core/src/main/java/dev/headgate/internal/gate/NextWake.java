package dev.headgate.internal.gate;

import dev.headgate.explain.Decision;
import dev.headgate.internal.admission.ClaimPlan;
import dev.headgate.internal.admission.GateLedger;
import dev.headgate.internal.admission.GateLedger.Waiter;
import dev.headgate.internal.admission.PolicyBook;
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
 * When time alone lets something start, and who is to be there then.
 *
 * <p>Design note: one comes, the others look. If every worker came the instant a gate opens, one of them would start a job
 * and the rest would stand in line behind its locks for nothing, on the machine it needs. So whoever moved the gate last
 * comes exactly in time; the others look a little later, without any lock, whether that has happened.
 */
public final class NextWake {
    /** So many lanes of an open queue are looked at; what hides behind them is found by the next poll. */
    private static final int STARTABLE_MAX = 8;

    /** The first of all, who takes nothing: whoever stops him stops everybody. */
    public static final Waiter ANYBODY = new Waiter("", Long.MIN_VALUE, 0);

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

    /**
     * Of what the turn has moved alone, and is this worker's to attend. It must be told so also where that is not what it
     * does next, because its slots are full or it turns again at once: if it forgot, everybody would take the gate for
     * somebody else's, and come too late.
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
     * Without a turn and without locks: how long until something can start by time; absent if nothing waits for that. A
     * queue that has opened says nothing of what still waits in it: whoever was to be there may have filled its slots
     * before, or may be gone. So it is looked whether something could start, or waits for nobody to wake it: lanes that were
     * met while the queue was shut stand in no line of their gates.
     */
    public static @Nullable Duration glance(StoreTransaction tx, Collection<String> queues) {
        PolicyBook book = tx.policies();
        long now = tx.now();
        NextWake look = new NextWake();
        look.mine(tx.jobs().nextDue(queues).get().orElse(null));
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

    /** The rows of these queues; one that is not there is as new. */
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
        long next = queue.next(ANYBODY, now);
        if (next == GateLedger.UNTIL_RELEASE) {
            return queue.permits().firstEnd();
        }
        boolean isByTime = next != GateLedger.AT_ONCE && next < GateLedger.UNTIL_RELEASE;
        return isByTime ? Long.valueOf(next) : null;
    }

    private static @Nullable Long opens(Decision.Blocked blocked) {
        return blocked.next() == null ? null : Long.valueOf(Micros.of(blocked.next()));
    }

    static @Nullable Long earlier(@Nullable Long one, @Nullable Long other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return Math.min(one, Objects.requireNonNull(other));
    }
}

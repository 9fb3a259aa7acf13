package dev.headgate.internal.evidence;

import dev.headgate.limit.Limit;
import dev.headgate.limit.Margin;
import dev.headgate.spi.JournalTable.Entry;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * One limit in one of two views. At the grant, a start is spent when it is granted. Until the call, a start is judged when it
 * is granted and stays open as long as its call may still come: it is spent when its margin is over or when it comes back,
 * whichever is earlier. What is open counts in full. So whatever the moments of the calls and their order, a count of
 * calls finds the limit kept.
 *
 * <p>A start that was late is taken out of both views.
 */
final class Account {
    /** How long a call may be on its way that a lost worker has made. */
    private static final long ON_ITS_WAY = 500_000;

    private final Check check;
    private final boolean isUntilCall;
    private final Map<Grant, Open> open = new HashMap<>();
    private final PriorityQueue<Open> byEnd = new PriorityQueue<>(Comparator.comparingLong(start -> start.until));
    private Limit limit;
    private long openAmount;
    private long endlessAmount;
    private long clock = Check.UNKNOWN;
    private boolean isSpanned;

    /** What the journal knows a start by. */
    private record Grant(long at, long margin) {}

    private static final class Open {
        final Grant grant;
        final long until;
        long amount;

        Open(Grant grant, long until) {
            this.grant = grant;
            this.until = until;
        }

        boolean isEndless() {
            return until == Margin.OPEN;
        }
    }

    private Account(Limit limit, boolean isUntilCall) {
        this.limit = limit;
        this.check = Check.of(limit);
        this.isUntilCall = isUntilCall;
    }

    static Account atTheGrant(Limit limit) {
        return new Account(limit, false);
    }

    static Account untilTheCall(Limit limit) {
        return new Account(limit, true);
    }

    /** With the figures of the last judged start. */
    Check check() {
        return check;
    }

    /** Whether the last start is open for longer than its instant. */
    boolean isSpanned() {
        return isSpanned;
    }

    /** Takes a batch that takes something; false if there was nothing to compare it with. */
    boolean start(Entry batch) {
        closeUntil(batch.event().at());
        long amount = check.amount(batch);
        boolean isJudged = check.judge(batch, stillOpen(batch, amount));
        long until = end(batch.event().at(), batch.event().margin());
        isSpanned = until != batch.event().at();
        if (!isSpanned) {
            check.spend(batch.event().at(), amount);
        } else {
            add(new Grant(batch.event().at(), batch.event().margin()), until, amount);
        }
        return isJudged;
    }

    /** When a start is spent if it does not come back earlier. */
    private long end(long at, long margin) {
        long own = isUntilCall ? limit.marginMicros() : 0;
        return own == 0 ? at : own == Margin.OPEN ? Margin.OPEN : at + margin;
    }

    /** Starts without an end of their own hold a place meanwhile: if fewer are held, the journal has missed that some came back. */
    private long stillOpen(Entry batch, long amount) {
        long held = check.isByCost() ? batch.use().units() : batch.use().leases();
        return openAmount + Math.min(endlessAmount, Math.max(0, held - amount));
    }

    private void add(Grant grant, long until, long amount) {
        Open same = open.get(grant);
        if (same == null || same.until != until) {
            same = new Open(grant, until);
            open.put(grant, same);
            if (!same.isEndless()) {
                byEnd.add(same);
            }
        }
        change(same, amount);
    }

    private void change(Open start, long by) {
        start.amount += by;
        if (start.isEndless()) {
            endlessAmount += by;
        } else {
            openAmount += by;
        }
        if (start.amount == 0) {
            open.remove(start.grant, start);
        }
    }

    private void closeUntil(long now) {
        clock = Math.max(clock, now);
        while (!byEnd.isEmpty() && byEnd.peek().until <= clock) {
            Open over = byEnd.remove();
            if (over.amount > 0) {
                check.spend(over.until, over.amount);
                change(over, -over.amount);
            }
        }
    }

    /** Takes what an entry is about out of what is open; answers how much was found there. */
    private long close(Entry entry, long amount) {
        closeUntil(entry.event().at());
        Open start = open.get(new Grant(entry.event().startedAt(), entry.event().margin()));
        long found = start == null ? 0 : Math.min(start.amount, amount);
        if (start != null) {
            change(start, -found);
        }
        return found;
    }

    /** Starts came back: their calls have been made. */
    void returned(Entry back) {
        long found = close(back, check.amount(back));
        if (found > 0) {
            check.spend(clock, found);
        }
    }

    /** Their workers were lost: a start that only its return would have ended counts a little longer. Others have an end. */
    void lost(Entry lost) {
        if (end(lost.event().startedAt(), lost.event().margin()) == Margin.OPEN) {
            long found = close(lost, check.amount(lost));
            if (found > 0) {
                add(new Grant(lost.event().at(), ON_ITS_WAY), clock + ON_ITS_WAY, found);
            }
        }
    }

    /** Starts did not happen after all. */
    void late(Entry late) {
        takeOut(late, check.amount(late));
    }

    /** A debt counts from when it became known; a refund is taken out of what was charged. */
    void settle(Entry settled) {
        if (!check.isByCost()) {
            return;
        }
        if (settled.event().units() < 0) {
            takeOut(settled, -settled.event().units());
        } else {
            closeUntil(settled.event().at());
            check.owe(clock, settled.event().units());
        }
    }

    private void takeOut(Entry entry, long amount) {
        long rest = amount - close(entry, amount);
        if (rest > 0) {
            long end = end(entry.event().startedAt(), entry.event().margin());
            check.takeOut(entry.event().startedAt(), Math.min(end, clock), rest, clock);
        }
    }

    void clear() {
        check.clear();
        open.clear();
        byEnd.clear();
        openAmount = 0;
        endlessAmount = 0;
    }

    /** The limit has the same key and other numbers. Starts that only their return ends are forgotten if that no longer counts. */
    void change(Limit to) {
        check.change(to);
        limit = to;
        if (to.marginMicros() != Margin.OPEN) {
            open.values().removeIf(Open::isEndless);
            endlessAmount = 0;
        }
    }

    /** The earliest instant at which so much more could have started, by this limit alone, given what came back before now. */
    long possibleAt(long amount, long now) {
        closeUntil(now);
        return check.possibleAt(openAmount + endlessAmount + amount);
    }
}

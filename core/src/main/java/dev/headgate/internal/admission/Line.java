package dev.headgate.internal.admission;

import dev.headgate.explain.Decision.Cause.InLine;
import dev.headgate.limit.FairShare;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The lanes that wait at one gate, as far as a transition needs to know them, and their order: by age, or by share. */
public final class Line {
    /** The entry of a fair gate's virtual time. */
    private static final String VIRTUAL = "v";

    /** The entry of the usual length of its jobs, if it is shared by time. */
    private static final String USUAL = "u";

    private final Map<String, Waiter> heads = new HashMap<>();
    private final Map<String, Waiter> joined = new HashMap<>();
    private final long virtual;
    private final long usual;
    private @Nullable Shares shares;

    private Line(long virtual, long usual) {
        this.virtual = virtual;
        this.usual = usual;
    }

    /** The line of a gate with this memory. */
    static Line remembering(GatePolicy policy, Map<String, String> memory) {
        FairShare rule = policy.options().fair();
        boolean isByTime = rule != null && rule.charge() == FairShare.Charge.TIME;
        return new Line(rule == null ? 0 : number(memory.get(VIRTUAL)), isByTime ? number(memory.get(USUAL)) : 0);
    }

    private static long number(@Nullable String text) {
        return text == null ? 0 : Long.parseLong(text);
    }

    static boolean isOwn(Map<String, String> memory) {
        return memory.containsKey(VIRTUAL) || memory.containsKey(USUAL);
    }

    static Map<String, String> withoutOwn(Map<String, String> memory) {
        if (!isOwn(memory)) {
            return memory;
        }
        Map<String, String> rest = new HashMap<>(memory);
        rest.remove(VIRTUAL);
        rest.remove(USUAL);
        return rest;
    }

    Map<String, String> withOwn(Map<String, String> memory) {
        if (virtual() == 0 && usual() == 0) {
            return memory;
        }
        Map<String, String> all = new HashMap<>(memory);
        put(all, VIRTUAL, virtual());
        put(all, USUAL, usual());
        return all;
    }

    private static void put(Map<String, String> memory, String key, long number) {
        if (number != 0) {
            memory.put(key, Long.toString(number));
        }
    }

    Line copy() {
        Line copy = new Line(virtual, usual);
        if (!heads.isEmpty()) {
            copy.heads.putAll(heads);
        }
        if (!joined.isEmpty()) {
            copy.joined.putAll(joined);
        }
        copy.shares = shares == null ? null : shares.trial();
        return copy;
    }

    /** The virtual time of a fair gate or queue. */
    public long virtual() {
        Shares own = shares;
        return own == null ? virtual : own.virtual();
    }

    /** How long jobs usually run, in microseconds, if it is shared by time. */
    public long usual() {
        Shares own = shares;
        return own == null ? usual : own.usual();
    }

    /** How much each share has used; absent if the gate is not shared. */
    public @Nullable Shares shares() {
        return shares;
    }

    public void shares(Shares own) {
        shares = own;
    }

    /**
     * Sets the oldest lane that stays, of each share if the gate is shared; later lanes join behind it. The caller has
     * read the line itself, so what a plan noted before is dropped.
     */
    public void head(@Nullable Waiter oldest) {
        joined.clear();
        if (oldest == null) {
            heads.clear();
        } else {
            heads.put(oldest.share(), oldest);
        }
    }

    /** The first of the lanes that stay. */
    public @Nullable Waiter head() {
        return first(nobody -> false);
    }

    /** The next lane. In a shared line, lanes that a reservation keeps out are skipped. */
    @Nullable
    Waiter next(Predicate<Waiter> isKeptOut) {
        Waiter first = first(isKeptOut);
        return first == null ? head() : first;
    }

    private @Nullable Waiter first(Predicate<Waiter> isKeptOut) {
        Waiter first = null;
        for (Map<String, Waiter> waiting : List.of(heads, joined)) {
            for (Waiter each : waiting.values()) {
                boolean isFirst = first == null || isBefore(each, first);
                first = isFirst && !isOut(each, isKeptOut) ? each : first;
            }
        }
        return first;
    }

    /**
     * In a line by age, a lane behind one that is kept out is kept out too. In a shared line the lane behind may be
     * older, and may even be the one with the reservation: it must not wait for its own reservation (deadlock).
     */
    private boolean isOut(Waiter waiter, Predicate<Waiter> isKeptOut) {
        return shares != null && isKeptOut.test(waiter);
    }

    /** A lane joins while a claim is planned: later lanes of the same plan must not overtake it. */
    void join(Waiter waiter) {
        joined.merge(waiter.share(), waiter, (one, other) -> one.rank() <= other.rank() ? one : other);
    }

    /** Whether one goes before the other here. */
    public boolean isBefore(Waiter one, Waiter other) {
        Shares own = shares;
        return own == null
                ? one.rank() < other.rank()
                : own.compare(one.share(), one.rank(), other.share(), other.rank()) < 0;
    }

    /**
     * Whether a lane that stays, or that may stay unread, goes before this one.
     *
     * @param isChosen the lane was just chosen from this line, by share: then only lanes that joined since can be
     *     before it
     */
    boolean isAheadOf(Waiter asker, boolean isChosen, Predicate<Waiter> isKeptOut) {
        Shares own = shares;
        if (own != null && isChosen) {
            return isAheadOf(asker, joined, isKeptOut);
        }
        return isAheadOf(asker, heads, isKeptOut)
                || isAheadOf(asker, joined, isKeptOut)
                || (own != null && own.isBeyondSight(asker.share()));
    }

    private boolean isAheadOf(Waiter asker, Map<String, Waiter> waiting, Predicate<Waiter> isKeptOut) {
        if (waiting.isEmpty()) {
            return false;
        }
        for (Waiter each : waiting.values()) {
            if (!each.lane().equals(asker.lane()) && isBefore(each, asker) && !isOut(each, isKeptOut)) {
                return true;
            }
        }
        return false;
    }

    InLine cause() {
        return new InLine(shares != null);
    }

    void charge(Waiter starter, boolean isRestart, GateKey.Scope scope, long now) {
        Shares own = shares;
        if (own == null) {
            return;
        }
        own.at(now);
        if (isRestart) {
            own.restart(starter.share(), starter.cost());
        } else {
            if (scope == GateKey.Scope.QUEUE) {
                own.passOver(starter.share());
            }
            own.start(starter.share(), starter.cost());
        }
    }
}

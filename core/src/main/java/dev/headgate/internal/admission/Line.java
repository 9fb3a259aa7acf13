package dev.headgate.internal.admission;

import dev.headgate.explain.Decision.Cause.InLine;
import dev.headgate.internal.admission.GateLedger.Waiter;
import dev.headgate.limit.FairShare;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Who stays in line at one gate, as far as a transition has to know, and who goes before whom: by age, or by share. */
public final class Line {
    /** Under this key a fair gate remembers its virtual time. */
    private static final String VIRTUAL = "v";

    /** Under this key one that is shared by time remembers how long its jobs usually are. */
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

    /** The line of a gate of which this was remembered. */
    static Line remembering(GatePolicy policy, Map<String, String> memory) {
        FairShare rule = policy.traits().fair();
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

    /** Who has had how much; absent if it is not shared. */
    public @Nullable Shares shares() {
        return shares;
    }

    public void shares(Shares own) {
        shares = own;
    }

    /**
     * The oldest lane that stays, of each share if it is shared; whoever comes later joins behind it. Whoever says so has
     * looked at the line itself: what a plan noted of it before is forgotten.
     */
    public void head(@Nullable Waiter oldest) {
        joined.clear();
        if (oldest == null) {
            heads.clear();
        } else {
            heads.put(oldest.share(), oldest);
        }
    }

    /** Who stands first of those that stay. */
    public @Nullable Waiter head() {
        return first(nobody -> false);
    }

    /** Who goes next of them: of a shared line the first that nothing is kept from for an older one. */
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
     * By age whoever is behind one that is kept out is kept out too. By share he may be older, and even the one for whom
     * it is kept: who waits behind those that he keeps out waits for himself.
     */
    private boolean isOut(Waiter waiter, Predicate<Waiter> isKeptOut) {
        return shares != null && isKeptOut.test(waiter);
    }

    /** A lane joins while a claim is planned: what comes later in that very plan must not overtake it. */
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
     * Whether somebody who stays, or may stay unseen, goes before this one.
     *
     * @param isChosen it was just chosen from this very line, by share: then only who has joined since can be before it
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

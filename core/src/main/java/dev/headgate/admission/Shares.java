package dev.headgate.admission;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The working copy of who has had how much of one fair queue or gate: start-time fair queuing over shares. The caller
 * holds the lock of that queue or gate and writes {@link #changed} back. Not thread-safe.
 *
 * <p>Design note. Each share has a finish tag, the queue or gate a virtual time. Next is the share with the least tag, or
 * the virtual time if that is later; its start moves the virtual time there and its own tag on by charge over weight. So
 * two shares that both wait get service in proportion to their weights, to within one charge each, however many lanes they
 * have; one that was idle begins at the virtual time, with neither credit nor debt. A charge is made when a job starts,
 * so nothing is paid for jobs that are cancelled while they wait, and a share that is blocked elsewhere loses nothing.
 * (Goyal, Vin, Cheng 1996.)
 */
public final class Shares {
    /** What one job, one unit of cost or one second costs a share of weight 1. */
    public static final long UNIT = 1_000_000;

    /** Virtual time starts over from here, long before sums could overflow. */
    static final long REBASE_AT = 1L << 60;

    private static final long TAG_MAX = 1L << 62;

    private final FairShare rule;
    private final ToIntFunction<String> weights;
    private final Map<String, Share> known = new HashMap<>();
    private final Set<String> changed = new HashSet<>();
    private final Set<String> unseen = new HashSet<>();
    private @Nullable Long horizon;
    private long virtual;

    /**
     * What is known of one share.
     *
     * @param finish its tag: where it would start if it is not idle
     * @param rank of the head with which it came to stand here; between equal tags the older one goes first
     * @param isStanding whether lanes of it may stand here; one that has none left is found out at the next look
     */
    public record Share(long finish, long rank, boolean isStanding) {
        public static final Share NEW = new Share(0, Long.MAX_VALUE, false);
    }

    /** @param weights the weight of a share by its key; 1 or more */
    public Shares(FairShare rule, long virtual, ToIntFunction<String> weights) {
        this.rule = rule;
        this.virtual = virtual;
        this.weights = weights;
    }

    /** A copy to try things on. */
    public Shares trial() {
        Shares copy = new Shares(rule, virtual, weights);
        copy.known.putAll(known);
        copy.unseen.addAll(unseen);
        copy.horizon = horizon;
        return copy;
    }

    public FairShare rule() {
        return rule;
    }

    public long virtual() {
        return virtual;
    }

    /** Takes up what a store kept of one share. */
    public void restore(String key, Share share) {
        known.put(key, share);
    }

    public boolean knows(String key) {
        return known.containsKey(key);
    }

    public Set<String> keys() {
        return known.keySet();
    }

    public Share share(String key) {
        return known.getOrDefault(key, Share.NEW);
    }

    /** The shares to be written back. */
    public Set<String> changed() {
        return changed;
    }

    public void saved() {
        changed.clear();
    }

    /** Where this share would start now; the least goes first. */
    public long tag(String key) {
        return Math.max(share(key).finish(), virtual);
    }

    /** A lane of this share stands here now, with a head of this rank. */
    public void stand(String key, long rank) {
        Share before = share(key);
        if (!before.isStanding()) {
            put(key, new Share(Math.max(before.finish(), virtual), rank, true));
        }
    }

    /** No lane of this share is left here. */
    public void leave(String key) {
        Share before = share(key);
        if (before.isStanding()) {
            put(key, new Share(before.finish(), before.rank(), false));
        }
    }

    /** Charges the start of a job that costs this much here. */
    public void start(String key, long cost) {
        long tag = tag(key);
        virtual = tag;
        charge(key, tag, cost);
    }

    /** Charges one more start of a job that never gave up its slot: out of turn, so time does not move by it. */
    public void restart(String key, long cost) {
        charge(key, tag(key), cost);
    }

    private void charge(String key, long tag, long cost) {
        // A job that costs nothing still counts for one: a share must not have the place for itself for ever.
        long units = rule.charge() == FairShare.Charge.COST ? Math.max(1, cost) : 1;
        moveTo(key, tag + Math.ceilDiv(units * UNIT, weights.applyAsInt(key)));
    }

    /** A job has ended after so many microseconds; if time is what counts, the second it was charged is put right. */
    public void ended(String key, long micros) {
        if (rule.charge() == FairShare.Charge.TIME) {
            // Below the virtual time a tag means nothing any more, so a correction ends there.
            long correction = (micros - UNIT) / weights.applyAsInt(key);
            moveTo(key, Math.max(share(key).finish() + correction, virtual));
        }
    }

    private void moveTo(String key, long finish) {
        Share before = share(key);
        put(key, new Share(Math.min(finish, TAG_MAX), before.rank(), before.isStanding()));
    }

    private void put(String key, Share share) {
        known.put(key, share);
        changed.add(key);
    }

    /** Whether a share that changed does not stand here, so that it may be forgotten some day. */
    public boolean hasIdle() {
        return changed.stream().anyMatch(key -> !share(key).isStanding());
    }

    /** More lanes of this share stand here than were read. */
    public void hasMore(String key) {
        unseen.add(key);
    }

    public boolean isPartlySeen(String key) {
        return unseen.contains(key);
    }

    /** More shares stand here than were read, all of them with at least this tag. */
    public void horizon(long leastUnread) {
        horizon = leastUnread;
    }

    /** All shares that stand here were read. */
    public void noHorizon() {
        horizon = null;
    }

    public boolean hasHorizon() {
        return horizon != null;
    }

    /** Whether a share that was not read might come before this one. */
    public boolean isBeyondSight(String key) {
        Long unread = horizon;
        return unread != null && tag(key) > Math.max(unread, virtual);
    }

    /** Negative if a head of one share and this rank goes before a head of the other. */
    public int compare(String one, long oneRank, String other, long otherRank) {
        int byTag = one.equals(other) ? 0 : Long.compare(tag(one), tag(other));
        return byTag != 0 ? byTag : Long.compare(oneRank, otherRank);
    }

    /** How many of so many starts a share may come to, if those shares all keep waiting; at least one. */
    public int forecast(String key, Collection<String> waiting, int starts) {
        long all = 0;
        for (String each : waiting) {
            all += weights.applyAsInt(each);
        }
        long mine = weights.applyAsInt(key);
        return Math.clamp(Math.ceilDiv(starts * mine, Math.max(all, mine)) + 1, 1, Math.max(1, starts));
    }

    /** By how much all tags of this queue or gate are to be lowered, stored ones too; mostly nothing. */
    public long rebase() {
        if (virtual < REBASE_AT) {
            return 0;
        }
        long by = virtual;
        virtual = 0;
        known.replaceAll((key, share) -> new Share(Math.max(0, share.finish() - by), share.rank(), share.isStanding()));
        return by;
    }
}

package dev.headgate.internal.admission;

import dev.headgate.limit.FairShare;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
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
 *
 * <p>By time. How long a job runs is known when it ends, and a guess that is made at its start is wrong for as long as the
 * job runs. So there is no guess: a tag counts how many jobs of its share run and moves on while they run, as far as
 * the clock has moved. What is stored is the tag as of an instant; it is never ahead of the true one, so the order of
 * the stored tags is a lower bound, and the few that come first are brought up to date when they are read. While a job
 * runs it counts a millisecond more, so that starts at one instant are spread by weight too; that is given back at its end.
 * A share is started only if its tag is the least, and then what runs of it runs on: two that both wait differ by at
 * most what each has running at once, whatever the lengths and however many slots.
 *
 * <p>What runs counts as long as jobs usually are. By the time it has had alone, a share of long jobs that comes to slots
 * full of short ones takes every slot that comes free while it catches up, also those beyond its part, and holds them for
 * as long as its jobs run. What it lacks when it has its part is about as much as it takes for the slots to change hands,
 * which is the length of the jobs that end. So when shares are compared, what runs counts not a millisecond but the mean
 * length of the jobs that ended here lately ({@link #usual}). It is no charge: it is not stored, moves no virtual time,
 * and is gone when the job ends, so over time each still gets its weight; two that both wait may differ by that much more
 * for each job that runs. Where more shares stand than are read it is a millisecond: those that are read are the least by
 * what is stored, and if they were not the least by what is compared, nothing could start. With so many, others
 * that are as far behind take turns with a newcomer, and it takes little more than its part all the same.
 *
 * <p>Credit and debt. A tag that was put right, by the time of a job or by what its cost was settled to, may lie below
 * the virtual time while its share waits, and keeps that. What clamps a tag is only that nothing of its share was waiting
 * or could start: then it begins level with those that wait (see {@link #stand}, {@link #start}).
 */
public final class Shares {
    /** What one job, one unit of cost or one millisecond costs a share of weight 1. */
    public static final long UNIT = 1_000_000;

    private static final long PER_MICRO = UNIT / 1_000;

    /** What a running job counts at least, in microseconds: one unit. */
    private static final long OPEN_MICROS = 1_000;

    /** The last job that ended makes up one in so many parts of the mean. */
    private static final long MEAN_OVER = 8;

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
    private long usual;
    private long now;

    /**
     * What is known of one share.
     *
     * @param finish its tag: where it would start if it is not idle; if it goes by time, as of an instant
     * @param rank of the head with which it came to stand here; between equal tags the older one goes first
     * @param isStanding whether lanes of it may stand here; one that has none left is found out at the next look
     * @param running how many of its jobs run, if it goes by time
     * @param asOf the instant, in microseconds, up to which {@code finish} counts the time of those
     */
    public record Share(long finish, long rank, boolean isStanding, long running, long asOf) {
        public static final Share NEW = new Share(0, Long.MAX_VALUE, false);

        public Share {
            asOf = running == 0 ? 0 : asOf;
        }

        /** A share of which nothing runs that is counted. */
        public Share(long finish, long rank, boolean isStanding) {
            this(finish, rank, isStanding, 0, 0);
        }

        /** The same, with no more running than there are leases: what a former rule left counted would cost for ever. */
        public Share runningAtMost(long leases) {
            return running <= leases ? this : new Share(finish, rank, isStanding, leases, asOf);
        }

        /** The same after all tags were lowered. */
        public Share lowered(long by) {
            return new Share(Math.max(0, finish - by), rank, isStanding, running, asOf);
        }
    }

    /**
     * Begins with what the lanes have used so far.
     *
     * @param usual how long the jobs were that ended here lately, in microseconds; 0 if none has
     * @param weights the weight of a share by its key; 1 or more
     */
    public Shares(FairShare rule, long virtual, long usual, ToIntFunction<String> weights) {
        this.rule = rule;
        this.virtual = virtual;
        this.usual = usual;
        this.weights = weights;
    }

    /** A copy to try things on. */
    public Shares trial() {
        Shares copy = new Shares(rule, virtual, usual, weights);
        copy.known.putAll(known);
        copy.unseen.addAll(unseen);
        copy.horizon = horizon;
        copy.now = now;
        return copy;
    }

    /** Tells the time, up to which the time of what runs is counted. It does not go back. */
    public void at(long instant) {
        now = Math.max(now, instant);
    }

    public FairShare rule() {
        return rule;
    }

    public long virtual() {
        return virtual;
    }

    /** The mean length of the jobs that ended here lately, in microseconds, if it goes by time; 0 if none has. */
    public long usual() {
        return usual;
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
        Share share = share(key);
        return begin(key, share) + load(key, share);
    }

    /** Its tag without what runs: what it has had, or the virtual time if it is idle. */
    private long begin(String key, Share share) {
        long served = served(key, share);
        boolean isKept = share.isStanding() && isPutRight();
        return isKept ? served : Math.max(served, virtual);
    }

    /** Whether a charge is put right when more is known, so that a tag may lie below the virtual time. */
    private boolean isPutRight() {
        return rule.charge() != FairShare.Charge.JOBS;
    }

    private boolean isByTime() {
        return rule.charge() == FairShare.Charge.TIME;
    }

    /** What the jobs that run count when shares are compared: as long as jobs usually are. */
    private long load(String key, Share share) {
        long open = open(key, share);
        boolean isLonger = isByTime() && share.running() > 0 && usual > OPEN_MICROS && horizon == null;
        return isLonger ? open + time(key, share.running(), usual - OPEN_MICROS) : open;
    }

    /** How much of what is stored of a share stands for jobs that run, and is given back when they end. */
    private long open(String key, Share share) {
        return isByTime() ? share.running() * price(key, 1) : 0;
    }

    /** What a share has had: what is stored without that, and with the time that its jobs have run since it was stored. */
    private long served(String key, Share share) {
        long served = share.finish() - open(key, share);
        if (!isByTime() || share.running() == 0 || now <= share.asOf()) {
            return served;
        }
        return served + time(key, share.running(), now - share.asOf());
    }

    private long time(String key, long running, long micros) {
        long perMicro = running * PER_MICRO;
        long time = micros < TAG_MAX / perMicro ? micros * perMicro : TAG_MAX - 1;
        return time / weights.applyAsInt(key);
    }

    /** A lane of this share stands here now, with a head of this rank. */
    public void stand(String key, long rank) {
        Share before = share(key);
        if (!before.isStanding()) {
            long finish = Math.max(served(key, before), virtual) + open(key, before);
            put(key, new Share(finish, rank, true, before.running(), Math.max(now, before.asOf())));
        }
    }

    /**
     * Brings the virtual time to where a share has to begin that comes now, if it goes by time: level with the first of
     * those that wait, whose jobs have run on since the last start. If none waits, nothing is owed to any: then level
     * with the share that had most.
     */
    public void level() {
        if (!isByTime()) {
            return;
        }
        long least = Long.MAX_VALUE;
        long most = virtual;
        for (Map.Entry<String, Share> each : known.entrySet()) {
            long served = served(each.getKey(), each.getValue());
            most = Math.max(most, served);
            least = each.getValue().isStanding() ? Math.min(least, served) : least;
        }
        virtual = least == Long.MAX_VALUE ? most : Math.max(virtual, least);
    }

    /** No lane of this share is left here. */
    public void leave(String key) {
        Share before = share(key);
        if (before.isStanding()) {
            put(key, new Share(before.finish(), before.rank(), false, before.running(), before.asOf()));
        }
    }

    /** Charges the start of a job that costs this much here. */
    public void start(String key, long cost) {
        virtual = Math.max(virtual, begin(key, share(key)));
        charge(key, cost);
    }

    /**
     * This share is next in a queue. Those whose turn it was before, and of which nothing could start, have saved nothing
     * up: they begin level with it. What runs is not had yet, so it raises none; it may end sooner than it counts.
     */
    void passOver(String next) {
        if (!isPutRight()) {
            return; // whose tags all begin at the virtual time
        }
        long tag = tag(next);
        long begin = begin(next, share(next));
        for (String key : List.copyOf(known.keySet())) {
            Share share = share(key);
            long level = Math.min(begin, tag - load(key, share));
            if (share.isStanding() && served(key, share) < level) {
                moveTo(key, level + open(key, share), 0);
            }
        }
    }

    /** Charges one more start of a job that never gave up its slot: out of turn, so time does not move by it. */
    public void restart(String key, long cost) {
        charge(key, cost);
    }

    private void charge(String key, long cost) {
        Share share = share(key);
        moveTo(key, begin(key, share) + open(key, share) + price(key, cost), isByTime() ? 1 : 0);
    }

    /** A job that costs nothing still counts for one: a share must not have the place for itself for ever. */
    private long price(String key, long cost) {
        long units = rule.charge() == FairShare.Charge.COST ? Math.max(1, cost) : 1;
        return Math.ceilDiv(units * UNIT, weights.applyAsInt(key));
    }

    /** A job that was charged at its start has ended after so many microseconds: if time is what counts, it counts no further. */
    public void ended(String key, long length) {
        Share share = share(key);
        if (isByTime() && share.running() > 0) {
            long left = open(key, share) - price(key, 1);
            moveTo(key, served(key, share) + PER_MICRO / weights.applyAsInt(key) + left, -1);
            long counted = Math.clamp(length, OPEN_MICROS, TAG_MAX);
            usual = usual == 0 ? counted : usual + (counted - usual) / MEAN_OVER;
        }
    }

    /** A job that was charged so much cost turned out to need another; if cost is what counts, the share is put right. */
    public void settled(String key, long charged, long actual) {
        if (rule.charge() == FairShare.Charge.COST && charged != actual) {
            moveTo(key, share(key).finish() + price(key, actual) - price(key, charged), 0);
        }
    }

    /** A job that was charged at its start, so many microseconds ago, did not begin after all. */
    public void givenUp(String key, long cost, long ago) {
        Share share = share(key);
        if (!isByTime()) {
            moveTo(key, share.finish() - price(key, cost), 0);
        } else if (share.running() > 0) {
            long left = open(key, share) - price(key, 1);
            long counted = Math.clamp(ago, 0, TAG_MAX / PER_MICRO) * PER_MICRO / weights.applyAsInt(key);
            moveTo(key, served(key, share) - counted + left, -1);
        }
    }

    private void moveTo(String key, long finish, int more) {
        Share before = share(key);
        put(
                key,
                new Share(
                        Math.clamp(finish, 0, TAG_MAX),
                        before.rank(),
                        before.isStanding(),
                        isByTime() ? before.running() + more : 0,
                        Math.max(now, before.asOf())));
    }

    /** Stores the tag of a share as of now, because what is stored decides which shares are read next. */
    public void bringUp(String key) {
        Share share = share(key);
        long finish = served(key, share) + open(key, share);
        if (finish > share.finish()) {
            moveTo(key, finish, 0);
        }
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
        return unread != null && tag(key) > (isPutRight() ? unread : Math.max(unread, virtual));
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
        known.replaceAll((key, share) -> share.lowered(by));
        return by;
    }
}

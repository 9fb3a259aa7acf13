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
 * The working copy of how much each share of one fair queue or gate has used: start-time fair queuing over shares. The
 * caller holds the lock of that queue or gate and writes {@link #changed} back. Not thread-safe.
 *
 * <p>Design note. Each share has a finish tag, the queue or gate a virtual time. The share with the least tag is next,
 * or the virtual time counts if that is later; its start moves the virtual time there and raises its own tag by charge
 * over weight. So two shares that both wait get service in proportion to their weights, to within one charge each,
 * however many lanes they have; a share that was idle begins at the virtual time, with neither credit nor debt. A
 * charge is made when a job starts, so a job that is cancelled while it waits costs nothing, and a share that is
 * blocked elsewhere loses nothing. (Goyal, Vin, Cheng 1996.)
 *
 * <p>By time. The length of a job is known when it ends, and a guess at its start stays wrong while the job runs. So
 * there is no guess: a tag counts how many jobs of its share run, and rises with the clock while they run. The store
 * has the tag as of an instant; it is never ahead of the true one, so the order of the stored tags is a lower bound,
 * and the first few are brought up to date when they are read. A running job counts one millisecond more, so that
 * starts at one instant are spread by weight too; its end takes that back. A share starts only if its tag is the least,
 * and then its running jobs run on: two shares that both wait differ by at most what each has running at once, whatever
 * the lengths and however many slots.
 *
 * <p>A running job counts with the usual length of jobs. By elapsed time alone, a share of long jobs that comes to
 * slots full of short ones would take every free slot while it catches up, also those beyond its part, and hold them
 * for as long as its jobs run. What it lacks when it has its part is about the length of the jobs that end, because the
 * slots must change hands first. So when shares are compared, a running job counts with the mean length of the jobs
 * that ended here lately ({@link #usual}), not with a millisecond. That is no charge: it is not stored, moves no
 * virtual time, and is gone when the job ends. So over time each share still gets its weight; two that both wait may
 * differ by that much more for each running job. If more shares wait than are read, it is a millisecond: those that are
 * read are the least by their stored tags, and if they were not the least by the compared value, nothing could start.
 * With that many shares, others that are as far behind take turns with a newcomer, so it takes little more than its
 * part all the same.
 *
 * <p>Credit and debt. A tag that was corrected, by the time of a job or by its settled cost, may lie below the virtual
 * time while its share waits, and stays there. A tag is clamped only if nothing of its share was waiting or could
 * start: then the share begins level with those that wait (see {@link #stand}, {@link #start}).
 */
public final class Shares {
    /** The price of one job, one unit of cost or one millisecond for a share of weight 1. */
    public static final long UNIT = 1_000_000;

    private static final long PER_MICRO = UNIT / 1_000;

    /** What a running job counts at least, in microseconds: one unit. */
    private static final long OPEN_MICROS = 1_000;

    /** The last job that ended is this part of the mean. */
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
     * @param rank of the head with which it joined the line; between equal tags the older share goes first
     * @param isStanding whether lanes of it may wait here; the next read corrects it if none is left
     * @param running how many of its jobs run, if it goes by time
     * @param asOf the instant, in microseconds, up to which {@code finish} counts their time
     */
    public record Share(long finish, long rank, boolean isStanding, long running, long asOf) {
        public static final Share NEW = new Share(0, Long.MAX_VALUE, false);

        public Share {
            asOf = running == 0 ? 0 : asOf;
        }

        /** A share without running jobs that are counted. */
        public Share(long finish, long rank, boolean isStanding) {
            this(finish, rank, isStanding, 0, 0);
        }

        /**
         * The same with no more running jobs than there are leases: what a former rule left counted would cost for
         * ever.
         */
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
     * @param usual the mean length of the jobs that ended here lately, in microseconds; 0 if none has
     * @param weights the weight of a share by its key; 1 or more
     */
    public Shares(FairShare rule, long virtual, long usual, ToIntFunction<String> weights) {
        this.rule = rule;
        this.virtual = virtual;
        this.usual = usual;
        this.weights = weights;
    }

    /** A copy for trials. */
    public Shares trial() {
        Shares copy = new Shares(rule, virtual, usual, weights);
        copy.known.putAll(known);
        copy.unseen.addAll(unseen);
        copy.horizon = horizon;
        copy.now = now;
        return copy;
    }

    /** Sets the time up to which the time of running jobs is counted. It does not go back. */
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

    /** Restores one stored share. */
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

    /** The shares to write back. */
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

    /** Its tag without running jobs: what it has used, or the virtual time if it is idle. */
    private long begin(String key, Share share) {
        long served = served(key, share);
        boolean isKept = share.isStanding() && isPutRight();
        return isKept ? served : Math.max(served, virtual);
    }

    /** Whether charges are corrected later, so that a tag may lie below the virtual time. */
    private boolean isPutRight() {
        return rule.charge() != FairShare.Charge.JOBS;
    }

    private boolean isByTime() {
        return rule.charge() == FairShare.Charge.TIME;
    }

    /** What the running jobs count when shares are compared: the usual length each. */
    private long load(String key, Share share) {
        long open = open(key, share);
        boolean isLonger = isByTime() && share.running() > 0 && usual > OPEN_MICROS && horizon == null;
        return isLonger ? open + time(key, share.running(), usual - OPEN_MICROS) : open;
    }

    /** The part of a share's stored tag that stands for running jobs; their end takes it back. */
    private long open(String key, Share share) {
        return isByTime() ? share.running() * price(key, 1) : 0;
    }

    /** What a share has used: its stored tag without that part, and with the time that its jobs have run since. */
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

    /** A lane of this share waits here now, with a head of this rank. */
    public void stand(String key, long rank) {
        Share before = share(key);
        if (!before.isStanding()) {
            long finish = Math.max(served(key, before), virtual) + open(key, before);
            put(key, new Share(finish, rank, true, before.running(), Math.max(now, before.asOf())));
        }
    }

    /**
     * If the shares go by time, moves the virtual time to where a new share has to begin: level with the first of those
     * that wait, whose jobs have run on since the last start. If none waits, none is owed anything: then level with the
     * share that has used most.
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

    /** No lane of this share waits here any more. */
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
     * This share is next in a queue. Shares whose turn was before, and of which nothing could start, have saved nothing
     * up: they begin level with it. Running jobs are not used service yet, so they raise no share; a job may end sooner
     * than it counts.
     */
    void passOver(String next) {
        if (!isPutRight()) {
            return; // their tags all begin at the virtual time
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

    /** Charges one more start of a job that kept its slot: out of turn, so it does not move the virtual time. */
    public void restart(String key, long cost) {
        charge(key, cost);
    }

    private void charge(String key, long cost) {
        Share share = share(key);
        moveTo(key, begin(key, share) + open(key, share) + price(key, cost), isByTime() ? 1 : 0);
    }

    /** A job that costs nothing counts as one: otherwise its share could use the place alone for ever. */
    private long price(String key, long cost) {
        long units = rule.charge() == FairShare.Charge.COST ? Math.max(1, cost) : 1;
        return Math.ceilDiv(units * UNIT, weights.applyAsInt(key));
    }

    /**
     * A job that was charged at its start has ended after this many microseconds: a share by time stops counting it.
     */
    public void ended(String key, long length) {
        Share share = share(key);
        if (isByTime() && share.running() > 0) {
            long left = open(key, share) - price(key, 1);
            moveTo(key, served(key, share) + PER_MICRO / weights.applyAsInt(key) + left, -1);
            long counted = Math.clamp(length, OPEN_MICROS, TAG_MAX);
            usual = usual == 0 ? counted : usual + (counted - usual) / MEAN_OVER;
        }
    }

    /** A job that was charged with one cost needed another; a share by cost is corrected. */
    public void settled(String key, long charged, long actual) {
        if (rule.charge() == FairShare.Charge.COST && charged != actual) {
            moveTo(key, share(key).finish() + price(key, actual) - price(key, charged), 0);
        }
    }

    /** A job that was charged at its start, this many microseconds ago, did not begin after all. */
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

    /** Stores the tag of a share as of now, because stored tags decide which shares are read next. */
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

    /** Whether a changed share does not wait here, so that it may be deleted some day. */
    public boolean hasIdle() {
        return changed.stream().anyMatch(key -> !share(key).isStanding());
    }

    /** Says that more lanes of this share wait here than were read. */
    public void hasMore(String key) {
        unseen.add(key);
    }

    public boolean isPartlySeen(String key) {
        return unseen.contains(key);
    }

    /** Says that more shares wait here than were read, all of them with at least this tag. */
    public void horizon(long leastUnread) {
        horizon = leastUnread;
    }

    /** Says that all shares that wait here were read. */
    public void noHorizon() {
        horizon = null;
    }

    public boolean hasHorizon() {
        return horizon != null;
    }

    /** Whether an unread share might come before this one. */
    public boolean isBeyondSight(String key) {
        Long unread = horizon;
        return unread != null && tag(key) > (isPutRight() ? unread : Math.max(unread, virtual));
    }

    /** Negative if a head of one share and this rank goes before a head of the other. */
    public int compare(String one, long oneRank, String other, long otherRank) {
        int byTag = one.equals(other) ? 0 : Long.compare(tag(one), tag(other));
        return byTag != 0 ? byTag : Long.compare(oneRank, otherRank);
    }

    /** How many of these starts a share may get, if all those shares keep waiting; at least one. */
    public int forecast(String key, Collection<String> waiting, int starts) {
        long all = 0;
        for (String each : waiting) {
            all += weights.applyAsInt(each);
        }
        long mine = weights.applyAsInt(key);
        return Math.clamp(Math.ceilDiv(starts * mine, Math.max(all, mine)) + 1, 1, Math.max(1, starts));
    }

    /** By how much to lower all tags of this queue or gate, stored ones too; in most cases 0. */
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

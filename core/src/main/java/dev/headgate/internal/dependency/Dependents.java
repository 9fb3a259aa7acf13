package dev.headgate.internal.dependency;

import dev.headgate.internal.lane.Arrivals;
import dev.headgate.job.JobState;
import dev.headgate.job.Unmet;
import dev.headgate.spi.EdgeRow;
import dev.headgate.spi.EdgeRow.End;
import dev.headgate.spi.EdgeTable.Felled;
import dev.headgate.spi.EdgeTable.Freed;
import dev.headgate.spi.EdgeTable.OpenEdge;
import dev.headgate.spi.HeadOfLane;
import dev.headgate.spi.HistoryTable.Revived;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.Wake;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the end of a job means for those that wait for it, in the transaction that ends it: a job that waits for nothing else
 * goes to its lane and rings, one that needed a success ends too, and so on along the edges. One transaction settles
 * {@link #BATCH_MAX} edges; of a longer cascade it leaves a note, and the next turn continues.
 *
 * <p>Design note: no wake-up is lost. A transaction that ties a job to a dependency locks the dependency's row
 * ({@code for key share}) from its check until its commit; one that ends a job removes the row first and reads the edges in a
 * later statement. So either the edge is there when the end reads, or the end is there when the edge is tied. Two
 * dependencies of one job may end at the same time: each transaction settles its own edge, then locks the waiting row, then
 * counts open edges; the second to get the lock sees the first one's edge settled.
 *
 * <p>Order of locks: after gates, lanes and the worker; dependencies before those that wait, each set in the order of its
 * numbers, which is the direction of the edges. Only two cascades that cross at different depths can deadlock; then the
 * database ends one of them, and that transaction runs again.
 */
public final class Dependents {
    static final int BATCH_MAX = 1_000;

    private final StoreTransaction tx;
    private final Set<Wake> wakes;
    private final long now;
    private final Set<Long> enqueued;
    private int left = BATCH_MAX;
    private boolean hasFreed;

    public Dependents(StoreTransaction tx, Set<Wake> wakes, long now) {
        this(tx, wakes, now, Set.of());
    }

    /**
     * Works in this transaction.
     *
     * @param enqueued jobs that this transaction has enqueued
     */
    public Dependents(StoreTransaction tx, Set<Wake> wakes, long now, Set<Long> enqueued) {
        this.tx = tx;
        this.wakes = wakes;
        this.now = now;
        this.enqueued = enqueued;
    }

    /** These jobs are no longer live. Returns whether any other job got into its lane because of that. */
    public boolean ended(Collection<Long> jobs) {
        Set<Long> gone = new TreeSet<>(jobs);
        while (!gone.isEmpty()) {
            if (left <= 0) {
                goOnLater(gone);
                break;
            }
            List<EdgeRow> settled = tx.edges().settle(gone, left);
            if (settled.size() >= left) {
                goOnLater(gone);
            }
            left -= settled.size();
            gone = settled.isEmpty() ? Set.of() : decide(settled);
        }
        return hasFreed;
    }

    private void goOnLater(Collection<Long> jobs) {
        tx.edges().addLooks(jobs);
        wakes.add(new Wake.Anything());
    }

    /** Returns which jobs end because of these edges. */
    private Set<Long> decide(List<EdgeRow> settled) {
        Map<Long, EdgeRow> violated = new TreeMap<>();
        Set<Long> concerned = new TreeSet<>();
        settled.stream().sorted(Comparator.comparingLong(EdgeRow::dependency)).forEach(edge -> {
            concerned.add(edge.job());
            if (edge.isViolated()) {
                violated.putIfAbsent(edge.job(), edge);
            }
        });
        List<Long> free = new ArrayList<>();
        List<Felled> felled = new ArrayList<>();
        Set<Long> gone = new TreeSet<>();
        for (long job : tx.edges().lockAwaiting(concerned)) {
            EdgeRow edge = violated.get(job);
            if (edge == null) {
                free.add(job);
            } else if (edge.unmet() == Unmet.REMOVE) {
                tx.jobs().delete(job);
                gone.add(job);
            } else {
                felled.add(felled(edge));
                gone.add(job);
            }
        }
        if (!felled.isEmpty()) {
            tx.edges().fell(felled, now);
        }
        free(free.stream().filter(enqueued::contains).toList(), true);
        free(free.stream().filter(job -> !enqueued.contains(job)).toList(), false);
        return gone;
    }

    private void free(List<Long> jobs, boolean isNew) {
        if (!jobs.isEmpty()) {
            arrive(tx.edges().free(jobs, now, isNew));
        }
    }

    private static Felled felled(EdgeRow edge) {
        boolean isFailed = edge.end() == End.FAILED;
        String fate = isFailed ? "failed" : edge.end() == End.CANCELLED ? "was cancelled" : "was deleted";
        return new Felled(
                edge.job(),
                edge.dependency(),
                isFailed ? JobState.FAILED : JobState.CANCELLED,
                "not run: job %d, which it was to wait for, %s".formatted(edge.dependency(), fate));
    }

    private void arrive(List<Freed> freed) {
        List<HeadOfLane> bells = new ArrayList<>();
        for (Freed each : freed) {
            hasFreed = true;
            wakes.add(new Wake.Queue(each.head().lane().queue()));
            if (each.state() == JobState.QUEUED && !each.head().lane().isPlain()) {
                bells.add(each.head());
            }
        }
        if (!bells.isEmpty()) {
            tx.lanes().ring(Arrivals.oldestPerLane(bells));
        }
    }

    /**
     * Jobs that had ended are queued again. They wait again for those of their dependencies that have not ended. Jobs that ended
     * because of them come back too. Returns which of them wait.
     */
    public Set<Long> revived(Set<Long> jobs) {
        if (jobs.isEmpty()) {
            return Set.of();
        }
        tx.edges().forgive(jobs);
        Set<Long> waiting = new HashSet<>(tx.edges().await(jobs));
        reviveFelledBy(jobs);
        return waiting;
    }

    /**
     * Which of these ended jobs come back with another job, because the end of that job ended them. It is one of these, or one
     * that lives again already and has a note. They must wait for it, so they are not brought back by themselves.
     *
     * @return for each of them whether that other job is one of these
     */
    public Map<Long, Boolean> comingBack(Set<Long> jobs) {
        Map<Long, Boolean> behind = new HashMap<>();
        Map<Long, Long> others = new HashMap<>();
        for (EdgeRow edge : tx.edges().of(jobs)) {
            if (edge.isFatal() && jobs.contains(edge.dependency())) {
                behind.put(edge.job(), true);
            } else if (edge.isFatal()) {
                others.put(edge.job(), edge.dependency());
            }
        }
        if (!others.isEmpty()) {
            Set<Long> live = new HashSet<>(tx.edges().live(new TreeSet<>(others.values())));
            others.forEach((job, dependency) -> {
                if (live.contains(dependency)) {
                    behind.put(job, false);
                }
            });
        }
        return behind;
    }

    private void reviveFelledBy(Set<Long> jobs) {
        Set<Long> back = new TreeSet<>(jobs);
        while (!back.isEmpty()) {
            if (left <= 0) {
                goOnLater(back);
                return;
            }
            List<EdgeRow> fatal = tx.edges().fatal(back, left);
            if (fatal.size() >= left) {
                goOnLater(back);
            }
            left -= fatal.size();
            back = fatal.isEmpty() ? Set.of() : revive(fatal);
        }
    }

    /** A job that another dependency ended as well stays in history until that one comes back too. */
    private Set<Long> revive(List<EdgeRow> fatal) {
        tx.edges().reopen(fatal);
        Set<Long> jobs = new TreeSet<>();
        fatal.forEach(edge -> jobs.add(edge.job()));
        Map<Long, EdgeRow> kept = new HashMap<>();
        tx.edges().of(jobs).stream().filter(EdgeRow::isViolated).forEach(edge -> kept.putIfAbsent(edge.job(), edge));
        kept.values().forEach(edge -> tx.edges().markFatal(edge, felled(edge).detail()));
        jobs.removeAll(kept.keySet());
        if (jobs.isEmpty()) {
            return Set.of();
        }
        List<Revived> revived = tx.history().revive(jobs, now);
        Set<Long> back = new TreeSet<>();
        revived.forEach(job -> back.add(job.job()));
        if (!back.isEmpty()) {
            BacklogCaps.recount(tx, tx.policies(), revived);
            Set<Long> waiting = new HashSet<>(tx.edges().await(back));
            arrive(revived.stream()
                    .filter(job -> !waiting.contains(job.job()))
                    .map(job -> new Freed(job.job(), JobState.QUEUED, job.head()))
                    .toList());
        }
        return back;
    }

    /** Works off notes, in a transaction that has locked nothing else; returns how many there were. */
    static int look(StoreTransaction tx, Set<Wake> wakes) {
        tx.policies(); // may be needed, and must be read before rows are locked
        List<Long> noted = tx.edges().takeLooks(BATCH_MAX);
        if (noted.isEmpty()) {
            return 0;
        }
        Set<Long> around = new TreeSet<>(noted);
        for (OpenEdge edge : tx.edges().open(noted, Integer.MAX_VALUE)) {
            around.add(edge.dependency());
        }
        Set<Long> live = new HashSet<>(tx.edges().lockLive(around));
        Dependents dependents = new Dependents(tx, wakes, tx.now());
        dependents.ended(around.stream().filter(job -> !live.contains(job)).toList());
        Set<Long> alive = new TreeSet<>(noted);
        alive.retainAll(live);
        dependents.reviveFelledBy(alive);
        return noted.size();
    }
}

package dev.headgate.internal.dependency;

import dev.headgate.job.Unmet;
import dev.headgate.spi.EdgeRow;
import dev.headgate.spi.HistoryRow;
import dev.headgate.spi.JobTable.Inserted;
import dev.headgate.spi.Need;
import dev.headgate.spi.NewJob;
import dev.headgate.spi.Pending;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.Wake;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Ties new jobs to those they wait for. A transaction of our own is short and locks the dependencies until its commit, see
 * {@link Dependents}. A caller's transaction may stay open for minutes, and a locked job could not be ended by its worker. So
 * there nothing is locked, and a note is left that becomes visible with the commit: the next turn looks.
 */
public final class DependencyTies {
    private final StoreTransaction tx;
    private final List<NewJob> jobs;
    private final boolean mayHold;
    private final Set<Long> named = new TreeSet<>();
    private final Set<Long> ended = new TreeSet<>();
    private final Set<Long> discarded = new HashSet<>();

    public DependencyTies(StoreTransaction tx, List<NewJob> jobs, boolean mayHold) {
        this.tx = tx;
        this.jobs = jobs;
        this.mayHold = mayHold;
    }

    /**
     * Checks the dependencies before anything is written.
     *
     * @throws IllegalArgumentException if one does not exist, or comes after the job that needs it
     */
    public void check() {
        Map<Long, String> types = new LinkedHashMap<>();
        for (int place = 0; place < jobs.size(); place++) {
            for (Need need : jobs.get(place).needs()) {
                switch (need) {
                    case Need.Job(var id, var unmet) ->
                        types.putIfAbsent(id.value(), jobs.get(place).spec().type());
                    case Need.Mate mate -> checkPlace(mate, place);
                }
            }
        }
        named.addAll(types.keySet());
        if (named.isEmpty()) {
            return;
        }
        ended.addAll(named);
        ended.removeAll(live(named));
        Set<Long> missing = new TreeSet<>(ended);
        missing.removeAll(ended(missing));
        if (!missing.isEmpty()) {
            // An operator may have retried one of them between the two reads.
            List<Long> back = live(missing);
            missing.removeAll(back);
            ended.removeAll(back);
        }
        for (long id : missing) {
            throw new IllegalArgumentException(
                    "job of type '%s': expected job %d, which it is to wait for, to be there, found it neither live nor in history; it was never enqueued, or was deleted or pruned since"
                            .formatted(types.get(id), id));
        }
    }

    /** Checks again after the backlog was cut: a job that these wait for may have been dropped. */
    public void lookAgain() {
        Set<Long> stillThere = new TreeSet<>(named);
        stillThere.removeAll(ended);
        if (mayHold && !stillThere.isEmpty()) {
            ended.addAll(stillThere);
            ended.removeAll(tx.edges().lockLive(stillThere));
        }
    }

    private static void checkPlace(Need.Mate mate, int place) {
        if (mate.place() < 0 || mate.place() >= place) {
            throw new IllegalArgumentException(
                    "job %d of this enqueue: expected what it waits for before it in the list, got place %d"
                            .formatted(place, mate.place()));
        }
    }

    /** Those that have ended; locked in a transaction of our own, so that none is pruned before it is tied. */
    private List<Long> ended(Collection<Long> ids) {
        return mayHold
                ? tx.history().hold(ids)
                : tx.history().findAll(ids).stream().map(HistoryRow::id).toList();
    }

    private List<Long> live(Collection<Long> ids) {
        return mayHold ? tx.edges().lockLive(ids) : tx.edges().live(ids);
    }

    /** Whether this new job was deleted again: a child of a job that lives already under its dedup key. */
    public boolean isDiscarded(long job) {
        return discarded.contains(job);
    }

    /** Ties the new jobs. Dependencies that have ended already are settled now. */
    public void tie(Pending<List<Inserted>> rows, Set<Wake> wakes, long now) {
        if (jobs.stream().allMatch(job -> job.needs().isEmpty())) {
            return;
        }
        List<Inserted> inserted = rows.get();
        for (int place = 0; place < jobs.size(); place++) {
            if (!inserted.get(place).isNew()) {
                discardChildren(place, inserted);
            }
        }
        List<EdgeRow> edges = new ArrayList<>();
        Set<Long> carriers = new TreeSet<>();
        for (int place = 0; place < jobs.size(); place++) {
            Inserted row = inserted.get(place);
            if (row.isNew() && !discarded.contains(row.id())) {
                edges.addAll(edgesOf(row.id(), jobs.get(place).needs(), inserted, carriers));
            }
        }
        if (edges.isEmpty()) {
            return;
        }
        tx.edges().insert(edges);
        if (!mayHold) {
            Set<Long> waiting = new TreeSet<>();
            edges.forEach(edge -> waiting.add(edge.job()));
            tx.edges().addLooks(waiting);
            return;
        }
        if (!carriers.isEmpty()) {
            ended.addAll(carriers);
            ended.removeAll(tx.edges().lockLive(carriers));
        }
        if (!ended.isEmpty()) {
            Set<Long> enqueued = new HashSet<>();
            inserted.stream().filter(Inserted::isNew).map(Inserted::id).forEach(enqueued::add);
            new Dependents(tx, wakes, now, enqueued).ended(ended);
        }
    }

    /** @param carriers gets those that were there already because of a dedup key */
    private static List<EdgeRow> edgesOf(long job, List<Need> needs, List<Inserted> inserted, Set<Long> carriers) {
        Map<Long, EdgeRow> edges = new LinkedHashMap<>();
        for (Need need : needs) {
            EdgeRow edge =
                    switch (need) {
                        case Need.Job(var id, var unmet) -> edge(job, id.value(), unmet, false, edges.size());
                        case Need.Mate(int at, var unmet, boolean isChild) -> {
                            Inserted mate = inserted.get(at);
                            if (!mate.isNew()) {
                                carriers.add(mate.id());
                            }
                            yield edge(job, mate.id(), unmet, isChild, edges.size());
                        }
                    };
            edges.putIfAbsent(edge.dependency(), edge);
        }
        return List.copyOf(edges.values());
    }

    private static EdgeRow edge(long job, long dependency, Unmet unmet, boolean isChild, int place) {
        return EdgeRow.open(job, dependency, unmet, isChild, place);
    }

    /** Deletes the children of a job that was there already: that job has children of its own. */
    private void discardChildren(int place, List<Inserted> inserted) {
        for (Need need : jobs.get(place).needs()) {
            if (need instanceof Need.Mate(int child, var unmet, boolean isChild) && isChild) {
                Inserted row = inserted.get(child);
                if (row.isNew() && discarded.add(row.id())) {
                    tx.jobs().delete(row.id());
                    discardChildren(child, inserted);
                }
            }
        }
    }
}

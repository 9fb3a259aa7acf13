package dev.headgate.proof.simulation;

import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.admission.Start;
import dev.headgate.job.JobState;
import dev.headgate.job.ParkReason;
import dev.headgate.spi.HeadOfLane;
import dev.headgate.spi.HeadRow;
import dev.headgate.spi.HoldingRow;
import dev.headgate.spi.JobIds;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.JobTable;
import dev.headgate.spi.Pending;
import dev.headgate.spi.ReleasedRow;
import dev.headgate.spi.Report;
import dev.headgate.status.QueueCount;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of one transaction; tells what was done to them.
 *
 * @param together what it has leased: one list for each margin
 */
record WatchedJobs(
        JobTable jobs,
        Changes changes,
        Tracks tracks,
        Supplier<PolicyBook> book,
        BooleanSupplier isReaping,
        List<List<JobRow>> together)
        implements JobTable {
    @Override
    public Pending<List<Inserted>> insert(List<NewRow> rows) {
        Pending<List<Inserted>> inserted = jobs.insert(rows);
        changes.add(() -> {
            for (int i = 0; i < rows.size(); i++) {
                tracks.inserted(rows.get(i), inserted.get().get(i));
            }
        });
        return inserted;
    }

    @Override
    public Pending<List<JobRow>> lease(String worker, List<Long> ids, long margin, long now) {
        Pending<List<JobRow>> leased = jobs.lease(worker, ids, margin, now);
        PolicyBook policies = book.get();
        together.add(leased.get());
        if (together.size() == 1) {
            changes.add(() -> {
                List<JobRow> rows = new ArrayList<>();
                together.forEach(rows::addAll);
                rows.sort(Comparator.comparingLong(tracks::entryOf)); // they start together, so any order is theirs
                for (JobRow row : rows) {
                    tracks.granted(row, worker, policies);
                }
            });
        }
        return leased;
    }

    @Override
    public List<JobRow> leaseAgain(String worker, List<LeaseRef> leases, long margin, long now) {
        List<JobRow> leased = jobs.leaseAgain(worker, leases, margin, now);
        PolicyBook policies = book.get();
        changes.add(() -> {
            for (LeaseRef ref : leases) {
                for (JobRow row : leased) {
                    if (row.id() == ref.job()) {
                        tracks.grantedAgain(row, ref, worker, policies);
                    }
                }
            }
        });
        return leased;
    }

    @Override
    public Pending<List<Long>> end(String worker, List<Ending> endings, long now) {
        Pending<List<Long>> ended = jobs.end(worker, endings, now);
        boolean isByWorker = !isReaping.getAsBoolean();
        changes.add(() -> {
            for (Ending ending : endings) {
                if (ended.get().contains(ending.lease().job())) {
                    tracks.ended(worker, ending.lease(), ending.state(), isByWorker);
                }
            }
        });
        return ended;
    }

    @Override
    public List<ReleasedRow> giveBack(String worker, List<GiveBack> backs, long now) {
        List<ReleasedRow> released = jobs.giveBack(worker, backs, now);
        boolean isByWorker = !isReaping.getAsBoolean();
        changes.add(() -> {
            for (GiveBack back : backs) {
                if (isAmong(released, back.lease())) {
                    tracks.gaveBack(worker, back, isByWorker);
                }
            }
        });
        return released;
    }

    @Override
    public List<Long> forgiveLoss(Collection<Long> ids) {
        List<Long> forgiven = jobs.forgiveLoss(ids);
        changes.add(() -> forgiven.forEach(tracks::forgiven));
        return forgiven;
    }

    private static boolean isAmong(List<ReleasedRow> released, LeaseRef ref) {
        for (int i = 0; i < released.size(); i++) {
            if (released.get(i).job() == ref.job()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean endWaiting(long job, JobState state, String detail, long now) {
        boolean isDone = jobs.endWaiting(job, state, detail, now);
        if (isDone) {
            changes.add(() -> tracks.endedWaiting(job, state));
        }
        return isDone;
    }

    @Override
    public void endWaiting(Map<Long, String> details, long now) {
        jobs.endWaiting(details, now);
        List<Long> ids = details.keySet().stream().sorted().toList();
        changes.addFirst(() -> ids.forEach(tracks::movedAside)); // what starts beside them was decided knowing this
        changes.add(() -> ids.forEach(id -> tracks.endedWaiting(id, JobState.CANCELLED)));
    }

    @Override
    public @Nullable HeadOfLane requeue(long job, JobState state, long runAt) {
        JobRow before = jobs.find(job);
        HeadOfLane head = jobs.requeue(job, state, runAt);
        if (head != null && before != null) {
            changes.add(() -> tracks.requeued(job, before.state(), state, runAt));
        }
        return head;
    }

    @Override
    public @Nullable HeadOfLane changePriority(long job, int priority) {
        return jobs.changePriority(job, priority);
    }

    @Override
    public void park(Map<Long, String> details, ParkReason reason) {
        jobs.park(details, reason);
        List<Long> ids = List.copyOf(details.keySet());
        changes.addFirst(() -> ids.forEach(tracks::movedAside));
    }

    @Override
    public List<ExpiredRow> expire(long now, int limit) {
        List<ExpiredRow> expired = jobs.expire(now, limit);
        if (!expired.isEmpty()) {
            changes.add(() -> expired.forEach(row -> tracks.expired(row.job())));
        }
        return expired;
    }

    @Override
    public boolean requestCancel(long job) {
        boolean isAsked = jobs.requestCancel(job);
        if (isAsked) {
            changes.add(() -> tracks.cancelAsked(job));
        }
        return isAsked;
    }

    @Override
    public @Nullable JobRow delete(long job) {
        JobRow gone = jobs.delete(job);
        if (gone != null) {
            changes.add(() -> tracks.deleted(job));
        }
        return gone;
    }

    @Override
    public boolean report(String worker, LeaseRef lease, Report report, int linesMax) {
        boolean isTaken = jobs.report(worker, lease, report, linesMax);
        if (isTaken) {
            changes.add(() -> tracks.reported(worker, lease));
        }
        return isTaken;
    }

    @Override
    public @Nullable JobRow find(long id) {
        return jobs.find(id);
    }

    @Override
    public @Nullable JobRow lock(long id) {
        return jobs.lock(id);
    }

    @Override
    public Pending<List<HeadRow>> plainHeads(Map<String, Integer> lanes) {
        return jobs.plainHeads(lanes);
    }

    @Override
    public List<HeadRow> heads(Collection<String> lanes, int perLane) {
        return jobs.heads(lanes, perLane);
    }

    @Override
    public boolean depart(String worker, LeaseRef lease, Start anew) {
        boolean isTaken = jobs.depart(worker, lease, anew);
        if (isTaken) {
            PolicyBook policies = book.get();
            changes.add(() -> tracks.departed(worker, lease, anew, policies));
        }
        return isTaken;
    }

    @Override
    public List<ReleasedRow> held(String worker, List<LeaseRef> leases) {
        return jobs.held(worker, leases);
    }

    @Override
    public List<HeadOfLane> unpark(ParkReason reason, Collection<String> types, long now, int limit) {
        return noted(jobs.unpark(reason, types, now, limit));
    }

    private List<HeadOfLane> noted(List<HeadOfLane> back) {
        if (!back.isEmpty()) {
            changes.add(tracks::cameBack);
        }
        return back;
    }

    @Override
    public List<ParkedRow> parked(ParkReason reason, @Nullable ParkedRow after, int limit) {
        return jobs.parked(reason, after, limit);
    }

    @Override
    public List<HeadOfLane> unpark(Collection<Long> ids, long now) {
        return noted(jobs.unpark(ids, now));
    }

    @Override
    public List<HeadOfLane> promoteDue(Collection<String> queues, long now, int limit) {
        List<Long> due = tracks.order().dueBy(queues, now);
        List<HeadOfLane> promoted = jobs.promoteDue(queues, now, limit);
        if (!due.isEmpty() && !promoted.isEmpty()) {
            Set<Long> queued = new HashSet<>();
            jobs.findAll(due).stream()
                    .filter(row -> row.state() == JobState.QUEUED)
                    .forEach(row -> queued.add(row.id()));
            changes.addFirst(() -> due.stream().filter(queued::contains).forEach(tracks::entered));
        }
        return promoted;
    }

    @Override
    public Pending<Optional<Long>> nextDue(Collection<String> queues) {
        return jobs.nextDue(queues);
    }

    @Override
    public boolean isAnyParked(ParkReason reason, Collection<String> types) {
        return jobs.isAnyParked(reason, types);
    }

    @Override
    public boolean isAnyExpired(long now) {
        return jobs.isAnyExpired(now);
    }

    @Override
    public List<Long> toStop(String worker, Collection<LeaseRef> leases) {
        return jobs.toStop(worker, leases);
    }

    @Override
    public JobIds ids() {
        return jobs.ids();
    }

    @Override
    public List<JobRow> findAll(Collection<Long> ids) {
        return jobs.findAll(ids);
    }

    @Override
    public List<QueueCount> counts(int max) {
        return jobs.counts(max);
    }

    @Override
    public int countBefore(String lane, long rank, int max) {
        return jobs.countBefore(lane, rank, max);
    }

    @Override
    public List<HoldingRow> holdings() {
        return jobs.holdings();
    }
}

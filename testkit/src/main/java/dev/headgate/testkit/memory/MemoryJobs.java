package dev.headgate.testkit.memory;

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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Live jobs. */
final class MemoryJobs implements JobTable {
    private final JobIndexes indexes = new JobIndexes();
    private final MemoryHistory history;
    private final MemoryFrames frames;
    private final Rows<Long, LiveJob> jobs;
    private final MemoryEdges edges;
    private final JobNumbers numbers;

    MemoryJobs(Journal journal, MemoryHistory history, MemoryFrames frames) {
        this.numbers = new JobNumbers(journal);
        this.frames = frames;
        this.history = history;
        this.jobs = new Rows<>(journal, LiveJob::id, indexes.all());
        this.edges = new MemoryEdges(journal, jobs, history, numbers);
    }

    MemoryEdges edges() {
        return edges;
    }

    @Override
    public Pending<List<Inserted>> insert(List<NewRow> rows) {
        return Pending.of(rows.stream().map(this::insert).toList());
    }

    private Inserted insert(NewRow wanted) {
        String key = wanted.spec().dedup().key();
        LiveJob carrier = key == null ? null : carrier(key, wanted.now());
        if (carrier != null) {
            return new Inserted(carrier.id(), false);
        }
        long id = numbers.next();
        jobs.put(LiveJob.fresh(id, wanted));
        return new Inserted(id, true);
    }

    Rows<Long, LiveJob> rows() {
        return jobs;
    }

    JobIndexes indexes() {
        return indexes;
    }

    JobNumbers numbers() {
        return numbers;
    }

    /** The live job that carries this key now; one whose time is over loses it. */
    private @Nullable LiveJob carrier(String key, long now) {
        LiveJob carrier = indexes.byDedupKey.first(key);
        if (carrier != null && carrier.dedupUntil() != null && carrier.dedupUntil() <= now) {
            jobs.put(carrier.withoutKey());
            return null;
        }
        return carrier;
    }

    /** Puts a job back that comes out of history; a dedup key that another live job carries by now stays behind. */
    void revive(LiveJob job) {
        String key = job.spec().dedup().key();
        boolean isTaken = key != null && indexes.byDedupKey.first(key) != null;
        jobs.put(isTaken ? job.withoutKey() : job);
    }

    @Override
    public @Nullable JobRow find(long id) {
        LiveJob job = jobs.get(id);
        return job == null ? null : job.row();
    }

    @Override
    public @Nullable JobRow lock(long id) {
        return find(id);
    }

    @Override
    public Pending<List<HeadRow>> plainHeads(Map<String, Integer> lanes) {
        List<HeadRow> heads = new ArrayList<>();
        lanes.forEach((lane, most) -> heads.addAll(indexes.heads(List.of(lane), most, frames)));
        return Pending.of(heads);
    }

    @Override
    public List<HeadRow> heads(Collection<String> lanes, int perLane) {
        return indexes.heads(lanes, perLane, frames);
    }

    @Override
    public Pending<List<JobRow>> lease(String worker, List<Long> ids, long margin, long now) {
        List<JobRow> started = new ArrayList<>();
        for (long id : ids) {
            LiveJob job = jobs.get(id);
            if (job == null || job.state() != JobState.QUEUED) {
                throw new IllegalStateException("claim: expected job %d to wait and be held".formatted(id));
            }
            started.add(start(job, worker, margin, now));
        }
        return Pending.of(started);
    }

    @Override
    public List<JobRow> leaseAgain(String worker, List<LeaseRef> leases, long margin, long now) {
        return heldBy(worker, leases, lease -> lease).values().stream()
                .map(job -> start(job, worker, margin, now))
                .toList();
    }

    private JobRow start(LiveJob job, String worker, long margin, long now) {
        return change(job, edit -> {
            edit.state = JobState.RUNNING;
            edit.worker = worker;
            edit.startedAt = now;
            edit.margin = margin;
            edit.epoch++;
            edit.attempt++;
            edit.isCancelRequested = false;
            edit.progress = null;
        });
    }

    private JobRow change(LiveJob job, Consumer<LiveJob.Edit> change) {
        return put(job, change).row();
    }

    private LiveJob put(LiveJob job, Consumer<LiveJob.Edit> change) {
        LiveJob after = job.with(change);
        jobs.put(after);
        return after;
    }

    /** The jobs that are really leased as claimed, in the order asked. */
    private <T> Map<T, LiveJob> heldBy(String worker, Collection<T> all, Function<T, LeaseRef> lease) {
        Map<T, LiveJob> held = new LinkedHashMap<>();
        for (T each : all) {
            LiveJob job = held(worker, lease.apply(each));
            if (job != null) {
                held.put(each, job);
            }
        }
        return held;
    }

    private @Nullable LiveJob held(String worker, LeaseRef lease) {
        LiveJob job = jobs.get(lease.job());
        boolean isHeld = job != null
                && job.state() == JobState.RUNNING
                && worker.equals(job.row().lease().worker())
                && job.row().lease().epoch() == lease.epoch();
        return isHeld ? job : null;
    }

    @Override
    public Pending<List<Long>> end(String worker, List<Ending> endings, long now) {
        List<Long> ended = new ArrayList<>();
        heldBy(worker, endings, Ending::lease).forEach((ending, job) -> {
            ended.add(job.id());
            jobs.remove(job.id());
            history.add(job, job.ended(ending, now));
        });
        return Pending.of(ended);
    }

    @Override
    public List<ReleasedRow> giveBack(String worker, List<GiveBack> backs, long now) {
        List<ReleasedRow> released = new ArrayList<>();
        heldBy(worker, backs, GiveBack::lease).forEach((back, job) -> {
            released.add(job.asReleased());
            change(job, edit -> {
                edit.state = back.state();
                edit.runAt = back.runAt();
                edit.worker = null;
                edit.attempt -= back.attemptBack() ? 1 : 0;
                edit.lost += back.isLost() ? 1 : 0;
                edit.parkReason = back.reason();
                edit.detail = back.detail() == null ? edit.detail : back.detail();
            });
        });
        return released;
    }

    @Override
    public List<Long> forgiveLoss(Collection<Long> ids) {
        List<Long> forgiven = new ArrayList<>();
        for (long id : ids) {
            LiveJob job = jobs.get(id);
            if (job != null && job.row().lease().lost() > 0) {
                change(job, edit -> {
                    edit.lost--;
                    edit.attempt--;
                });
                forgiven.add(id);
            }
        }
        return forgiven;
    }

    @Override
    public List<ReleasedRow> held(String worker, List<LeaseRef> leases) {
        return heldBy(worker, leases, lease -> lease).values().stream()
                .map(LiveJob::asReleased)
                .toList();
    }

    @Override
    public boolean endWaiting(long id, JobState state, String detail, long now) {
        LiveJob job = waiting(id);
        if (job != null) {
            jobs.remove(id);
            history.add(job, job.ended(state, null, detail, now));
        }
        return job != null;
    }

    @Override
    public void endWaiting(Map<Long, String> details, long now) {
        details.forEach((id, detail) -> endWaiting(id, JobState.CANCELLED, detail, now));
    }

    Collection<LiveJob> all() {
        return jobs.all().values();
    }

    private @Nullable LiveJob waiting(long id) {
        LiveJob job = jobs.get(id);
        return job != null && job.state().isWaiting() ? job : null;
    }

    @Override
    public @Nullable HeadOfLane requeue(long id, JobState state, long runAt) {
        LiveJob job = waiting(id);
        return job == null
                ? null
                : put(job, edit -> edit.requeue(state, runAt, numbers::next)).asHead();
    }

    @Override
    public @Nullable HeadOfLane changePriority(long id, int priority) {
        LiveJob job = waiting(id);
        return job == null
                ? null
                : put(job, edit -> edit.changePriority(priority)).asHead();
    }

    @Override
    public void park(Map<Long, String> details, ParkReason reason) {
        details.forEach((id, detail) -> {
            LiveJob job = jobs.get(id);
            if (job != null && job.state() == JobState.QUEUED) {
                change(job, edit -> {
                    edit.state = JobState.PARKED;
                    edit.parkReason = reason;
                    edit.detail = detail;
                });
            }
        });
    }

    @Override
    public List<HeadOfLane> unpark(ParkReason reason, Collection<String> types, long now, int limit) {
        Stream<LiveJob> parked = indexes.parked.in(reason).stream();
        return unpark(parked.filter(job -> types.isEmpty() || job.isOf(types)).limit(limit), now);
    }

    @Override
    public boolean isAnyParked(ParkReason reason, Collection<String> types) {
        return indexes.parked.in(reason).stream().anyMatch(job -> job.isOf(types));
    }

    private List<HeadOfLane> unpark(Stream<LiveJob> revived, long now) {
        return queue(revived.toList(), edit -> {
            edit.runAt = now;
            edit.parkReason = null;
        });
    }

    @Override
    public List<ParkedRow> parked(ParkReason reason, @Nullable ParkedRow after, int limit) {
        return indexes.parked.in(reason).stream()
                .filter(job -> after == null || job.isParkedBehind(after))
                .limit(limit)
                .map(LiveJob::asParked)
                .toList();
    }

    @Override
    public List<HeadOfLane> unpark(Collection<Long> ids, long now) {
        Stream<LiveJob> all = ids.stream().map(jobs::get).filter(Objects::nonNull);
        return unpark(all.filter(job -> job.state() == JobState.PARKED), now);
    }

    @Override
    public List<HeadOfLane> promoteDue(Collection<String> queues, long now, int limit) {
        Stream<LiveJob> first = indexes.scheduledByQueue.first(queues, limit).stream();
        List<LiveJob> due =
                first.filter(job -> job.row().place().runAt() <= now).toList();
        return queue(due, edit -> edit.takePlace(numbers::next));
    }

    private List<HeadOfLane> queue(List<LiveJob> chosen, Consumer<LiveJob.Edit> change) {
        Consumer<LiveJob.Edit> queued = edit -> edit.state = JobState.QUEUED;
        return chosen.stream()
                .map(job -> put(job, queued.andThen(change)).asHead())
                .toList();
    }

    @Override
    public boolean isAnyExpired(long now) {
        return !indexes.expired(now, 1).isEmpty();
    }

    @Override
    public List<ExpiredRow> expire(long now, int limit) {
        List<LiveJob> late = indexes.expired(now, limit);
        late.forEach(job -> endWaiting(job.id(), JobState.FAILED, job.expired(), now));
        return late.stream().map(job -> new ExpiredRow(job.id(), job.asHead())).toList();
    }

    @Override
    public Pending<Optional<Long>> nextDue(Collection<String> queues) {
        return Pending.of(Optional.ofNullable(edges.isLookDue() ? Long.valueOf(-1) : indexes.nextDue(queues)));
    }

    @Override
    public boolean requestCancel(long id) {
        LiveJob job = jobs.get(id);
        if (job == null || job.state() != JobState.RUNNING) {
            return false;
        }
        change(job, edit -> edit.isCancelRequested = true);
        return true;
    }

    @Override
    public List<Long> toStop(String worker, Collection<LeaseRef> leases) {
        return leases.stream()
                .filter(lease -> {
                    LiveJob job = held(worker, lease);
                    return job == null || job.row().notes().isCancelRequested();
                })
                .map(LeaseRef::job)
                .toList();
    }

    @Override
    public @Nullable JobRow delete(long id) {
        LiveJob gone = jobs.remove(id);
        if (gone != null) {
            history.forget(id);
            edges.forget(id);
        }
        return gone == null ? null : gone.row();
    }

    @Override
    public boolean report(String worker, LeaseRef lease, Report report, int linesMax) {
        LiveJob job = held(worker, lease);
        if (job == null) {
            return false;
        }
        if (report.progress() != null) {
            change(job, edit -> edit.progress = report.progress());
        }
        history.appendLog(lease, report.lines(), linesMax);
        return true;
    }

    @Override
    public boolean depart(String worker, LeaseRef lease, Start anew) {
        LiveJob job = held(worker, lease);
        if (job != null) {
            change(job, edit -> {
                edit.startedAt = anew.at();
                edit.margin = anew.margin();
            });
        }
        return job != null;
    }

    @Override
    public JobIds ids() {
        return new Listing<>(jobs.all(), LiveJob::spec, LiveJob::state);
    }

    @Override
    public List<JobRow> findAll(Collection<Long> ids) {
        return ids.stream().map(this::find).filter(Objects::nonNull).toList();
    }

    @Override
    public List<QueueCount> counts(int max) {
        return indexes.tally.counts();
    }

    @Override
    public int countBefore(String lane, long rank, int max) {
        return indexes.countBefore(lane, rank, max);
    }

    @Override
    public List<HoldingRow> holdings() {
        return indexes.holdings();
    }
}

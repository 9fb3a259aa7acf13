package dev.headgate.internal.job;

import dev.headgate.explain.Explanation;
import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.claim.Depart;
import dev.headgate.internal.claim.DueJobs;
import dev.headgate.internal.claim.Turns;
import dev.headgate.internal.dependency.DependencyStore;
import dev.headgate.internal.enqueue.BesideJobs;
import dev.headgate.internal.enqueue.CachedPolicies;
import dev.headgate.internal.enqueue.ExactEnqueue;
import dev.headgate.internal.figure.FigureFlush;
import dev.headgate.internal.figure.FigureRecorder;
import dev.headgate.internal.gate.CapacityCheck;
import dev.headgate.internal.gate.NextWake;
import dev.headgate.internal.lease.Departure;
import dev.headgate.internal.lease.Heartbeat;
import dev.headgate.internal.lease.Turn;
import dev.headgate.internal.lease.TurnRequest;
import dev.headgate.internal.lease.WorkerLostException;
import dev.headgate.internal.operate.HoldStore;
import dev.headgate.internal.operate.Operate;
import dev.headgate.internal.operate.PruneGates;
import dev.headgate.internal.operate.PruneJobs;
import dev.headgate.internal.operate.PruneJournal;
import dev.headgate.internal.operate.PruneRecords;
import dev.headgate.internal.operate.Recount;
import dev.headgate.internal.operate.ReviveParked;
import dev.headgate.internal.policy.PolicyRequest;
import dev.headgate.internal.policy.PolicyStore;
import dev.headgate.internal.query.Explain;
import dev.headgate.internal.query.JobPages;
import dev.headgate.internal.query.JobStatuses;
import dev.headgate.internal.query.ReadOverview;
import dev.headgate.internal.query.ReadSnapshot;
import dev.headgate.internal.simulate.StoreSnapshot;
import dev.headgate.internal.time.Micros;
import dev.headgate.internal.time.Ticker;
import dev.headgate.internal.workflow.PruneRuns;
import dev.headgate.job.Attempt;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobPage;
import dev.headgate.job.JobSpec;
import dev.headgate.job.JobSpec.Order;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.job.LogLine;
import dev.headgate.job.OperationResult;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.policy.PolicyChange;
import dev.headgate.policy.PolicyEdit;
import dev.headgate.spi.Backend;
import dev.headgate.spi.EndedRange;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.JobTable.Inserted;
import dev.headgate.spi.JobTable.LeaseRef;
import dev.headgate.spi.JournalTable.Entry;
import dev.headgate.spi.JournalTable.Standing;
import dev.headgate.spi.NewJob;
import dev.headgate.spi.Report;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.Wake;
import dev.headgate.spi.WorkerRow;
import dev.headgate.status.Drift;
import dev.headgate.status.Overview;
import dev.headgate.store.CallerTransaction;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Every transition of the store, each one transaction, atomic and guarded. Thread-safe. */
public final class JobStore implements AutoCloseable {
    /** Log lines kept per job; the oldest go first. */
    public static final int LOG_LINES_MAX = 200;

    private static final int BATCH_MAX = 500;

    private final Backend backend;
    private final PolicyStore policyStore;
    private final CachedPolicies recentPolicies;
    private final ExactEnqueue enqueues;
    private final DependencyStore dependencies;
    private final Turns turns;
    private final FigureRecorder figures = new FigureRecorder();
    private final GoneWorkers goneWorkers;
    private final Ticker ticker;

    public JobStore(Backend backend) {
        this(backend, Ticker.SYSTEM);
    }

    public JobStore(Backend backend, Ticker ticker) {
        this.backend = backend;
        this.ticker = ticker;
        this.policyStore = new PolicyStore(backend);
        this.dependencies = new DependencyStore(backend);
        this.goneWorkers = new GoneWorkers(backend, policyStore, figures);
        this.turns = new Turns(backend, ticker, policyStore, dependencies, figures);
        this.recentPolicies = new CachedPolicies(policyStore::read, ticker);
        this.enqueues = new ExactEnqueue(backend, recentPolicies);
    }

    public Backend backend() {
        return backend;
    }

    /** How jobs come in, and the policies by which they do. */
    public ExactEnqueue enqueues() {
        return enqueues;
    }

    /** Appends jobs: all of them or none. */
    public List<Inserted> enqueue(List<NewJob> jobs) {
        return enqueues.run(jobs, BesideJobs.NOTHING);
    }

    /**
     * Appends jobs in the caller's transaction: they appear when it commits, and never if it does not. Everything runs
     * on the caller's connection. A second one would have to wait for other callers, which may wait in turn.
     */
    public List<Inserted> enqueue(CallerTransaction caller, List<NewJob> jobs) {
        return enqueues.run(caller, jobs);
    }

    /** Brings back what has finished and claims what may start. */
    public Turn turnaround(TurnRequest request) {
        return turns.take(request);
    }

    /**
     * Moves due jobs of these queues into their lanes, for a worker that takes no turn because it has no free slot.
     * Returns how long it is until the next is due; absent if none is scheduled.
     */
    public @Nullable Duration fileDue(Collection<String> queues) {
        return DueJobs.file(backend, queues);
    }

    /** How long until time alone lets something of these queues start: reads without a lock. Absent if nothing does. */
    public @Nullable Duration glance(Collection<String> queues) {
        return backend.read(tx -> NextWake.glance(tx, queues));
    }

    /** Registers a worker, and revives jobs that were parked only because their handler was missing. */
    public void register(WorkerRow worker, Duration lease, Collection<String> handlers) {
        backend.writeApart(tx -> {
            long now = tx.now();
            tx.workers()
                    .insert(new WorkerRow(
                            worker.id(),
                            worker.name(),
                            worker.queues(),
                            worker.slots(),
                            now,
                            now + Micros.of(lease),
                            List.of(),
                            "",
                            worker.lostMax()));
            return null;
        });
        revive(handlers);
    }

    /** Revives jobs that were parked because one of these handlers was missing; returns how many. */
    public int revive(Collection<String> handlers) {
        return ReviveParked.run(backend, handlers);
    }

    /** Extends the worker's lease and returns what it should know. */
    public Heartbeat heartbeat(String worker, Duration lease, Collection<LeaseRef> held) {
        try (FigureFlush flush = figures.flush()) {
            Heartbeat answer = backend.writeApart(tx -> {
                long now = tx.now();
                if (!tx.workers().extend(worker, now, now + Micros.of(lease))) {
                    throw new WorkerLostException(worker);
                }
                figures.heard(worker, now + Micros.of(lease));
                flush.into(tx, now);
                List<Long> toStop = held.isEmpty() ? List.of() : tx.jobs().toStop(worker, held);
                return new Heartbeat(toStop, !tx.workers().expired(now, 1).isEmpty());
            });
            flush.done();
            return answer;
        } catch (WorkerLostException lost) {
            figures.gone(worker);
            throw lost;
        }
    }

    /** Which of these leases the worker should stop: because it was asked to, or because they are no longer its own. */
    public List<Long> toStop(String worker, Collection<LeaseRef> held) {
        return backend.readApart(tx -> tx.jobs().toStop(worker, held));
    }

    /** The leases this worker holds. For a worker that lost the answer of a turn. */
    public List<JobRow> holding(String worker) {
        return backend.read(tx -> tx.workers().list().stream()
                .filter(row -> row.id().equals(worker))
                .flatMap(row -> tx.jobs().findAll(row.holding()).stream())
                .filter(job -> job.state() == JobState.RUNNING
                        && worker.equals(job.lease().worker()))
                .toList());
    }

    /** Takes back the jobs of workers that are gone; returns how many jobs. Any process may do this at any time. */
    public int reap() {
        return goneWorkers.reap();
    }

    /** Removes a worker that stops in good order; what it still holds goes back without using up an attempt. */
    public void deregister(String worker) {
        goneWorkers.leave(worker);
    }

    /**
     * The process of a worker whose lease ended is alive: what the worker still holds goes back, and what was taken
     * from it does not count as lost. The worker must never use this registration again.
     *
     * @param leases what it had, as far as it knows
     * @return of how many jobs this changed something
     */
    public int cameBack(String worker, Collection<LeaseRef> leases) {
        return goneWorkers.cameBack(worker, leases);
    }

    /**
     * Takes a new start for a running job whose call would come too late for the old one, if its limits allow that now.
     */
    public Departure depart(JobRow lease) {
        return policyStore.decide(tx -> Depart.run(tx, ticker, lease));
    }

    /** Closes a gate or queue for this long; false if it is closed for longer already. */
    public boolean hold(GateKey key, Duration span, String reason) {
        return holds().hold(key, span, reason);
    }

    /** Resets a gate or queue; false if the store remembers nothing of it. */
    public boolean clear(GateKey key) {
        return holds().clear(key);
    }

    /**
     * Whether no job like these could start within this time: a gate or the queue of each is full or closed. Takes no
     * lock.
     */
    public boolean areShut(Collection<JobSpec> jobs, Duration time) {
        PolicyBook recent = recentPolicies.get();
        boolean isAnyFree = jobs.stream()
                .map(JobSpec::lane)
                .anyMatch(lane -> lane.isPlain() && !recent.isCounted(GateKey.queue(lane.queue())));
        return !isAnyFree && backend.read(tx -> CapacityCheck.areAll(tx, jobs, Micros.of(time)));
    }

    public HoldStore holds() {
        return new HoldStore(backend, policyStore);
    }

    /** Notes progress and log lines; false if the lease is gone. */
    public boolean report(String worker, LeaseRef lease, JobStatus.@Nullable Progress progress, List<String> lines) {
        return backend.write(tx -> {
            long now = tx.now();
            List<Report.Line> stamped =
                    lines.stream().map(line -> new Report.Line(now, line)).toList();
            return tx.jobs().report(worker, lease, new Report(progress, stamped), LOG_LINES_MAX);
        });
    }

    public @Nullable OperationResult cancel(JobId id) {
        return this.<@Nullable OperationResult>operate((operate, now) -> operate.cancel(id.value()));
    }

    /** Moves a waiting job to another time; absent means now. */
    public @Nullable OperationResult reschedule(JobId id, @Nullable Instant at) {
        return this.<@Nullable OperationResult>operate(
                (operate, now) -> operate.reschedule(id.value(), Operate.at(at, now)));
    }

    /** Gives a waiting job another priority, and the place that goes with it. */
    public @Nullable OperationResult changePriority(JobId id, int priority) {
        Order.checkPriority(priority);
        return this.<@Nullable OperationResult>operate((operate, now) -> operate.changePriority(id.value(), priority));
    }

    /** Makes a scheduled, parked, failed or cancelled job queue again now. */
    public @Nullable OperationResult retry(JobId id) {
        return this.<@Nullable OperationResult>operate((operate, now) -> operate.retry(id.value()));
    }

    public @Nullable OperationResult delete(JobId id) {
        return this.<@Nullable OperationResult>operate((operate, now) -> operate.delete(id.value()));
    }

    private <T extends @Nullable Object> T operate(BiFunction<Operate, Long, T> work) {
        Set<Wake> wakes = new HashSet<>();
        T answer = policyStore.<T>decide(tx -> {
            wakes.clear();
            return work.apply(new Operate(tx, wakes), tx.now());
        });
        if (!wakes.isEmpty()) {
            backend.publish(wakes);
        }
        return answer;
    }

    /** Brings up to {@code filter.limit()} failed or cancelled jobs back; returns how many. */
    public int redrive(JobFilter filter) {
        List<Long> newestFirst = backend.read(tx -> JobPages.ended(tx, filter));
        List<Long> ids = newestFirst.reversed(); // those that take a new place keep their order among themselves
        int revived = 0;
        for (int from = 0; from < ids.size(); from += BATCH_MAX) {
            List<Long> batch = ids.subList(from, Math.min(ids.size(), from + BATCH_MAX));
            revived += operate((operate, now) -> operate.revive(batch));
        }
        return revived;
    }

    /** Stores a policy for a gate or queue, or for all with the beginning before a final {@code *}. */
    public void setPolicy(GateKey key, GatePolicy policy) {
        PolicyEdit edit = policy.isOpen() ? new PolicyEdit.Remove() : new PolicyEdit.Replace(policy);
        changePolicies(PolicyRequest.of(key, edit, "program", ""));
    }

    /** Like {@link PolicyStore#change}, and the next enqueue here is checked against what it stored. */
    public List<PolicyChange> changePolicies(PolicyRequest request) {
        List<PolicyChange> changes = policyStore.change(request);
        policies();
        return changes;
    }

    public DependencyStore dependencies() {
        return dependencies;
    }

    public PolicyStore policyStore() {
        return policyStore;
    }

    public PolicyBook policies() {
        return recentPolicies.read();
    }

    public @Nullable JobStatus find(JobId id) {
        return backend.read(tx -> JobStatuses.find(tx, id.value()));
    }

    /** Live and ended jobs, newest first, in as many reads as that takes. */
    public List<JobStatus> list(JobFilter filter) {
        return JobPages.all(filter, this::page);
    }

    /** The same in one short read, which may return a part only. */
    public JobPage page(JobFilter filter) {
        return backend.read(tx -> JobPages.page(tx, filter));
    }

    public List<Attempt> attempts(JobId id) {
        return backend.read(tx -> tx.history().attempts(id.value()));
    }

    public List<LogLine> log(JobId id) {
        return backend.read(tx -> tx.history().log(id.value()));
    }

    public @Nullable Explanation explain(JobId id) {
        return backend.read(tx -> Explain.run(tx, id.value()));
    }

    public Overview overview(int gatesMax) {
        return backend.read(tx -> ReadOverview.run(tx, gatesMax));
    }

    /** Everything that waits or runs, with what gates remember: where a simulation goes on from. */
    public StoreSnapshot snapshot(int jobsMax) {
        return backend.read(tx -> ReadSnapshot.run(tx, jobsMax));
    }

    /**
     * Compares the use that gates have noted with what running jobs hold, in one snapshot of the store; blocks nothing.
     */
    public List<Drift> recount() {
        return backend.read(Recount::run);
    }

    /** What a gate has started, in order, after this entry; for gates whose policy keeps a journal. */
    public List<Entry> journal(GateKey gate, long after, int limit) {
        return backend.read(tx -> tx.journal().read(gate, after, limit));
    }

    /** How far the journal of a gate goes, and which expired entries were deleted. */
    public Standing journalStanding(GateKey gate) {
        return backend.read(tx -> tx.journal().standing(gate));
    }

    /** Every gate and queue that has a journal. */
    public List<GateKey> journalGates() {
        return backend.read(tx -> tx.journal().gates());
    }

    /** Deletes expired journal entries, in short batches; returns how many. */
    public int pruneJournal() {
        return PruneJournal.run(backend);
    }

    /**
     * Deletes history and runs that ended longer ago than this, in short batches; returns how many jobs. Keeps what
     * something live still needs: see {@link PruneJobs} and {@link PruneRuns}.
     */
    public int prune(Duration olderThan) {
        EndedRange range = EndedRange.before(backend.read(StoreTransaction::now) - Micros.of(olderThan));
        PruneRuns.run(backend, range);
        return PruneJobs.run(backend, range);
    }

    /** Deletes the rows of gates and queues that are as new; returns how many. */
    public int pruneGates() {
        PruneGates gates = new PruneGates(backend, PruneGates.QUIET);
        gates.trimShares();
        return gates.all();
    }

    /** Deletes unused notes of policies, job types and workflows; returns how many rows. */
    public int pruneRecords() {
        return PruneRecords.run(backend);
    }

    @Override
    public void close() {
        backend.close();
    }
}

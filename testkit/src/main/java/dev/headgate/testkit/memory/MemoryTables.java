package dev.headgate.testkit.memory;

import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.spi.BacklogTable;
import dev.headgate.spi.DemandTable;
import dev.headgate.spi.EdgeTable;
import dev.headgate.spi.FigureTable;
import dev.headgate.spi.FrameTable;
import dev.headgate.spi.GateTable;
import dev.headgate.spi.HistoryTable;
import dev.headgate.spi.JobTable;
import dev.headgate.spi.JournalTable;
import dev.headgate.spi.LaneTable;
import dev.headgate.spi.PermitTable;
import dev.headgate.spi.PolicyTable;
import dev.headgate.spi.ProfileTable;
import dev.headgate.spi.RequestKeyTable;
import dev.headgate.spi.ScheduleTable;
import dev.headgate.spi.ShareTable;
import dev.headgate.spi.StoreClock;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.TokenTable;
import dev.headgate.spi.Wake;
import dev.headgate.spi.WorkerTable;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** All tables and the one lock over them; several backends may share it, as processes share a database. */
final class MemoryTables implements StoreTransaction {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Object, Consumer<Wake>> listeners = new ConcurrentHashMap<>();
    private final Journal journal = new Journal();
    private final StoreClock clock;
    private final MemoryHistory history = new MemoryHistory(journal);
    private final MemoryFrames frames = new MemoryFrames(journal);
    private final MemoryJobs jobs = new MemoryJobs(journal, history, frames);
    private final MemoryLanes lanes;
    private final MemoryGates gates = new MemoryGates(journal);
    private final MemoryShares shares = new MemoryShares(journal);
    private final MemoryWorkers workers;
    private final MemoryEvidence evidence = new MemoryEvidence(journal, gates);
    private final MemoryPolicies policies = new MemoryPolicies(journal);
    private final MemoryProfiles profiles = new MemoryProfiles(journal);
    private final MemorySchedules schedules = new MemorySchedules(journal, jobs.rows());
    private final MemoryTokens tokens = new MemoryTokens(journal);
    private final MemoryPermits permits = new MemoryPermits(journal);
    private final MemoryRequestKeys requestKeys = new MemoryRequestKeys(journal);
    private final MemoryFigures figures = new MemoryFigures(journal, jobs, history);

    MemoryTables(StoreClock clock) {
        this.clock = clock;
        this.lanes = new MemoryLanes(journal, clock);
        this.workers = new MemoryWorkers(journal, jobs.edges());
        history.connect(jobs);
        frames.connect(jobs);
    }

    /** Runs one transaction; what it did is undone if it throws. */
    <T extends @Nullable Object> T run(boolean isWrite, Function<StoreTransaction, T> work) {
        if (lock.isHeldByCurrentThread()) {
            throw new IllegalStateException(
                    "a transaction is open on this thread; a second one inside it would wait for ever");
        }
        lock.lock();
        try {
            journal.begin(isWrite);
            T answer = work.apply(this);
            journal.commit();
            return answer;
        } finally {
            journal.rollBack();
            lock.unlock();
        }
    }

    void publish(Set<Wake> wakes) {
        wakes.forEach(wake -> listeners.values().forEach(listener -> listener.accept(wake)));
    }

    /** Answers how to leave. */
    Runnable listen(Consumer<Wake> listener) {
        Object ticket = new Object();
        listeners.put(ticket, listener);
        return () -> listeners.remove(ticket);
    }

    @Override
    public long now() {
        return clock.micros();
    }

    @Override
    public PolicyBook policies() {
        return policies.book(now());
    }

    @Override
    public JobTable jobs() {
        return jobs;
    }

    @Override
    public LaneTable lanes() {
        return lanes;
    }

    @Override
    public GateTable gates() {
        return gates;
    }

    @Override
    public ShareTable shares() {
        return shares;
    }

    @Override
    public WorkerTable workers() {
        return workers;
    }

    @Override
    public HistoryTable history() {
        return history;
    }

    @Override
    public BacklogTable backlog() {
        return new MemoryBacklog(jobs.rows(), jobs.indexes());
    }

    @Override
    public DemandTable demand() {
        return new MemoryDemand(jobs, lanes, history, frames);
    }

    @Override
    public JournalTable journal() {
        return evidence;
    }

    @Override
    public EdgeTable edges() {
        return jobs.edges();
    }

    @Override
    public FrameTable frames() {
        return frames;
    }

    @Override
    public ProfileTable profiles() {
        return profiles;
    }

    @Override
    public ScheduleTable schedules() {
        return schedules;
    }

    @Override
    public FigureTable figures() {
        return figures;
    }

    @Override
    public TokenTable tokens() {
        return tokens;
    }

    @Override
    public PermitTable permits() {
        return permits;
    }

    @Override
    public RequestKeyTable requestKeys() {
        return requestKeys;
    }

    @Override
    public PolicyTable policyTable() {
        return policies;
    }
}

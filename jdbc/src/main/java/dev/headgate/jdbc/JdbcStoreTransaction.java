package dev.headgate.jdbc;

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
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One transaction on one connection. */
public final class JdbcStoreTransaction implements StoreTransaction {
    /** A clock that does not come to the instant does not keep the transaction open. */
    private static final int NAPS_MAX = 3;

    private final Session sql;
    private final StoreClock clock;
    private final JdbcJobs jobs;
    private final JdbcLanes lanes;
    private final JdbcGates gates;
    private final JdbcShares shares;
    private final JdbcWorkers workers;
    private final JdbcHistory history;
    private final JdbcPolicies policies;
    private final JdbcBacklog backlog;
    private final JdbcJournal journal;
    private final JdbcEdges edges;
    private final JdbcFrames frames;
    private final JdbcDemand demand;
    private final JdbcProfiles profiles;
    private final JdbcSchedules schedules;
    private final JdbcTokens tokens;
    private final JdbcPermits permits;
    private final JdbcRequestKeys requestKeys;
    private final JdbcFigures figures;
    private final Runnable inclusion;
    private final boolean mayGuess;
    private final Predicate<Set<Wake>> announcer;
    private @Nullable PolicyBook book;

    /**
     * @param clock the store's time
     * @param inclusion waits for a change of policies that is under way; runs before they are first read
     * @param exclusion keeps every other transaction that reads policies out until this one ends
     * @param mayGuess whether the caller answers a {@link WrongGuessException} by another try without guesses
     * @param announcer lets the commit tell other processes, and answers whether it will
     */
    public JdbcStoreTransaction(
            Session sql,
            StoreClock clock,
            StoreMemory memory,
            Runnable inclusion,
            Runnable exclusion,
            boolean mayGuess,
            Predicate<Set<Wake>> announcer) {
        this.sql = sql;
        this.mayGuess = mayGuess;
        this.announcer = announcer;
        this.clock = clock;
        this.inclusion = inclusion;
        this.jobs = new JdbcJobs(sql);
        this.lanes = new JdbcLanes(sql);
        this.gates = new JdbcGates(sql, memory.gates(), mayGuess, this::readTimeAlong);
        this.shares = new JdbcShares(sql);
        this.workers = new JdbcWorkers(sql, mayGuess);
        this.history = new JdbcHistory(sql);
        this.backlog = new JdbcBacklog(sql);
        this.journal = new JdbcJournal(sql);
        this.edges = new JdbcEdges(sql);
        this.frames = new JdbcFrames(sql);
        this.demand = new JdbcDemand(sql);
        this.profiles = new JdbcProfiles(sql);
        this.schedules = new JdbcSchedules(sql);
        this.tokens = new JdbcTokens(sql);
        this.permits = new JdbcPermits(sql);
        this.requestKeys = new JdbcRequestKeys(sql);
        this.figures = new JdbcFigures(sql);
        this.policies = new JdbcPolicies(sql, memory.policies(), exclusion, () -> book = null);
    }

    /**
     * Finds out whether this program may still use the tables, before anything else and where nothing else writes until the end of
     * the transaction.
     *
     * @throws dev.headgate.store.StoreRefusedException if not
     */
    public void admit() {
        policies.admit();
    }

    /** To be called once the transaction has committed. */
    public void committed() {
        gates.remember();
    }

    @Override
    public long now() {
        return clock.micros();
    }

    @Override
    public boolean isTimeFar() {
        return clock instanceof SqlClock;
    }

    @Override
    public boolean announce(Set<Wake> wakes) {
        return announcer.test(wakes);
    }

    @Override
    public long waitUntil(long instant, Runnable asking) {
        asking.run();
        long now = clock.micros();
        for (int naps = 0; now < instant && naps < NAPS_MAX; naps++) {
            LockSupport.parkNanos(this, (instant - now) * 1_000);
            asking.run();
            now = clock.micros();
        }
        return now;
    }

    /** What decides asks for the time right after its locks: then it has come along with them. */
    private void readTimeAlong() {
        if (clock instanceof SqlClock far) {
            far.ride();
        }
    }

    @Override
    public boolean isReadingLatest() {
        return sql.isReadingLatest();
    }

    @Override
    public PolicyBook policies() {
        PolicyBook current = book;
        if (current == null) {
            inclusion.run();
            readTimeAlong();
            current = policies.book();
            current = current.hasOverrides() ? current.at(now()) : current;
            book = current;
        }
        return current;
    }

    @Override
    public PolicyBook recentPolicies() {
        PolicyBook known = policies.known();
        if (book == null && mayGuess && !known.hasOverrides()) {
            inclusion.run();
            policies.expect(known);
            book = known;
        }
        return policies();
    }

    /** To be called before the commit: what was guessed must have been confirmed. */
    public void confirm() {
        policies.confirm();
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
        return backlog;
    }

    @Override
    public DemandTable demand() {
        return demand;
    }

    @Override
    public JournalTable journal() {
        return journal;
    }

    @Override
    public EdgeTable edges() {
        return edges;
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
    public FigureTable figures() {
        return figures;
    }

    @Override
    public PolicyTable policyTable() {
        return policies;
    }
}

package dev.headgate.proof.simulation;

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
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.TokenTable;
import dev.headgate.spi.WorkerTable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.function.BooleanSupplier;

/** One transaction, of which the checkers hear what it did. */
final class WatchedTransaction implements StoreTransaction {
    private final StoreTransaction tx;
    private final WatchedJobs jobs;
    private final WatchedWorkers workers;
    private final WatchedTables tables;
    private final WatchedFrames frames;
    private final LaneTable lanes;

    /**
     * @param isLocked asked for each lane and gate that a claim takes only if it is free: whether another transaction has locked it
     * @param waiting run for each lock of gates: it may have to be waited for
     */
    WatchedTransaction(
            StoreTransaction tx, Changes changes, World.Parts parts, BooleanSupplier isLocked, Runnable waiting) {
        this.tx = tx;
        this.lanes = new SkippingLanes(tx.lanes(), isLocked);
        this.frames = new WatchedFrames(
                tx.frames(), changes, parts.runs(), parts.tracks().pruned());
        Tracks tracks = parts.tracks();
        this.workers = new WatchedWorkers(tx.workers(), changes, parts.leases());
        this.jobs = new WatchedJobs(tx.jobs(), changes, tracks, tx::policies, workers::isReaping, new ArrayList<>());
        this.tables = new WatchedTables(tx, changes, tracks, parts.instants(), new HashSet<>(), isLocked, waiting);
    }

    @Override
    public long now() {
        return tx.now();
    }

    @Override
    public long waitUntil(long instant, Runnable asking) {
        return tx.waitUntil(instant, asking);
    }

    @Override
    public PolicyBook policies() {
        return tx.policies();
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
        return tables.gates();
    }

    @Override
    public WorkerTable workers() {
        return workers;
    }

    @Override
    public HistoryTable history() {
        return tables.history();
    }

    @Override
    public PolicyTable policyTable() {
        return tables.policies();
    }

    @Override
    public ShareTable shares() {
        return tx.shares();
    }

    @Override
    public BacklogTable backlog() {
        return tx.backlog();
    }

    @Override
    public JournalTable journal() {
        return tx.journal();
    }

    @Override
    public EdgeTable edges() {
        return tables.edges();
    }

    @Override
    public FrameTable frames() {
        return frames;
    }

    @Override
    public DemandTable demand() {
        return tx.demand();
    }

    @Override
    public ProfileTable profiles() {
        return tx.profiles();
    }

    @Override
    public ScheduleTable schedules() {
        return tables.schedules();
    }

    @Override
    public FigureTable figures() {
        return tx.figures();
    }

    @Override
    public TokenTable tokens() {
        return tx.tokens();
    }

    @Override
    public PermitTable permits() {
        return tx.permits();
    }

    @Override
    public RequestKeyTable requestKeys() {
        return tx.requestKeys();
    }
}

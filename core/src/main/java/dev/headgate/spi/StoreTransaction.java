package dev.headgate.spi;

import dev.headgate.internal.admission.PolicyBook;
import java.util.Set;

/** One open transaction: the tables, the stored policies and the store's clock. */
public interface StoreTransaction {
    /** Store time in microseconds, read from the store's clock at the moment of the call. */
    long now();

    /** Whether asking for the time is a trip of its own: then a write of what is due at once leaves the time to the store. */
    default boolean isTimeFar() {
        return false;
    }

    /**
     * Waits until the store's clock shows this instant, then reads it. Only for moments: locks are held meanwhile. A store
     * whose time does not pass by itself just reads its clock.
     *
     * @param asking is run before each reading is asked for
     */
    default long waitUntil(long instant, Runnable asking) {
        asking.run();
        return now();
    }

    /**
     * Lets the commit itself tell other processes, where and while that costs little: they hear of it that much earlier.
     *
     * @return whether it will; then only this process is left to be told, by {@link Backend#publishHere}
     */
    default boolean announce(Set<Wake> wakes) {
        return false;
    }

    /**
     * Whether this transaction, which belongs to a caller, reads what is committed at the moment it reads. One that reads
     * what was committed when it began may be minutes behind.
     */
    default boolean isReadingLatest() {
        return false;
    }

    /**
     * The policies in force for this transaction, as of the instant it first reads them; no change to them commits before
     * it ends. An override may end by the clock meanwhile: {@link PolicyBook#endsBy} tells.
     */
    PolicyBook policies();

    /**
     * The same where much more will be asked of the store: answered from memory where that is shorter, and compared with
     * what is stored on the way. If it was out of date, the transaction is rolled back and run once more.
     */
    default PolicyBook recentPolicies() {
        return policies();
    }

    JobTable jobs();

    LaneTable lanes();

    GateTable gates();

    WorkerTable workers();

    HistoryTable history();

    PolicyTable policyTable();

    ShareTable shares();

    BacklogTable backlog();

    JournalTable journal();

    EdgeTable edges();

    FrameTable frames();

    DemandTable demand();

    ProfileTable profiles();

    ScheduleTable schedules();

    TokenTable tokens();

    PermitTable permits();

    RequestKeyTable requestKeys();

    FigureTable figures();
}

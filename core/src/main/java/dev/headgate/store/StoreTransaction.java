package dev.headgate.store;

import dev.headgate.admission.PolicyBook;

/** One open transaction: the tables, the stored policies and the store's clock. */
public interface StoreTransaction {
    /** Store time in microseconds, read from the store's clock at the moment of the call. */
    long now();

    /**
     * Waits until the store's clock shows this instant, then reads it. Only for moments: locks are held meanwhile. A store
     * whose time does not pass by itself just reads its clock.
     */
    default long waitUntil(long instant) {
        return now();
    }

    /**
     * The policies in force for this transaction, as of the instant it first reads them; no change to them commits before
     * it ends. An override may end by the clock meanwhile: {@link PolicyBook#endsBy} tells.
     */
    PolicyBook policies();

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
}

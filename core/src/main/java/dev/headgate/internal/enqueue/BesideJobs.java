package dev.headgate.internal.enqueue;

import dev.headgate.spi.JobTable.Inserted;
import dev.headgate.spi.Pending;
import dev.headgate.spi.StoreTransaction;
import java.util.List;

/** What is written in the transaction that stores jobs, so that it is there if and only if they are. */
@FunctionalInterface
public interface BesideJobs {
    BesideJobs NOTHING = (tx, jobs) -> {};

    /** Called once the jobs are inserted; again if the transaction is tried again. An exception rolls everything back. */
    void write(StoreTransaction tx, Pending<List<Inserted>> jobs);
}

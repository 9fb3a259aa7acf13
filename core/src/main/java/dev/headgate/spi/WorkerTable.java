package dev.headgate.spi;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Workers that are alive, and which jobs each holds. A worker's row is the lease of all its jobs. */
public interface WorkerTable {
    void insert(WorkerRow worker);

    /** Extends the lease; false if it has ended, and then it can never be extended again. */
    boolean extend(String worker, long now, long until);

    /**
     * A worker's row is written.
     *
     * @param isAnyAwaiting whether any job waits for another. Read along, so that turns in a store where none does ask
     *     nothing for it
     */
    record Shifted(boolean isAnyAwaiting) {}

    /** To be said early by a turn that gives nothing up: then {@link #shift} need not wait for the row. */
    default void foresee(String worker) {}

    /** Notes which jobs the worker gave up and got; absent if its lease has ended. */
    @Nullable
    Shifted shift(String worker, Collection<Long> gone, Collection<Long> added, long now);

    /** Writes how many slots a worker has now, and what it has room for, into its row, if that is still there. */
    void publish(String worker, int slots, String room);

    /** Workers whose lease has ended. */
    List<WorkerRow> expired(long now, int limit);

    /** Locks a worker's row if its lease has ended, or whatever its lease if {@code now} is absent. */
    @Nullable
    WorkerRow lock(String worker, @Nullable Long now);

    void delete(String worker);

    List<WorkerRow> list();
}

package dev.headgate.handler;

import org.jspecify.annotations.Nullable;

/** One job of a batch. What it is told first counts. Thread-safe. */
public interface BatchMember<T> {
    /** What this job was enqueued with. */
    T payload();

    /** This job: its id, attempt, log and gates. */
    JobContext job();

    /** Its work is done. */
    default void succeed() {
        succeed(null);
    }

    /** Its work is done, and this is its result; see {@link JobFunction}. */
    void succeed(@Nullable Object result);

    /** Its work is not done, as if its handler had thrown this; see {@link JobHandler}. */
    void fail(Exception why);
}

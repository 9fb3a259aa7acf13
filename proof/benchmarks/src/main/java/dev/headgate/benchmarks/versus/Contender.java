package dev.headgate.benchmarks.versus;

import java.util.function.LongConsumer;

/** A job queue that takes part, opened on a database; its tables are there. */
interface Contender extends AutoCloseable {
    /** Puts jobs with the numbers from {@code first} on in line, by the best public call there is for many. */
    void enqueueAll(long first, int count) throws Exception;

    /** Puts one job in line. It is durable when this returns. */
    void enqueue(long number) throws Exception;

    /** Begins to run jobs, until this is closed. The handler is told the number of each. */
    void work(LongConsumer handler) throws Exception;

    /** Fails if it cannot go on, where that can be known; asked now and then while it works. */
    default void lookAlive() throws Exception {}

    @Override
    void close() throws Exception;
}

package dev.headgate.benchmarks.provider;

import java.util.List;

/**
 * One way to call a provider within its limits from the jobs of a queue. A job is a number: 0 if it is one of a flood, the microsecond of its
 * enqueue if its latency counts, and negative if it only warms a process up, at a limit of its own.
 */
interface Caller extends AutoCloseable {
    /** The number of jobs that warm up. */
    long WARM = -1;

    void enqueue(List<Long> jobs) throws Exception;

    /** Works from now on, until the process ends. */
    void work(Endpoint provider) throws Exception;

    /** How many starts came too late and were given back; negative if it has no such thing. */
    default long lateStarts() {
        return -1;
    }

    @Override
    void close();

    static boolean isWarm(long job) {
        return job < 0;
    }
}

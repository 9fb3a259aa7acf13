package dev.headgate.job;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Is told what a job type says of its jobs, by one call for each part, in the order in which the type says them; see {@link JobType#defaults}. */
public interface JobDefaults {
    void queue(String name);

    /** A gate, besides those already told. */
    void gate(String name);

    /** The units that are taken at a gate that was told. */
    void units(String gate, long units);

    void cost(long units);

    void priority(int value);

    void attempts(int most);

    void retry(RetryRule policy);

    void timeout(Duration perAttempt);

    /** A key, and how long it lasts; absent: as long as the job lives. */
    void dedup(String key, @Nullable Duration ttl);

    /** The key is made of the job type and the payload. */
    void dedupByContent(@Nullable Duration ttl);
}

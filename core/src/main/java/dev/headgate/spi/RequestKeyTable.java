package dev.headgate.spi;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Idempotency keys of requests over HTTP. A row is written in the transaction that does what the request asked for. */
public interface RequestKeyTable {
    /** So long the same key gets the same answer. */
    Duration KEPT = Duration.ofHours(24);

    /** The rows of these keys of a token that were written after this instant. */
    List<RequestKeyRow> find(String token, Collection<String> keys, long after);

    /**
     * Writes rows, each key once; one that was written at this instant or before is replaced. Waits for other transactions that
     * write the same keys. Returns how many were written: the others are taken, and the caller rolls back.
     */
    int put(List<RequestKeyRow> rows, long after);

    /** When the row was written that has so many younger ones; absent if there are not that many. */
    @Nullable
    Long writtenBefore(int younger);

    /** Deletes rows that were written at this instant or before, the oldest first and at most so many; returns how many. */
    int prune(long upTo, int most);
}

package dev.headgate.internal.enqueue;

import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.time.Ticker;
import dev.headgate.spi.StoreTransaction;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A copy of the stored policies, at most two seconds old, for enqueues: they append and wait for nothing. If the copy is
 * too old, one thread reads it anew and the others wait for that thread. A claim never uses the copy.
 */
public final class CachedPolicies {
    private static final long AGE_NANOS_MAX = 2_000_000_000L;

    private final Supplier<PolicyBook> stored;
    private final Ticker ticker;
    private final AtomicReference<Copy> copy;

    /** Reentrant: a simulation makes other calls on the thread whose read is under way. */
    private final ReentrantLock reading = new ReentrantLock();

    private final AtomicLong reads = new AtomicLong();
    private @Nullable RuntimeException failure;

    /** @param askedAt when the read began: what was stored later may be missing */
    private record Copy(PolicyBook book, long askedAt) {}

    /**
     * Reads nothing yet.
     *
     * @param stored reads the stored policies, in a transaction of its own
     */
    public CachedPolicies(Supplier<PolicyBook> stored, Ticker ticker) {
        this.stored = stored;
        this.ticker = ticker;
        long asked = ticker.nanos();
        this.copy = new AtomicReference<>(new Copy(stored.get(), asked));
    }

    /** The copy, or what one thread reads for all if the copy is too old. */
    public PolicyBook get() {
        PolicyBook fresh = fresh();
        if (fresh != null) {
            return fresh;
        }
        long before = reads.get();
        reading.lock();
        try {
            fresh = fresh();
            if (fresh != null) {
                return fresh;
            }
            RuntimeException shared = failure;
            if (shared != null && reads.get() != before) {
                throw shared; // the read that this thread has waited for failed; to repeat it for each thread takes too
                // long
            }
            return readForAll();
        } finally {
            reading.unlock();
        }
    }

    private PolicyBook readForAll() {
        failure = null;
        try {
            return read();
        } catch (RuntimeException failed) {
            failure = failed;
            throw failed;
        } finally {
            reads.incrementAndGet();
        }
    }

    /** Reads the stored policies, whatever the age of the copy. */
    public PolicyBook read() {
        long asked = ticker.nanos();
        PolicyBook book = stored.get();
        keep(book, asked);
        return book;
    }

    /**
     * The copy, or what this transaction of a caller's reads if the copy is too old: on the caller's connection, without
     * waiting for a read that is under way on another one.
     */
    public PolicyBook in(StoreTransaction caller) {
        PolicyBook fresh = fresh();
        if (fresh != null) {
            return fresh;
        }
        long asked = ticker.nanos();
        PolicyBook book = caller.policies();
        if (caller.isReadingLatest()) {
            keep(book, asked);
        }
        return book;
    }

    private @Nullable PolicyBook fresh() {
        Copy current = copy.get();
        return ticker.nanos() - current.askedAt() > AGE_NANOS_MAX ? null : current.book();
    }

    /** A read that took long does not replace the copy of one that began later. */
    private void keep(PolicyBook book, long asked) {
        copy.accumulateAndGet(new Copy(book, asked), (old, read) -> old.askedAt() - read.askedAt() > 0 ? old : read);
    }
}

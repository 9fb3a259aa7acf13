package dev.headgate.internal.claim;

import dev.headgate.internal.time.Ticker;

/**
 * Remembers when the store's clock was last asked, by the ticker of this process: no lease that is granted by that reading is
 * older.
 */
final class GrantClock {
    /** How long a reading serves after it was asked for. */
    private static final long FRESH_NANOS = 1_000_000;

    private final Ticker ticker;
    private long askedNanos;

    GrantClock(Ticker ticker) {
        this.ticker = ticker;
        asking();
    }

    /** The store's clock is asked with what is sent next. */
    void asking() {
        askedNanos = ticker.nanos();
    }

    boolean isFresh() {
        return ticker.nanos() - askedNanos <= FRESH_NANOS;
    }

    long askedNanos() {
        return askedNanos;
    }

    long nanos() {
        return ticker.nanos();
    }
}

package dev.headgate.internal.worker;

import dev.headgate.internal.time.Chance;
import dev.headgate.internal.time.Ticker;
import dev.headgate.store.StoreRefusedException;
import dev.headgate.store.StoreUnavailableException;
import java.time.Duration;
import org.slf4j.Logger;

/**
 * What a loop does while the store is away: waits longer each time up to a bound, with jitter so that a fleet does not
 * come back at once, and logs it once a minute at most. Not thread-safe.
 */
final class StoreBackoff {
    private static final long FIRST_NANOS = Duration.ofMillis(20).toNanos();
    private static final long QUIET_NANOS = Duration.ofMinutes(1).toNanos();

    private final Logger log;
    private final Ticker ticker;
    private final Chance chance;
    private final long longestNanos;
    private long nextNanos = FIRST_NANOS;
    private long saidNanos;
    private long failures;
    private boolean hasSaid;

    StoreBackoff(Logger log, Ticker ticker, Chance chance, Duration longest) {
        this.log = log;
        this.ticker = ticker;
        this.chance = chance;
        this.longestNanos = longest.toNanos();
    }

    /** Notes a failure; returns how long to wait. */
    long fail(String who, RuntimeException why) {
        failures++;
        long now = ticker.nanos();
        if (!hasSaid || now - saidNanos > QUIET_NANOS) {
            say(who, why);
            hasSaid = true;
            saidNanos = now;
        }
        long wait = Math.min(nextNanos, longestNanos);
        nextNanos = Math.min(longestNanos, nextNanos * 2);
        return wait - Math.floorMod(chance.next(), wait / 2 + 1);
    }

    private void say(String who, RuntimeException why) {
        if (why instanceof StoreUnavailableException) {
            log.warn("{}: the store is away ({}); trying on, and saying so once a minute at most", who, why.toString());
            log.debug("{}: the store is away", who, why);
        } else if (why instanceof StoreRefusedException) {
            log.error("{}: {}", who, why.getMessage()); // the message says what to do
        } else {
            log.error("{}: the store did not do what was asked; trying on", who, why);
        }
    }

    /** The store is back. */
    void succeed(String who) {
        if (failures > 0) {
            log.info("{}: the store is back after {} failures", who, failures);
            failures = 0;
            nextNanos = FIRST_NANOS;
        }
    }
}

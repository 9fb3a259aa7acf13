package dev.headgate.internal.worker;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs that a worker misses its margins, and that it is in time again: the first time only. Events report every time.
 * Thread-safe.
 */
final class LateStartLog {
    private static final Logger log = LoggerFactory.getLogger(LateStartLog.class);

    private final String worker;
    private boolean hasMissed;
    private boolean hasRecovered;

    LateStartLog(String worker) {
        this.worker = worker;
    }

    synchronized void tell(boolean isBehind) {
        if (isBehind && !hasMissed) {
            log.warn(
                    "worker {}: reaches its handlers too late for the margins of their limits, even one start at a time; it rests for up to 1 s between such starts until it is in time (said once). Is the machine overloaded, or the store far away? 'headgate gate show' tells how long it takes; give the limit a margin of twice that or more, or 'margin none'",
                    worker);
        } else if (!isBehind && !hasRecovered) {
            log.info("worker {}: reaches its handlers in time again (said once)", worker);
        }
        hasMissed |= isBehind;
        hasRecovered |= !isBehind;
    }
}

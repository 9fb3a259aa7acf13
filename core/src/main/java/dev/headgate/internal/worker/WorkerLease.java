package dev.headgate.internal.worker;

import dev.headgate.internal.time.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * What this process knows of its worker's lease. Measured on the monotonic clock from the moment a heartbeat was sent,
 * not answered, so the store never ends the lease earlier than this says. Thread-safe.
 *
 * <p>A lease that is not extended passes three points: after a half nothing new is claimed, after three quarters
 * handlers are interrupted, and at its end the store gives its jobs to other workers.
 */
final class WorkerLease {
    private final Ticker ticker;
    private final long leaseNanos;
    private volatile Standing standing;

    private record Standing(String id, long heardNanos, boolean isLost) {}

    WorkerLease(Ticker ticker, long leaseNanos, String id, long heardNanos) {
        this.ticker = ticker;
        this.leaseNanos = leaseNanos;
        this.standing = new Standing(id, heardNanos, false);
    }

    String id() {
        return standing.id();
    }

    boolean isLost() {
        return standing.isLost();
    }

    long heardNanos() {
        return standing.heardNanos();
    }

    /** The store extended the lease on a request sent at this time. */
    synchronized void heard(String id, long sentNanos) {
        Standing now = standing;
        if (now.id().equals(id) && !now.isLost()) {
            standing = new Standing(id, sentNanos, false);
        }
    }

    /** The store says that the lease has ended. Returns whether that is news. */
    synchronized boolean lose(String id) {
        Standing now = standing;
        if (!now.id().equals(id) || now.isLost()) {
            return false;
        }
        standing = new Standing(id, now.heardNanos(), true);
        return true;
    }

    synchronized void join(String id, long sentNanos) {
        standing = new Standing(id, sentNanos, false);
    }

    boolean mayClaim() {
        return isWithin(leaseNanos / 2);
    }

    /** Whether what was granted to this registration may still start: the answer may have come after its end. */
    boolean mayRun(@Nullable String registration) {
        return isWithin(leaseNanos / 4 * 3) && id().equals(registration);
    }

    private boolean isWithin(long nanos) {
        Standing now = standing;
        return !now.isLost() && ticker.nanos() - now.heardNanos() < nanos;
    }

    /** When handlers must be interrupted unless the store answers before. */
    long interruptNanos() {
        return heardNanos() + leaseNanos / 4 * 3;
    }

    long leaseUntilNanos() {
        return heardNanos() + leaseNanos;
    }
}

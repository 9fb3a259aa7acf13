package dev.headgate.limiter;

import java.time.Duration;

/**
 * Gates of the store as a limiter: their stored policies, the same rows that jobs use, over all processes. Get one with
 * {@code headgate.limiter("openai")}. Each question is one transaction.
 *
 * <p>A permit that holds a place (concurrency, budget, adaptive) has a time to live: if its process dies, or does not
 * {@link Permit#renew} in time, the place is free for others at that instant. Permits of gates with rates, windows,
 * spacings and quotas only hold no place and need not be closed; with {@code margin end} they hold one, because such a
 * limit counts calls until they have ended. One gate grants at most 1,000 permits at a time.
 *
 * <p>Make the call right after the permit is there. A limit with a margin counts a permit at the latest moment at which
 * its call may be made. A permit that comes later than the first half of the margin is given up, as if it had never
 * been granted, and asked for again. A permit that is closed before its margin is over counts from then on, so that the
 * next one comes earlier.
 *
 * <p>A caller takes what is free now; jobs that wait in line for the same gate get what is left. {@link #acquire} wakes
 * at the exact instant at which time opens the gates, and at once when a permit of this same object is given back.
 * Every tenth of a second it also checks, without a lock, whether they opened early: after a release elsewhere, a
 * change of limits or the end of a hold.
 */
public interface StoredLimiter extends Limiter {
    /** The same gates with permits that live so long unless renewed, 100 ms to one day. Default: 30 seconds. */
    StoredLimiter timeToLive(Duration time);
}

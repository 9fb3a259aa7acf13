package dev.headgate.limiter;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The right to one start, and the place it holds until it is closed. Closing it again, or settling one that counts no
 * more (closed, expired, or void because its limiter was cleared), changes nothing. Thread-safe.
 */
public non-sealed interface Permit extends Limiter.Answer, AutoCloseable {
    /**
     * Says what it really cost. Limits by cost get the difference back, or are owed it: then later starts wait longer.
     * Counts once, and before {@link #close}.
     *
     * @param actualCost 0 to 1,000,000,000,000
     * @return whether it counted
     */
    boolean settle(long actualCost);

    /**
     * What was called pushed back, as with a 429: shuts the limiter for as long as it was told, or as its back-off says if
     * that is longer; then one asker goes ahead, and the others follow when its permit is closed without a rejection.
     * Rejections of what had started before the limiter was shut count as one.
     *
     * @param retryAfter how long it was told to wait; absent if it was not told
     * @return whether it counted
     */
    boolean pushedBack(@Nullable Duration retryAfter);

    /**
     * Keeps the permit for its whole time to live from now on. Only a permit of a store has one; see
     * {@link StoredLimiter#timeToLive}.
     *
     * @return false if it no longer counts: its place may be taken
     */
    boolean renew();

    /** Gives back its place, and says that its call has been made. Starts that were spent stay spent. */
    @Override
    void close();
}

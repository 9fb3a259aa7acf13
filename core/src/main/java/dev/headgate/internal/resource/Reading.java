package dev.headgate.internal.resource;

/**
 * One look at a resource.
 *
 * @param most what there could ever be; {@link #NOT_KNOWN} if that cannot be told
 * @param ceiling the most there is now
 * @param used what is in use, by this process or any other
 * @param isLagging it was true at some earlier moment, and changes only with the next such moment: the live heap is known
 *     when it was last collected
 */
public record Reading(long most, long ceiling, long used, boolean isLagging) {
    /** It cannot be told how much there could ever be. */
    public static final long NOT_KNOWN = Long.MAX_VALUE;

    /** A reading of a resource whose size is known and never moves. */
    public static Reading exact(long ceiling, long used) {
        return new Reading(ceiling, ceiling, used, false);
    }
}

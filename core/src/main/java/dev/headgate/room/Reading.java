package dev.headgate.room;

/**
 * One look at a resource.
 *
 * @param ceiling the most there is
 * @param used what is taken, by anybody
 * @param isLagging it was true at some earlier moment, and changes only with the next such moment: the live heap is known
 *     when it was last collected
 */
public record Reading(long ceiling, long used, boolean isLagging) {
    public static Reading exact(long ceiling, long used) {
        return new Reading(ceiling, used, false);
    }
}

package dev.headgate.internal.admission;

/**
 * When a start was granted, and how long it may take until its call.
 *
 * @param at the instant of the grant, in store time
 * @param margin the most microseconds from the grant to the call; 0 if there is no bound
 */
public record Start(long at, long margin) {
    /** The instant at which it counts, unless its handler ends earlier. */
    public long latest() {
        return at + margin;
    }
}

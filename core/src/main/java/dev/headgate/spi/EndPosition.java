package dev.headgate.spi;

/**
 * A place in the order in which jobs or runs ended: by the instant of the end, then by number. A walk over what ended long ago
 * goes on after it, and so never passes again what it has deleted.
 *
 * @param at when it ended, in microseconds
 */
public record EndPosition(long at, long id) {
    /** Before everything that ended in this range. */
    public static EndPosition startOf(EndedRange range) {
        return new EndPosition(range.from(), Long.MIN_VALUE);
    }

    /** Whether something that ended then comes after this. */
    public boolean isBefore(long otherAt, long otherId) {
        return at < otherAt || (at == otherAt && id < otherId);
    }
}

package dev.headgate.spi;

import java.util.List;
import java.util.Set;

/**
 * Which ended jobs or runs are old enough to be deleted: those that ended within these times, of some queues or of all others.
 *
 * @param from the first instant, in microseconds
 * @param before the first instant after it
 * @param queues the queues that are meant, or not meant
 * @param isAmong whether the queues are those that are meant; if not, all others are
 */
public record EndedRange(long from, long before, Set<String> queues, boolean isAmong) {
    public EndedRange {
        queues = Set.copyOf(queues);
    }

    /** Everything that ended before this instant. */
    public static EndedRange before(long instant) {
        return new EndedRange(Long.MIN_VALUE, instant, Set.of(), false);
    }

    /** The same queues, between other times. */
    public EndedRange between(long other, long end) {
        return new EndedRange(other, end, queues, isAmong);
    }

    public boolean covers(String queue, long endedAt) {
        return from <= endedAt && endedAt < before && queues.contains(queue) == isAmong;
    }

    /** In the order of their names, for a statement. */
    public List<String> names() {
        return queues.stream().sorted().toList();
    }
}

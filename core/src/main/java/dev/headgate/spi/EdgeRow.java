package dev.headgate.spi;

import dev.headgate.job.Unmet;
import org.jspecify.annotations.Nullable;

/**
 * One job waits for another.
 *
 * @param job the one that waits
 * @param place the order in which its dependencies were named
 * @param end how the dependency ended; absent as long as it has not
 * @param isFatal whether this is what ended the one that waited; a retry of the dependency brings that one back
 */
public record EdgeRow(
        long job,
        long dependency,
        Unmet unmet,
        boolean isChild,
        int place,
        @Nullable End end,
        boolean isFatal) {

    /** How a dependency ended. */
    public enum End {
        SUCCEEDED,
        FAILED,
        CANCELLED,
        /** It is not there any more, so its outcome is unknown. */
        DELETED
    }

    public static EdgeRow open(long job, long dependency, Unmet unmet, boolean isChild, int place) {
        return new EdgeRow(job, dependency, unmet, isChild, place, null, false);
    }

    /** Whether the one that waits cannot run because of this. */
    public boolean isViolated() {
        return end != null && end != End.SUCCEEDED && unmet != Unmet.IGNORE;
    }
}

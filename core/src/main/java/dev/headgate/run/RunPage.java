package dev.headgate.run;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of runs, newest first.
 *
 * @param next the next page has the runs {@link RunFilter#before} this one; absent if there are none
 * @param isPartial whether the page has fewer runs than were asked for, although older ones may match: so many were looked at
 */
public record RunPage(List<RunStatus> runs, @Nullable RunId next, boolean isPartial) {
    public RunPage {
        runs = List.copyOf(runs);
    }
}

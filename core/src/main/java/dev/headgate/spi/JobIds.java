package dev.headgate.spi;

import dev.headgate.job.JobFilter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The numbers of jobs, live or ended, newest first. */
public interface JobIds {
    /** Those that match, among so many of the newest. Where an index knows them all, it may look at more. */
    List<Long> list(JobFilter filter, int look);

    /** Those that match, however far one must look for them. */
    default List<Long> list(JobFilter filter) {
        return list(filter, Integer.MAX_VALUE);
    }

    /** The lowest number that such a look passes, wanted or not; absent if it passes all that there are. */
    @Nullable
    Long floor(JobFilter filter, int look);
}

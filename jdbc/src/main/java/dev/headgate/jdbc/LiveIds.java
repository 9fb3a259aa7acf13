package dev.headgate.jdbc;

import dev.headgate.job.JobFilter;
import dev.headgate.job.JobState;
import dev.headgate.spi.JobIds;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Numbers of live jobs in SQL. */
record LiveIds(Session sql) implements JobIds {
    @Override
    public List<Long> list(JobFilter filter, int look) {
        Call call = Filters.hasLabels(filter)
                ? Filters.labels(sql.call("list_labelled_jobs"), filter)
                : sql.call(isAside(filter) ? "list_aside" : "list_jobs");
        return Filters.ids(call, filter, look);
    }

    @Override
    public @Nullable Long floor(JobFilter filter, int look) {
        if (Filters.hasLabels(filter)) {
            return Filters.floor(sql.call("floor_of_labelled_jobs"), filter, look);
        }
        return isAside(filter)
                ? Filters.floor(sql.call("floor_of_aside").set("state", String.valueOf(filter.state())), filter, look)
                : Filters.floor(sql.call("floor_of_jobs"), filter, look);
    }

    /** These have an index: they are few beside those that wait for a worker. */
    private static boolean isAside(JobFilter filter) {
        JobState state = filter.state();
        return state == JobState.AWAITING || state == JobState.SCHEDULED || state == JobState.PARKED;
    }
}

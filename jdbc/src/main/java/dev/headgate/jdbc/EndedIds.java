package dev.headgate.jdbc;

import dev.headgate.job.JobFilter;
import dev.headgate.job.JobState;
import dev.headgate.spi.JobIds;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Numbers of ended jobs in SQL. */
record EndedIds(Session sql) implements JobIds {
    @Override
    public List<Long> list(JobFilter filter, int look) {
        Call call = Filters.hasLabels(filter)
                ? Filters.labels(sql.call("list_labelled_ended"), filter)
                : sql.call(isUnhappy(filter) ? "list_unhappy" : "list_ended");
        return Filters.ids(call, filter, look);
    }

    @Override
    public @Nullable Long floor(JobFilter filter, int look) {
        if (Filters.hasLabels(filter)) {
            return Filters.floor(sql.call("floor_of_labelled_ended"), filter, look);
        }
        return isUnhappy(filter)
                ? Filters.floor(sql.call("floor_of_unhappy").set("state", String.valueOf(filter.state())), filter, look)
                : Filters.floor(sql.call("floor_of_ended"), filter, look);
    }

    private static boolean isUnhappy(JobFilter filter) {
        return filter.state() == JobState.FAILED || filter.state() == JobState.CANCELLED;
    }
}

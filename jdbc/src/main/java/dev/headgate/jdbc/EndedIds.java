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
        return Filters.ids(sql.call(isUnhappy(filter) ? "list_unhappy" : "list_ended"), filter, look);
    }

    @Override
    public @Nullable Long floor(JobFilter filter, int look) {
        return isUnhappy(filter)
                ? Filters.floor(sql.call("floor_of_unhappy").set("state", String.valueOf(filter.state())), filter, look)
                : Filters.floor(sql.call("floor_of_ended"), filter, look);
    }

    private static boolean isUnhappy(JobFilter filter) {
        return filter.state() == JobState.FAILED || filter.state() == JobState.CANCELLED;
    }
}

package dev.headgate.jdbc;

import dev.headgate.job.JobState;
import dev.headgate.store.JobFilter;
import dev.headgate.store.QueueCount;
import java.sql.SQLException;
import java.util.List;

/** Listing and counting, the same for live jobs and history. */
final class Filters {
    private Filters() {}

    static List<Long> ids(Call call, JobFilter filter) {
        JobState state = filter.state();
        return call.set("queue", filter.queue())
                .set("type", filter.type())
                .set("state", state == null ? null : state.name())
                .set("before", filter.before())
                .set("limit", filter.limit())
                .list(Row::number);
    }

    static QueueCount count(Row row) throws SQLException {
        return new QueueCount(row.text(), JobState.valueOf(row.text()), row.number());
    }
}

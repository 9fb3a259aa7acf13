package dev.headgate.jdbc;

import dev.headgate.internal.json.PairsText;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobState;
import dev.headgate.spi.JobMatch;
import dev.headgate.status.QueueCount;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Listing and counting, the same for live jobs and history. */
final class Filters {
    private Filters() {}

    static List<Long> ids(Call call, JobFilter filter, int look) {
        JobState state = filter.state();
        JobFilter.AtGate gate = filter.gate();
        return call.set("queue", filter.queue())
                .set("type", filter.type())
                .set("state", state == null ? null : state.name())
                .set("gate", gate == null ? null : "\n" + gate.name() + "\n")
                .set("before", JobMatch.below(filter))
                .set("look", look)
                .set("limit", filter.limit())
                .list(Row::number);
    }

    static boolean hasLabels(JobFilter filter) {
        return !filter.search().labels().isEmpty();
    }

    static Call labels(Call call, JobFilter filter) {
        return call.setTexts("labels", PairsText.parts(filter.search().labels()));
    }

    static @Nullable Long floor(Call call, JobFilter filter, int look) {
        return call.set("before", JobMatch.below(filter)).set("rows", look - 1).number();
    }

    /** queue, state, jobs. */
    static QueueCount count(Row row) throws SQLException {
        return new QueueCount(row.text(), JobState.valueOf(row.text()), row.number());
    }
}

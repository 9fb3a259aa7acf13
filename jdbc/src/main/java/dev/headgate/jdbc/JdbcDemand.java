package dev.headgate.jdbc;

import dev.headgate.internal.text.Names;
import dev.headgate.job.JobState;
import dev.headgate.job.Lane;
import dev.headgate.job.ParkReason;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.DemandTable;
import dev.headgate.spi.HeadOfLane;
import dev.headgate.spi.HeadRow;
import dev.headgate.spi.LaneRow;
import dev.headgate.spi.Pending;
import dev.headgate.spi.StepRow;
import dev.headgate.status.QueueCount;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What waits, in SQL. */
final class JdbcDemand implements DemandTable {
    /** Behind all that a name can go on with: the greatest character, as often as a name is long. */
    private static final String LAST = "\udbff\udfff".repeat(Names.LENGTH_MAX / 2);

    private final Session sql;

    JdbcDemand(Session sql) {
        this.sql = sql;
    }

    @Override
    public List<LaneRow> ready(Collection<String> queues, int perQueue) {
        Batch batch = sql.batch("ready_lanes").set("limit", perQueue);
        queues.forEach(queue -> batch.row().set("queue", queue));
        return batch.list(Columns::laneRow);
    }

    @Override
    public List<HeadOfLane> arriving(Collection<String> queues, int perQueue) {
        Batch batch = sql.batch("arriving_lanes").set("limit", perQueue);
        queues.forEach(queue -> batch.row().set("queue", queue));
        return batch.list(Columns::head);
    }

    @Override
    public List<Due> due(Collection<String> queues, long now, int perQueue) {
        Batch batch = sql.batch("due_jobs").set("now", now).set("limit", perQueue);
        queues.forEach(queue -> batch.row().set("queue", queue));
        return batch.list(row -> new Due(Columns.head(row), row.text(), row.integer() == 1));
    }

    @Override
    public List<String> queuesWithWork(String prefix, String after, int limit) {
        return within("queues_with_work", prefix)
                .set("after", after)
                .set("first_lane", Lane.plainId(prefix))
                .set("after_lane", Lane.plainId(after))
                .set("last_lane", Lane.plainId(prefix) + LAST)
                .set("limit", limit)
                .list(Row::text);
    }

    @Override
    public List<String> queuesWithDue(String prefix, long now, int limit) {
        return within("queues_with_due", prefix)
                .set("now", now)
                .set("limit", limit)
                .list(Row::text);
    }

    @Override
    public Pending<Optional<Long>> nextDue(String prefix) {
        return within("next_due_within", prefix)
                .listLater(row -> Optional.ofNullable(row.numberOrNull()))
                .map(List::getFirst);
    }

    /** All names with a beginning stand together in an index. */
    private Call within(String statement, String prefix) {
        return sql.call(statement).set("first", prefix).set("last", prefix + LAST);
    }

    @Override
    public List<HeadRow> heads(Collection<String> lanes, int perLane) {
        Batch batch = sql.batch("waiting_heads").set("per_lane", perLane);
        lanes.forEach(lane -> batch.row().set("lane", lane));
        return batch.list(row -> JdbcJobs.head(row.text(), row, false));
    }

    @Override
    public List<StepRow> stepsOf(Collection<Long> frames, long now) {
        return sql.call("steps_of_frames")
                .setNumbers("frames", frames)
                .set("now", now)
                .list(JdbcDemand::step);
    }

    @Override
    public List<StepRow> stepsBelow(long root, long now) {
        return sql.call("steps_of_run").set("root", root).set("now", now).list(JdbcDemand::step);
    }

    private static StepRow step(Row row) throws SQLException {
        return new StepRow(
                row.number(),
                row.number(),
                JobState.valueOf(row.text()),
                row.text(),
                row.text(),
                row.number(),
                row.textOrNull(),
                parkReason(row.textOrNull()),
                gate(row.textOrNull()),
                row.number());
    }

    private static @Nullable ParkReason parkReason(@Nullable String text) {
        return text == null ? null : ParkReason.valueOf(text);
    }

    private static @Nullable GateKey gate(@Nullable String text) {
        return text == null ? null : GateKey.parse(text);
    }

    @Override
    public Unjudged unjudged(String queue, long beforeRank, int max) {
        Unjudged found = sql.call("count_unjudged")
                .set("queue", queue)
                .set("rank", beforeRank)
                .set("max", max)
                .first(row -> new Unjudged(row.integer(), row.integer() >= max));
        return Objects.requireNonNull(found);
    }

    @Override
    public List<InLine> line(GateKey gate, @Nullable String queue, InLine after, int limit) {
        return sql.call("line_jobs")
                .set("gate", gate.text())
                .set("queue", queue)
                .set("lanes", LANES_MAX)
                .set("rank", after.rank())
                .set("job", after.job())
                .set("limit", limit)
                .list(row -> new InLine(row.number(), row.number()));
    }

    @Override
    public Map<GateKey, Long> inLines(Collection<GateKey> gates, int max) {
        Map<GateKey, Long> jobs = new HashMap<>();
        List<String> keys = gates.stream().map(GateKey::text).toList();
        sql.call("count_in_lines")
                .setTexts("gates", keys)
                .set("max", max)
                .list(row -> jobs.put(GateKey.parse(row.text()), row.number()));
        return jobs;
    }

    @Override
    public Kept kept(int max) {
        Kept kept = sql.call("count_kept")
                .set("max", max)
                .first(row -> new Kept(row.number(), row.number(), row.number(), row.number()));
        return Objects.requireNonNull(kept);
    }

    @Override
    public List<OldestRow> oldest(int look) {
        return sql.call("oldest_jobs")
                .set("look", look)
                .list(row -> new OldestRow(row.text(), row.numberOrNull(), row.number()));
    }

    @Override
    public List<QueueCount> inLine(Collection<String> queues) {
        return sql.call("count_in_line")
                .setTexts("queues", queues)
                .set("max", QueueCount.COUNTED_MAX)
                .list(row -> new QueueCount(row.text(), JobState.QUEUED, row.number()));
    }
}

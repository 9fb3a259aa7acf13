package dev.headgate.jdbc;

import dev.headgate.internal.admission.Start;
import dev.headgate.job.JobSpec;
import dev.headgate.job.JobSpec.FrameRef;
import dev.headgate.job.JobState;
import dev.headgate.job.ParkReason;
import dev.headgate.run.RunState;
import dev.headgate.spi.HeadOfLane;
import dev.headgate.spi.HeadRow;
import dev.headgate.spi.HeadRow.Standing;
import dev.headgate.spi.HoldingRow;
import dev.headgate.spi.JobIds;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.JobTable;
import dev.headgate.spi.Pending;
import dev.headgate.spi.ReleasedRow;
import dev.headgate.spi.Report;
import dev.headgate.spi.StalePoliciesException;
import dev.headgate.status.QueueCount;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Live jobs in SQL. */
final class JdbcJobs implements JobTable {

    private final Session sql;

    JdbcJobs(Session sql) {
        this.sql = sql;
    }

    @Override
    public Pending<List<Inserted>> insert(List<NewRow> rows) {
        Set<String> keys = new HashSet<>();
        rows.forEach(row -> {
            if (row.spec().dedup().key() != null) {
                keys.add(row.spec().dedup().key());
            }
        });
        return keys.isEmpty() ? append(rows, null) : Pending.of(insert(rows, keys));
    }

    @Override
    public Pending<List<Inserted>> insertUnder(long policies, List<NewRow> rows) {
        return append(rows, policies);
    }

    private Pending<List<Inserted>> append(List<NewRow> rows, @Nullable Long policies) {
        return Appending.append(sql, rows, policies).map(ids -> inserted(ids, rows.size()));
    }

    private static List<Inserted> inserted(List<Long> ids, int count) {
        if (ids.isEmpty() && count > 0) {
            throw new StalePoliciesException();
        }
        return Columns.drawn(ids, count).stream()
                .map(id -> new Inserted(id, true))
                .toList();
    }

    private List<Inserted> insert(List<NewRow> rows, Set<String> keys) {
        long now = rows.getFirst().now();
        sql.call("free_dedup_keys").setTexts("keys", keys).set("now", now).update();
        Batch batch = sql.batch("insert_jobs");
        for (int place = 0; place < rows.size(); place++) {
            JobSpec spec = rows.get(place).spec();
            Appending.set(batch.row().set("place", place), rows.get(place))
                    .set("dedup_key", spec.dedup().key())
                    .set("dedup_for", Columns.micros(spec.dedup().lasts()));
        }
        Map<Long, Inserted> byPlace = new HashMap<>();
        batch.list(row -> byPlace.put(row.number(), new Inserted(row.number(), row.flag())));
        return inOrder(rows, byPlace, keys);
    }

    /** Rows that met a live dedup key were not inserted; they answer with the job that carries it. */
    private List<Inserted> inOrder(List<NewRow> rows, Map<Long, Inserted> byPlace, Set<String> keys) {
        Map<String, Long> live = new HashMap<>();
        if (byPlace.values().stream().filter(Inserted::isNew).count() < rows.size()) {
            sql.call("find_dedup_keys").setTexts("keys", keys).list(row -> live.put(row.text(), row.number()));
        }
        List<Inserted> inserted = new ArrayList<>(rows.size());
        for (int place = 0; place < rows.size(); place++) {
            Inserted found = byPlace.get((long) place);
            String key = rows.get(place).spec().dedup().key();
            boolean isNew = found != null && found.isNew();
            inserted.add(
                    isNew || key == null
                            ? Objects.requireNonNull(found)
                            : new Inserted(Objects.requireNonNull(live.get(key), "dedup key"), false));
        }
        return inserted;
    }

    @Override
    public @Nullable JobRow find(long id) {
        return sql.call("find_jobs").setNumbers("ids", List.of(id)).first(Columns::job);
    }

    @Override
    public List<JobRow> findAll(Collection<Long> ids) {
        return ids.isEmpty()
                ? List.of()
                : sql.call("find_jobs").setNumbers("ids", ids).list(Columns::job);
    }

    @Override
    public @Nullable JobRow lock(long id) {
        return sql.call("lock_job").set("id", id).first(Columns::job);
    }

    @Override
    public Pending<List<HeadRow>> plainHeads(Map<String, Integer> lanes) {
        if (lanes.isEmpty()) {
            return Pending.of(List.of());
        }
        Batch batch = sql.batch("plain_heads").set("greatest", Collections.max(lanes.values()));
        lanes.forEach((lane, most) -> batch.row().set("lane", lane).set("most", most));
        Pending<List<HeadRow>> heads = batch.listLater(row -> head(row.text(), row, false));
        return lanes.size() == 1 ? heads : heads.map(found -> upTo(lanes, found));
    }

    /** Of each lane as many as were asked for. */
    private static List<HeadRow> upTo(Map<String, Integer> lanes, List<HeadRow> found) {
        Map<String, Integer> left = new HashMap<>(lanes);
        return found.stream()
                .filter(head -> left.merge(head.lane(), -1, Integer::sum) >= 0)
                .toList();
    }

    @Override
    public List<HeadRow> heads(Collection<String> lanes, int perLane) {
        Batch batch = sql.batch("heads").set("per_lane", perLane);
        lanes.forEach(lane -> batch.row().set("lane", lane));
        return batch.list(row -> {
            boolean isMore = row.number() != 0;
            return head(row.text(), row, isMore);
        });
    }

    static HeadRow head(String lane, Row row, boolean isMore) throws SQLException {
        return new HeadRow(lane, row.number(), row.number(), Columns.cost(row), row.text(), standing(row), isMore);
    }

    private static Standing standing(Row row) throws SQLException {
        Long frame = row.numberOrNull();
        long made = row.number();
        String run = row.textOrNull();
        FrameRef ref = frame == null ? null : new FrameRef(frame, made);
        if (run == null) {
            return Standing.of(ref, null, 0, false);
        }
        String[] parts = run.split(" ", -1);
        return Standing.of(ref, RunState.valueOf(parts[1]), Long.parseLong(parts[0]), !parts[2].isEmpty());
    }

    @Override
    public Pending<List<JobRow>> lease(String worker, List<Long> jobs, long margin, long now) {
        Pending<List<JobRow>> leased = sql.call("lease_jobs")
                .set("worker", worker)
                .set("now", now)
                .set("margin", margin)
                .setNumbers("ids", jobs)
                .listLater(row -> Columns.leased(row, worker, margin, now));
        return leased.map(rows -> inOrder(rows, jobs));
    }

    private static List<JobRow> inOrder(List<JobRow> rows, List<Long> ids) {
        Map<Long, JobRow> byId = new HashMap<>();
        rows.forEach(row -> byId.put(row.id(), row));
        if (byId.size() != ids.size()) {
            throw new IllegalStateException(
                    "claim: expected %d locked jobs to start, got %d".formatted(ids.size(), byId.size()));
        }
        return ids.stream().map(id -> Objects.requireNonNull(byId.get(id))).toList();
    }

    @Override
    public List<JobRow> leaseAgain(String worker, List<LeaseRef> leases, long margin, long now) {
        Batch batch = sql.batch("lease_jobs_again")
                .set("worker", worker)
                .set("now", now)
                .set("margin", margin);
        leases.forEach(lease -> batch.row().set("job", lease.job()).set("epoch", lease.epoch()));
        return batch.list(row -> Columns.leased(row, worker, margin, now));
    }

    @Override
    public Pending<List<Long>> end(String worker, List<Ending> endings, long now) {
        if (!endings.isEmpty() && endings.stream().allMatch(endings.getFirst()::isLike)) {
            return endAlike(worker, endings, now);
        }
        Batch batch = sql.batch("end_jobs").set("worker", worker).set("now", now);
        endings.forEach(ending -> batch.row()
                .set("job", ending.lease().job())
                .set("epoch", ending.lease().epoch())
                .set("state", ending.state().name())
                .set("result", ending.result())
                .set("detail", ending.detail())
                .set("is_lost", ending.isLost() ? 1 : 0));
        return batch.listLater(Row::number);
    }

    private Pending<List<Long>> endAlike(String worker, List<Ending> endings, long now) {
        Ending first = endings.getFirst();
        return sql.call("end_alike")
                .set("worker", worker)
                .set("now", now)
                .set("epoch", first.lease().epoch())
                .set("state", first.state().name())
                .set("result", first.result())
                .set("detail", first.detail())
                .set("is_lost", first.isLost() ? 1 : 0)
                .setNumbers(
                        "jobs",
                        endings.stream().map(ending -> ending.lease().job()).toList())
                .listLater(Row::number);
    }

    @Override
    public List<ReleasedRow> giveBack(String worker, List<GiveBack> backs, long now) {
        Batch batch = sql.batch("give_back_jobs").set("worker", worker);
        backs.forEach(back -> batch.row()
                .set("job", back.lease().job())
                .set("epoch", back.lease().epoch())
                .set("state", back.state().name())
                .set("run_at", back.runAt())
                .set("attempt_back", back.attemptBack() ? 1 : 0)
                .set("is_lost", back.isLost() ? 1 : 0)
                .set("reason", back.reason() == null ? null : back.reason().name())
                .set("detail", back.detail()));
        return batch.list(Columns::released);
    }

    @Override
    public List<Long> forgiveLoss(Collection<Long> jobs) {
        return sql.call("forgive_loss").setNumbers("jobs", jobs).list(Row::number);
    }

    @Override
    public List<ReleasedRow> held(String worker, List<LeaseRef> leases) {
        Batch batch = sql.batch("held_jobs").set("worker", worker);
        leases.forEach(lease -> batch.row().set("job", lease.job()).set("epoch", lease.epoch()));
        return batch.list(Columns::released);
    }

    @Override
    public boolean endWaiting(long job, JobState state, String detail, long now) {
        return !sql.call("end_waiting_job")
                .set("id", job)
                .set("state", state.name())
                .set("detail", detail)
                .set("now", now)
                .list(Row::number)
                .isEmpty();
    }

    @Override
    public void endWaiting(Map<Long, String> details, long now) {
        Batch batch = sql.batch("end_waiting_jobs").set("now", now);
        details.forEach((job, detail) -> batch.row().set("job", job).set("detail", detail));
        batch.run();
    }

    @Override
    public @Nullable HeadOfLane requeue(long job, JobState state, long runAt) {
        return sql.call("requeue_job")
                .set("id", job)
                .set("state", state.name())
                .set("run_at", runAt)
                .first(Columns::head);
    }

    @Override
    public @Nullable HeadOfLane changePriority(long job, int priority) {
        return sql.call("change_priority")
                .set("id", job)
                .set("priority", priority)
                .first(Columns::head);
    }

    @Override
    public void park(Map<Long, String> details, ParkReason reason) {
        Batch batch = sql.batch("park_jobs").set("reason", reason.name());
        details.forEach((job, detail) -> batch.row().set("job", job).set("detail", detail));
        batch.run();
    }

    @Override
    public List<HeadOfLane> unpark(ParkReason reason, Collection<String> types, long now, int limit) {
        Call call = types.isEmpty()
                ? sql.call("unpark_jobs")
                : sql.call("unpark_types").setTexts("types", types);
        return call.set("reason", reason.name())
                .set("now", now)
                .set("limit", limit)
                .list(Columns::head);
    }

    @Override
    public List<ParkedRow> parked(ParkReason reason, @Nullable ParkedRow after, int limit) {
        return sql.call("parked_jobs")
                .set("reason", reason.name())
                .set("type", after == null ? "" : after.type())
                .set("after", after == null ? 0 : after.job())
                .set("limit", limit)
                .list(row -> new ParkedRow(row.number(), row.text(), Columns.lane(row), Columns.cost(row)));
    }

    @Override
    public List<HeadOfLane> unpark(Collection<Long> jobs, long now) {
        return sql.call("unpark_these").setNumbers("jobs", jobs).set("now", now).list(Columns::head);
    }

    @Override
    public List<HeadOfLane> promoteDue(Collection<String> queues, long now, int limit) {
        return sql.call("promote_due_jobs")
                .setTexts("queues", queues)
                .set("now", now)
                .set("limit", limit)
                .list(Columns::head);
    }

    @Override
    public boolean isAnyParked(ParkReason reason, Collection<String> types) {
        return !sql.call("any_parked")
                .set("reason", reason.name())
                .setTexts("types", types)
                .list(Row::number)
                .isEmpty();
    }

    @Override
    public boolean isAnyExpired(long now) {
        return !sql.call("any_expired").set("now", now).list(Row::number).isEmpty();
    }

    @Override
    public List<ExpiredRow> expire(long now, int limit) {
        return sql.call("expire_jobs")
                .set("now", now)
                .set("limit", limit)
                .list(row -> new ExpiredRow(row.number(), Columns.head(row)));
    }

    @Override
    public Pending<Optional<Long>> nextDue(Collection<String> queues) {
        return sql.call("next_due")
                .setTexts("queues", queues)
                .listLater(row -> Optional.ofNullable(row.numberOrNull()))
                .map(List::getFirst);
    }

    @Override
    public boolean requestCancel(long job) {
        return sql.call("request_cancel").set("id", job).update() == 1;
    }

    @Override
    public List<Long> toStop(String worker, Collection<LeaseRef> leases) {
        Batch batch = sql.batch("jobs_to_stop").set("worker", worker);
        leases.forEach(lease -> batch.row().set("job", lease.job()).set("epoch", lease.epoch()));
        return batch.list(Row::number);
    }

    @Override
    public @Nullable JobRow delete(long job) {
        return sql.call("delete_job").set("id", job).first(Columns::job);
    }

    @Override
    public boolean report(String worker, LeaseRef lease, Report report, int linesMax) {
        var progress = report.progress();
        int held = sql.call("report_progress")
                .set("worker", worker)
                .set("job", lease.job())
                .set("epoch", lease.epoch())
                .set("percent", progress == null ? null : Long.valueOf(progress.percent()))
                .set("message", progress == null ? null : progress.message())
                .update();
        if (held == 0) {
            return false;
        }
        if (!report.lines().isEmpty()) {
            Batch batch = sql.batch("insert_log_lines").set("job", lease.job()).set("epoch", lease.epoch());
            report.lines().forEach(line -> batch.row().set("at", line.at()).set("text", line.text()));
            batch.run();
            sql.call("trim_log").set("job", lease.job()).set("keep", linesMax).update();
        }
        return true;
    }

    @Override
    public boolean depart(String worker, LeaseRef lease, Start anew) {
        return sql.call("depart_job")
                        .set("worker", worker)
                        .set("job", lease.job())
                        .set("epoch", lease.epoch())
                        .set("started_at", anew.at())
                        .set("margin", anew.margin())
                        .update()
                > 0;
    }

    @Override
    public JobIds ids() {
        return new LiveIds(sql);
    }

    @Override
    public List<QueueCount> counts(int max) {
        return new Census(sql, max).live();
    }

    @Override
    public int countBefore(String lane, long rank, int max) {
        Integer count = sql.call("count_jobs_before")
                .set("lane", lane)
                .set("rank", rank)
                .set("max", max)
                .first(Row::integer);
        return Objects.requireNonNull(count);
    }

    @Override
    public List<HoldingRow> holdings() {
        return sql.call("holdings").list(row -> new HoldingRow(Columns.lane(row), Columns.cost(row), row.number()));
    }
}

package dev.headgate.jdbc;

import dev.headgate.internal.admission.Start;
import dev.headgate.internal.json.PairsText;
import dev.headgate.internal.time.Micros;
import dev.headgate.job.Attributes;
import dev.headgate.job.Cost;
import dev.headgate.job.JobSpec;
import dev.headgate.job.JobSpec.Dedup;
import dev.headgate.job.JobSpec.FrameRef;
import dev.headgate.job.JobSpec.Order;
import dev.headgate.job.JobSpec.Tries;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus.Progress;
import dev.headgate.job.Lane;
import dev.headgate.job.ParkReason;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.EndPosition;
import dev.headgate.spi.EndedRange;
import dev.headgate.spi.HeadOfLane;
import dev.headgate.spi.HistoryRow;
import dev.headgate.spi.HistoryRow.End;
import dev.headgate.spi.HistoryRow.Leases;
import dev.headgate.spi.HistoryRow.Times;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.JobRow.Lease;
import dev.headgate.spi.JobRow.Notes;
import dev.headgate.spi.JobRow.Place;
import dev.headgate.spi.LaneRow;
import dev.headgate.spi.LaneState;
import dev.headgate.spi.ReleasedRow;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** How values lie in columns. The order of reading is the order of the column lists in the statement files. */
final class Columns {
    /** Names never contain control characters, so a line break separates them safely. */
    private static final String BETWEEN = "\n";

    /** Most rows of a turn share a few lanes; checking and sorting their names for every row is felt in a drain. */
    private static final Map<String, Lane> LANES = new ConcurrentHashMap<>();

    private static final int LANES_MAX = 20_000;
    private static final long FRONT = 1;
    private static final long KEEPS_PLACE = 2;

    private Columns() {}

    static String joined(List<String> names) {
        return String.join(BETWEEN, names);
    }

    static List<String> split(String names) {
        return names.isEmpty() ? List.of() : List.of(names.split(BETWEEN, -1));
    }

    static @Nullable Long micros(@Nullable Duration duration) {
        return duration == null ? null : Long.valueOf(Micros.of(duration));
    }

    static @Nullable Long micros(@Nullable Instant instant) {
        return instant == null ? null : Long.valueOf(Micros.of(instant));
    }

    /** What the column {@code front} says: 1 to the front, 2 keeps the place of its enqueue, 3 both, 0 neither. */
    static long front(JobSpec spec) {
        return (spec.order().isFront() ? FRONT : 0) + (spec.order().keepsPlace() ? KEEPS_PLACE : 0);
    }

    /** queue, gates, type, payload, cost, priority, front, dedup_key, dedup_for, timeout, deadline, attempts_max, retry, labels, headers, frame, frame_revision. */
    static JobSpec spec(Row row) throws SQLException {
        return new JobSpec(
                lane(row),
                row.text(),
                row.text(),
                cost(row),
                order(row),
                dedup(row),
                tries(row),
                attributes(row),
                frame(row));
    }

    /** priority, front. */
    private static Order order(Row row) throws SQLException {
        int priority = row.integer();
        int front = row.integer();
        return Order.of(priority, (front & FRONT) != 0, (front & KEEPS_PLACE) != 0);
    }

    /** dedup_key, dedup_for. */
    private static Dedup dedup(Row row) throws SQLException {
        return Dedup.of(row.textOrNull(), duration(row.numberOrNull()));
    }

    /** timeout, deadline, attempts_max, retry. */
    private static Tries tries(Row row) throws SQLException {
        Duration timeout = duration(row.numberOrNull());
        Instant deadline = instant(row.numberOrNull());
        return new Tries(row.integer(), row.textOrNull(), timeout, deadline);
    }

    /** labels, headers. */
    static Attributes attributes(Row row) throws SQLException {
        return PairsText.read(row.textOrNull(), row.textOrNull());
    }

    /** frame, frame_revision. */
    private static @Nullable FrameRef frame(Row row) throws SQLException {
        Long frame = row.numberOrNull();
        Long revision = row.numberOrNull();
        return frame == null || revision == null ? null : new FrameRef(frame, revision);
    }

    static Cost cost(Row row) throws SQLException {
        return Cost.parse(row.text());
    }

    /** queue, gates. */
    static Lane lane(Row row) throws SQLException {
        String queue = row.text();
        String gates = row.text();
        String key = queue + BETWEEN + gates;
        Lane known = LANES.get(key);
        if (known == null) {
            if (LANES.size() >= LANES_MAX) {
                LANES.clear();
            }
            known = new Lane(queue, split(gates));
            LANES.put(key, known);
        }
        return known;
    }

    /** id, spec, state, rank, enqueued_at, run_at, started_at, margin, attempt, lost, epoch, worker, … */
    static JobRow job(Row row) throws SQLException {
        return new JobRow(
                row.number(),
                spec(row),
                JobState.valueOf(row.text()),
                place(row),
                new Lease(
                        row.numberOrNull(), row.number(), row.integer(), row.integer(), row.number(), row.textOrNull()),
                new Notes(parkReason(row.textOrNull()), row.textOrNull(), progress(row), row.flag()));
    }

    /** rank, enqueued_at, run_at. */
    private static Place place(Row row) throws SQLException {
        return new Place(row.number(), row.number(), row.number());
    }

    /** id, spec, rank, enqueued_at, run_at, attempt, lost, epoch, detail: the rest is what the lease has just written. */
    static JobRow leased(Row row, String worker, long margin, long now) throws SQLException {
        return new JobRow(
                row.number(),
                spec(row),
                JobState.RUNNING,
                place(row),
                new Lease(now, margin, row.integer(), row.integer(), row.number(), worker),
                Notes.of(row.textOrNull()));
    }

    /** id, spec, state, enqueued_at, run_at, started_at, finished_at, attempt, lost, epoch, worker, detail, result. */
    static HistoryRow ended(Row row) throws SQLException {
        return new HistoryRow(
                row.number(),
                spec(row),
                JobState.valueOf(row.text()),
                new Times(row.number(), row.number(), row.numberOrNull(), row.number()),
                new Leases(row.integer(), row.integer(), row.number(), row.textOrNull()),
                new End(row.textOrNull(), row.textOrNull()));
    }

    /** id, queue, gates, rank, cost, attempt, started_at, margin. */
    static ReleasedRow released(Row row) throws SQLException {
        return new ReleasedRow(
                row.number(), lane(row), row.number(), cost(row), row.integer(), new Start(row.number(), row.number()));
    }

    /** queue, gates, lane, rank, cost. */
    static HeadOfLane head(Row row) throws SQLException {
        return new HeadOfLane(lane(row), row.text(), row.number(), cost(row));
    }

    /** queue, gates, lane, rank, cost, passes. */
    static HeadOfLane bell(Row row) throws SQLException {
        return new HeadOfLane(lane(row), row.text(), row.number(), cost(row), row.integer());
    }

    /** id, queue, gates, state, rank, cost, waiting_at, since, passes, share. */
    static LaneRow laneRow(Row row) throws SQLException {
        return new LaneRow(
                row.text(),
                lane(row),
                LaneState.valueOf(row.text()),
                row.number(),
                cost(row),
                gateKey(row.textOrNull()),
                row.number(),
                row.integer(),
                row.text());
    }

    /** So many numbers that were drawn: a sequence answers each of them, a counter only the last. */
    static List<Long> drawn(List<Long> answered, int count) {
        if (answered.size() == count) {
            return answered;
        }
        long last = answered.getLast();
        return LongStream.rangeClosed(last - count + 1, last).boxed().toList();
    }

    private static @Nullable GateKey gateKey(@Nullable String text) {
        return text == null ? null : GateKey.parse(text);
    }

    private static @Nullable ParkReason parkReason(@Nullable String text) {
        return text == null ? null : ParkReason.valueOf(text);
    }

    private static @Nullable Progress progress(Row row) throws SQLException {
        Long percent = row.numberOrNull();
        String message = row.textOrNull();
        return percent == null ? null : new Progress(percent.intValue(), message == null ? "" : message);
    }

    private static @Nullable Duration duration(@Nullable Long micros) {
        return micros == null ? null : Micros.duration(micros);
    }

    private static @Nullable Instant instant(@Nullable Long micros) {
        return micros == null ? null : Micros.instant(micros);
    }

    /** The parameters before, at, id, queues and among: what ended in a range, after a position. */
    static Call within(Call call, EndedRange range, EndPosition after) {
        return call.set("before", range.before())
                .set("at", after.at())
                .set("id", after.id())
                .setTexts("queues", range.names())
                .set("among", range.isAmong() ? 1 : 0);
    }
}

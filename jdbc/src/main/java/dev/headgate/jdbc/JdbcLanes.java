package dev.headgate.jdbc;

import dev.headgate.job.Lane;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.HeadOfLane;
import dev.headgate.spi.LaneRow;
import dev.headgate.spi.LaneTable;
import dev.headgate.spi.Pending;
import dev.headgate.spi.ShareRow.OrderKey;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/** Lanes and doorbells in SQL. */
final class JdbcLanes implements LaneTable {
    private final Session sql;

    JdbcLanes(Session sql) {
        this.sql = sql;
    }

    @Override
    public void ring(Collection<HeadOfLane> arrivals) {
        Batch batch = sql.batch("ring");
        arrivals.forEach(arrival -> heads(batch.row(), arrival));
        batch.run();
    }

    @Override
    public Pending<List<HeadOfLane>> takeArrivals(Collection<String> queues, int limit, int enough) {
        Batch batch = sql.batch("take_arrivals").set("limit", limit).set("enough", enough);
        queues.forEach(queue -> batch.row().set("queue", queue));
        return batch.listLater(Columns::bell);
    }

    @Override
    public void unring(Collection<HeadOfLane> answered) {
        Batch batch = sql.batch("unring");
        answered.forEach(head -> batch.row()
                .set("queue", head.lane().queue())
                .set("rank", head.rank())
                .set("lane", head.laneId()));
        batch.run();
    }

    @Override
    public void file(List<HeadOfLane> arrivals, Function<Lane, String> shares) {
        Batch batch = sql.batch("file_lanes");
        arrivals.forEach(arrival -> heads(batch.row(), arrival).set("share", shares.apply(arrival.lane())));
        batch.run();
    }

    private static Batch heads(Batch batch, HeadOfLane arrival) {
        return batch.set("lane", arrival.laneId())
                .set("queue", arrival.lane().queue())
                .set("gates", Columns.joined(arrival.lane().gates()))
                .set("rank", arrival.rank())
                .set("cost", arrival.cost().text())
                .set("passes", arrival.passes());
    }

    @Override
    public Pending<List<LaneRow>> lockReady(Collection<OrderKey> queues, int perPlace) {
        Batch batch = sql.batch("lock_ready_lanes").set("limit", perPlace);
        queues.forEach(place -> batch.row().set("queue", place.order().name()).set("share", place.share()));
        return batch.listLater(Columns::laneRow);
    }

    @Override
    public Set<OrderKey> occupied(Collection<OrderKey> queues) {
        Batch batch = sql.batch("occupied_shares");
        queues.forEach(place -> batch.row().set("queue", place.order().name()).set("share", place.share()));
        return Set.copyOf(batch.list(row -> new OrderKey(GateKey.queue(row.text()), row.text())));
    }

    @Override
    public List<LaneRow> lines(Collection<OrderKey> gates, int perPlace) {
        Batch batch = sql.batch("lines").set("per_gate", perPlace);
        gates.forEach(place -> batch.row().set("gate", place.order().text()).set("share", place.share()));
        return batch.list(Columns::laneRow);
    }

    @Override
    public List<LaneRow> lock(Collection<String> lanes) {
        return sql.call("lock_lanes").setTexts("lanes", lanes).list(Columns::laneRow);
    }

    @Override
    public void add(List<LaneRow> lanes) {
        Batch batch = sql.batch("add_lanes");
        lanes.forEach(lane -> {
            batch.row()
                    .set("queue", lane.lane().queue())
                    .set("gates", Columns.joined(lane.lane().gates()));
            standing(batch, lane);
        });
        batch.run();
    }

    @Override
    public void save(List<LaneRow> lanes) {
        Batch batch = sql.batch("save_lanes");
        lanes.forEach(lane -> standing(batch.row(), lane));
        batch.run();
    }

    private static void standing(Batch batch, LaneRow lane) {
        GateKey at = lane.waitingAt();
        batch.set("lane", lane.id())
                .set("state", lane.state().name())
                .set("rank", lane.rank())
                .set("cost", lane.cost().text())
                .set("waiting_at", at == null ? null : at.text())
                .set("since", lane.since())
                .set("passes", lane.passes())
                .set("share", lane.share());
    }

    @Override
    public void remove(List<String> lanes) {
        Batch batch = sql.batch("remove_lanes");
        lanes.forEach(lane -> batch.row().set("lane", lane));
        batch.run();
    }

    @Override
    public List<LaneRow> findAll(Collection<String> lanes) {
        return sql.call("find_lanes").setTexts("lanes", lanes).list(Columns::laneRow);
    }

    @Override
    public int countBefore(OrderKey gate, long rank, int max) {
        Integer count = sql.call("count_lanes_before")
                .set("gate", gate.order().text())
                .set("share", gate.share())
                .set("rank", rank)
                .set("max", max)
                .first(Row::integer);
        return Objects.requireNonNull(count);
    }

    @Override
    public List<GateKey> orders() {
        return sql.call("lane_orders").list(row -> GateKey.parse(row.text()));
    }

    @Override
    public List<LaneRow> standing(GateKey order) {
        return sql.call("standing_lanes").set("place", order.text()).list(Columns::laneRow);
    }

    @Override
    public Set<GateKey> withLine(Collection<GateKey> gates) {
        List<String> texts = gates.stream().map(GateKey::text).toList();
        return Set.copyOf(sql.call("gates_with_line").setTexts("gates", texts).list(row -> GateKey.parse(row.text())));
    }

    @Override
    public List<LineCount> lineCounts() {
        return sql.call("count_lines").list(row -> new LineCount(GateKey.parse(row.text()), row.number()));
    }
}

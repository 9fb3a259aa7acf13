package dev.headgate.jdbc;

import dev.headgate.internal.json.PairsText;
import dev.headgate.internal.run.FrameView.Inbox;
import dev.headgate.internal.run.FrameView.Phase;
import dev.headgate.internal.run.Move.Artifact;
import dev.headgate.run.RunEvent;
import dev.headgate.run.RunFilter;
import dev.headgate.run.RunState;
import dev.headgate.spi.EndPosition;
import dev.headgate.spi.EndedRange;
import dev.headgate.spi.EventRow;
import dev.headgate.spi.FrameRow;
import dev.headgate.spi.FrameRow.Guard;
import dev.headgate.spi.FrameRow.Life;
import dev.headgate.spi.FrameRow.Position;
import dev.headgate.spi.FrameRow.Program;
import dev.headgate.spi.FrameRow.Tree;
import dev.headgate.spi.FrameRow.Waits;
import dev.headgate.spi.FrameTable;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Workflow runs in SQL. */
final class JdbcFrames implements FrameTable {
    private final Session sql;

    JdbcFrames(Session sql) {
        this.sql = sql;
    }

    @Override
    public List<Long> ids(int count) {
        if (count == 0) {
            return List.of();
        }
        List<Long> drawn = sql.call("draw_frame_ids").set("count", count).list(Row::number);
        return Columns.drawn(drawn, count);
    }

    @Override
    public List<FrameRow> lockRoots(Collection<Long> frames) {
        return sql.call("lock_frame_roots").setNumbers("ids", frames).list(JdbcFrames::frame);
    }

    @Override
    public List<FrameRow> find(Collection<Long> frames) {
        return sql.call("find_frames").setNumbers("ids", frames).list(JdbcFrames::frame);
    }

    @Override
    public List<Long> insert(List<FrameRow> rows) {
        Batch batch = sql.batch("insert_frames");
        rows.forEach(row -> setChanging(
                batch.row()
                        .set("id", row.id())
                        .set("root", row.tree().root())
                        .set("run", row.tree().run())
                        .set("name", row.program().name())
                        .set("parent", row.tree().parent())
                        .set("fork", row.tree().fork())
                        .set("place", row.tree().place())
                        .set("depth", row.tree().depth())
                        .set("workflow", row.program().workflow())
                        .set("version", row.program().version())
                        .set("queue", row.program().queue())
                        .set("priority", row.program().priority())
                        .set("key", row.program().key())
                        .set("labels", PairsText.of(row.program().attributes().labels()))
                        .set("headers", PairsText.of(row.program().attributes().headers()))
                        .set("started_at", row.life().startedAt()),
                row));
        return batch.list(Row::number);
    }

    @Override
    public void remove(Collection<Long> frames) {
        if (!frames.isEmpty()) {
            sql.call("delete_frames").setNumbers("ids", frames).update();
        }
    }

    @Override
    public void save(List<FrameRow> rows) {
        Batch batch = sql.batch("save_frames");
        rows.forEach(row -> setChanging(batch.row().set("id", row.id()), row));
        batch.run();
    }

    @Override
    public void move(List<FrameRow> rows) {
        Batch batch = sql.batch("move_frames");
        rows.forEach(row -> batch.row()
                .set("id", row.id())
                .set("state", row.position().state().name())
                .set("step", row.position().step())
                .set("revision", row.position().revision())
                .set("events", row.position().events())
                .set("entered", row.position().entered())
                .set("budget", row.guard().budget()));
        batch.run();
    }

    private static void setChanging(Batch batch, FrameRow row) {
        batch.set("state", row.position().state().name())
                .set("phase", row.position().phase().name())
                .set("step", row.position().step())
                .set("revision", row.position().revision())
                .set("events", row.position().events())
                .set("entered", row.position().entered())
                .set("awaits", row.waits().awaits())
                .set("due_at", row.waits().dueAt())
                .set("children", row.waits().children())
                .set("ended_at", row.life().endedAt())
                .set("result", row.life().result())
                .set("detail", row.life().detail())
                .set("budget", row.guard().budget())
                .set(
                        "halt",
                        row.guard().halt() == null ? null : row.guard().halt().name());
    }

    private static FrameRow frame(Row row) throws SQLException {
        long id = row.number();
        long root = row.number();
        long run = row.number();
        String name = row.text();
        Tree tree = new Tree(root, run, row.numberOrNull(), row.number(), row.integer(), row.integer());
        Program program = new Program(
                name, row.text(), row.integer(), row.text(), row.integer(), row.textOrNull(), Columns.attributes(row));
        Position position = new Position(
                RunState.valueOf(row.text()),
                Phase.valueOf(row.text()),
                row.textOrNull(),
                row.number(),
                row.number(),
                row.number());
        Waits waits = new Waits(row.textOrNull(), row.numberOrNull(), row.textOrNull());
        Life life = new Life(row.number(), row.numberOrNull(), row.textOrNull(), row.textOrNull());
        Guard guard = new Guard(row.textOrNull(), halt(row.textOrNull()));
        return new FrameRow(id, tree, program, position, waits, life, guard);
    }

    private static @Nullable RunState halt(@Nullable String text) {
        return text == null ? null : RunState.valueOf(text);
    }

    @Override
    public void append(List<EventRow> events) {
        Batch batch = sql.batch("insert_events");
        events.forEach(event -> batch.row()
                .set("frame", event.frame())
                .set("number", event.number())
                .set("at", event.at())
                .set("kind", event.kind().name())
                .set("step", event.step())
                .set("detail", event.detail())
                .set("state", event.state())
                .set("spent", event.spent()));
        batch.run();
    }

    private static EventRow event(Row row) throws SQLException {
        return new EventRow(
                row.number(),
                row.number(),
                row.number(),
                RunEvent.Kind.valueOf(row.text()),
                row.textOrNull(),
                row.textOrNull(),
                row.textOrNull(),
                row.textOrNull());
    }

    @Override
    public List<EventRow> events(long frame, long after, int limit) {
        return sql.call("frame_events")
                .set("frame", frame)
                .set("after", after)
                .set("limit", limit)
                .list(JdbcFrames::event);
    }

    @Override
    public List<EventRow> events(List<EventSpan> spans) {
        Batch batch = sql.batch("events_of_frames");
        spans.forEach(span -> batch.row()
                .set("frame", span.frame())
                .set("after", span.after())
                .set("until", span.until()));
        return batch.list(JdbcFrames::event);
    }

    @Override
    public List<EventRow> events(Map<Long, Long> numbers) {
        Batch batch = sql.batch("find_events");
        numbers.forEach((frame, number) -> batch.row().set("frame", frame).set("number", number));
        return batch.list(JdbcFrames::event);
    }

    @Override
    public @Nullable FrameRow findKey(String workflow, String key) {
        return sql.call("find_run_key")
                .set("workflow", workflow)
                .set("key", key)
                .first(JdbcFrames::frame);
    }

    @Override
    public List<FrameRow> list(RunKind kind, RunFilter filter, int look) {
        Call call = kind == RunKind.LABELLED
                ? sql.call("list_labelled_runs").setTexts("labels", PairsText.parts(filter.labels()))
                : sql.call(kind == RunKind.ROOTS ? "list_runs" : "list_child_runs");
        return call.set("workflow", filter.workflow())
                .set("state", filter.state() == null ? null : filter.state().name())
                .set("before", before(filter))
                .set("look", look)
                .set("limit", filter.limit())
                .list(JdbcFrames::frame);
    }

    @Override
    public @Nullable Long floor(RunKind kind, RunFilter filter, int look) {
        Call call =
                switch (kind) {
                    case ROOTS -> sql.call("floor_of_runs");
                    case CHILD_RUNS -> sql.call("floor_of_child_runs").set("workflow", filter.workflow());
                    case LABELLED -> sql.call("floor_of_labelled_runs");
                };
        return call.set("before", before(filter)).set("rows", look - 1).number();
    }

    private static long before(RunFilter filter) {
        return filter.before() == null ? Long.MAX_VALUE : filter.before();
    }

    @Override
    public List<FrameRow> tree(long root, long after, int limit) {
        return sql.call("frame_tree")
                .set("root", root)
                .set("after", after)
                .set("limit", limit)
                .list(JdbcFrames::frame);
    }

    @Override
    public List<FrameRow> children(long parent, long fork) {
        return sql.call("frame_children")
                .set("parent", parent)
                .set("fork", fork)
                .list(JdbcFrames::frame);
    }

    @Override
    public List<FrameRow> awaiting(long run, String signal) {
        return sql.call("frames_awaiting").set("run", run).set("signal", signal).list(JdbcFrames::frame);
    }

    @Override
    public Set<Awaited> arrived(Collection<Awaited> signals) {
        Batch batch = sql.batch("signals_arrived");
        signals.forEach(signal -> batch.row().set("run", signal.run()).set("name", signal.signal()));
        return new HashSet<>(batch.list(row -> new Awaited(row.number(), row.text())));
    }

    @Override
    public @Nullable Inbox inbox(long run, String signal) {
        return sql.call("oldest_signal")
                .set("run", run)
                .set("name", signal)
                .first(row -> new Inbox(row.number(), row.text(), row.text(), row.number()));
    }

    @Override
    public long addSignal(long run, String name, String json, long now) {
        Long id = sql.call("insert_signal")
                .set("run", run)
                .set("name", name)
                .set("json", json)
                .set("now", now)
                .number();
        return Objects.requireNonNull(id);
    }

    @Override
    public boolean addSignalKey(long run, String key) {
        return sql.call("insert_signal_key").set("run", run).set("key", key).update() == 1;
    }

    @Override
    public List<Inbox> signals(long run, int limit) {
        return sql.call("list_signals")
                .set("run", run)
                .set("limit", limit)
                .list(row -> new Inbox(row.number(), row.text(), row.text(), row.number()));
    }

    @Override
    public List<Long> takeSignals(Collection<Long> ids) {
        return sql.call("take_signals").setNumbers("ids", ids).list(Row::number);
    }

    @Override
    public void putArtifacts(Map<Long, List<Artifact>> byRun) {
        Batch batch = sql.batch("put_artifacts");
        byRun.forEach((run, artifacts) -> artifacts.forEach(artifact ->
                batch.row().set("run", run).set("name", artifact.name()).set("content", artifact.content())));
        batch.run();
    }

    @Override
    public List<String> artifacts(long run) {
        return sql.call("list_artifacts").set("run", run).list(Row::text);
    }

    @Override
    public @Nullable String artifact(long run, String name) {
        return sql.call("find_artifact").set("run", run).set("name", name).first(Row::text);
    }

    @Override
    public List<ArtifactRow> artifacts(Collection<Long> runs) {
        return sql.call("artifacts_of_runs")
                .setNumbers("runs", runs)
                .list(row -> new ArtifactRow(row.number(), new Artifact(row.text(), row.text())));
    }

    @Override
    public List<Long> strayJobs(long root, int limit) {
        return sql.call("stray_jobs").set("root", root).set("limit", limit).list(Row::number);
    }

    @Override
    public List<Long> parkedJobs(long root) {
        return sql.call("parked_jobs_of_run").set("root", root).list(Row::number);
    }

    @Override
    public List<Long> jobsOf(long frame) {
        return sql.call("jobs_of_frame").set("frame", frame).list(Row::number);
    }

    @Override
    public DefinitionRow define(DefinitionRow row) {
        sql.call("insert_workflow")
                .set("name", row.workflow())
                .set("version", row.version())
                .set("shape", row.shape())
                .set("since", row.since())
                .update();
        return definitions(row.workflow()).stream()
                .filter(stored -> stored.version() == row.version())
                .findFirst()
                .orElseThrow();
    }

    @Override
    public List<DefinitionRow> definitions(@Nullable String workflow) {
        return sql.call("list_workflows")
                .set("name", workflow)
                .list(row -> new DefinitionRow(row.text(), row.integer(), row.text(), row.number()));
    }

    @Override
    public int pruneDefinitions(long before) {
        return sql.call("prune_workflows").set("before", before).update();
    }

    @Override
    public List<EndedRoot> lockEndedRoots(EndedRange range, EndPosition after, int limit) {
        return Columns.within(sql.call("lock_ended_roots"), range, after)
                .set("limit", limit)
                .list(row -> new EndedRoot(new EndPosition(row.number(), row.number()), row.flag()));
    }

    @Override
    public List<Branch> branches(Collection<Long> roots, int limit) {
        return sql.call("branches_of_runs")
                .setNumbers("roots", roots)
                .set("limit", limit)
                .list(JdbcFrames::branch);
    }

    @Override
    public List<Branch> branches(long root, long before, int limit) {
        return sql.call("branches_of_run")
                .set("root", root)
                .set("before", before)
                .set("limit", limit)
                .list(JdbcFrames::branch);
    }

    /** id, parent, ended_at, whether the parent lives, whether a job of it does. */
    private static Branch branch(Row row) throws SQLException {
        return new Branch(row.number(), row.number(), row.numberOrNull(), row.flag(), row.flag());
    }

    @Override
    public void prune(Collection<Long> frames) {
        sql.call("prune_frames").setNumbers("ids", frames).list(Row::number);
    }
}

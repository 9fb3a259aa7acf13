package dev.headgate.server.live;

import dev.headgate.Headgate;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.job.JobState;
import dev.headgate.run.RunFilter;
import dev.headgate.run.RunState;
import dev.headgate.server.live.FeedEvent.Kind;
import dev.headgate.spi.Backend;
import dev.headgate.spi.FrameRow;
import dev.headgate.spi.FrameTable.RunKind;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.status.Overview;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How the store stands at one moment, as far as a dashboard shows it. What differs between two samples is news; what came and went
 * between them is not seen.
 *
 * @param entries what was seen, by the thing that it is about
 */
record StoreSample(Map<Key, Entry> entries) {
    static final StoreSample EMPTY = new StoreSample(Map.of());

    /** One thing. */
    record Key(Kind kind, String name) {}

    /** How it stands. */
    record Entry(long id, String queue, String type, String json) {}

    /**
     * Takes one.
     *
     * @param jobs live jobs that viewers name; their ends are told otherwise
     * @param runs runs that viewers name, besides the newest
     */
    static StoreSample take(Headgate headgate, Backend backend, Collection<Long> jobs, Collection<Long> runs) {
        Map<Key, Entry> entries = new LinkedHashMap<>();
        Overview overview = headgate.overview();
        queues(overview, entries);
        gates(overview, entries);
        long busy =
                overview.workers().stream().mapToLong(Overview.WorkerView::busy).sum();
        entries.put(
                new Key(Kind.WORKERS, ""),
                new Entry(
                        0,
                        "",
                        "",
                        JsonWriter.object()
                                .put("live", overview.workers().size())
                                .put("busy", busy)
                                .toString()));
        entries.put(
                new Key(Kind.POLICIES, ""),
                new Entry(
                        0,
                        "",
                        "",
                        JsonWriter.object()
                                .put("version", overview.policyVersion())
                                .toString()));
        backend.read(tx -> {
            tx.jobs().findAll(jobs).forEach(row -> entries.put(new Key(Kind.NAMED_JOB, "" + row.id()), job(row)));
            runs(tx, runs, entries);
            return true;
        });
        return new StoreSample(entries);
    }

    private static void queues(Overview overview, Map<Key, Entry> entries) {
        Map<String, JsonWriter> counts = new TreeMap<>();
        overview.jobs()
                .forEach(count -> counts.computeIfAbsent(count.queue(), queue -> JsonWriter.object())
                        .put(word(count.state()), count.jobs()));
        counts.forEach((queue, jobs) -> entries.put(new Key(Kind.QUEUE, queue), queue(queue, jobs)));
    }

    private static Entry queue(String queue, JsonWriter jobs) {
        return new Entry(
                0,
                queue,
                "",
                JsonWriter.object().put("queue", queue).put("jobs", jobs).toString());
    }

    private static void gates(Overview overview, Map<Key, Entry> entries) {
        for (Overview.GateView gate : overview.gates()) {
            String json = JsonWriter.object()
                    .put("kind", gate.key().scope().text())
                    .put("name", gate.key().name())
                    .put("limits", gate.policy())
                    .put("inUse", gate.leases())
                    .put("units", gate.units())
                    .put("waiting", gate.line().jobs())
                    .put("shut", gate.shut())
                    .toString();
            entries.put(new Key(Kind.GATE, gate.key().toString()), new Entry(0, "", "", json));
        }
    }

    private static Entry job(JobRow row) {
        return job(row.id(), row.spec().lane().queue(), row.spec().type(), row.state());
    }

    /** A job in a state, live or ended. */
    static Entry job(long id, String queue, String type, JobState state) {
        return new Entry(
                id,
                queue,
                type,
                JsonWriter.object()
                        .put("id", id)
                        .put("type", type)
                        .put("queue", queue)
                        .put("state", state)
                        .toString());
    }

    private static void runs(StoreTransaction tx, Collection<Long> named, Map<Key, Entry> entries) {
        Map<Long, FrameRow> rows = new TreeMap<>();
        RunFilter newest = RunFilter.all();
        tx.frames().list(RunKind.ROOTS, newest, newest.limit()).forEach(row -> rows.put(row.id(), row));
        Set<Long> missing = new HashSet<>(named);
        missing.removeAll(rows.keySet());
        List<FrameRow> more = missing.isEmpty() ? List.of() : tx.frames().find(missing);
        Set<Long> tops = new HashSet<>();
        more.forEach(row -> {
            rows.put(row.id(), row);
            tops.add(row.tree().root());
        });
        Map<Long, FrameRow> roots = new HashMap<>(rows);
        tops.removeAll(rows.keySet());
        if (!tops.isEmpty()) {
            tx.frames().find(tops).forEach(row -> roots.put(row.id(), row));
        }
        rows.forEach((id, row) -> entries.put(
                new Key(Kind.RUN, "" + id), run(row, roots.get(row.tree().root()))));
    }

    private static Entry run(FrameRow row, @Nullable FrameRow root) {
        RunState state = row.shown(root == null ? null : root.guard().halt());
        return new Entry(
                row.id(),
                "",
                "",
                JsonWriter.object()
                        .put("id", row.id())
                        .put("workflow", row.program().workflow())
                        .put("version", row.program().version())
                        .put("state", state)
                        .put("step", row.position().step())
                        .put("revision", row.position().revision())
                        .toString());
    }

    private static String word(JobState state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    /** What stands otherwise than before, or is new. Of a queue without jobs it says so; of what else is gone nothing. */
    Map<Key, Entry> since(StoreSample before) {
        Map<Key, Entry> changed = new LinkedHashMap<>();
        entries.forEach((key, entry) -> {
            if (!entry.equals(before.entries.get(key))) {
                changed.put(key, entry);
            }
        });
        for (Key key : new ArrayList<>(before.entries.keySet())) {
            if (key.kind() == Kind.QUEUE && !entries.containsKey(key)) {
                changed.put(key, queue(key.name(), JsonWriter.object()));
            }
        }
        return changed;
    }
}

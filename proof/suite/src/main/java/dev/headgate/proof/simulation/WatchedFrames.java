package dev.headgate.proof.simulation;

import dev.headgate.internal.run.FrameView.Inbox;
import dev.headgate.internal.run.Move.Artifact;
import dev.headgate.run.RunFilter;
import dev.headgate.spi.EndPosition;
import dev.headgate.spi.EndedRange;
import dev.headgate.spi.EventRow;
import dev.headgate.spi.FrameRow;
import dev.headgate.spi.FrameTable;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The runs of one transaction; tells what was done to them. */
record WatchedFrames(FrameTable frames, Changes changes, RunWatch watch, PruneWatch pruned) implements FrameTable {
    @Override
    public List<Long> insert(List<FrameRow> rows) {
        List<Long> inserted = frames.insert(rows);
        changes.add(() -> {
            for (FrameRow row : rows) {
                if (inserted.contains(row.id())) {
                    watch.inserted(row);
                }
            }
        });
        return inserted;
    }

    /** Only after a race for a key, and the stores of a simulation let one transaction write at a time. */
    @Override
    public void remove(Collection<Long> ids) {
        frames.remove(ids);
    }

    @Override
    public void save(List<FrameRow> rows) {
        frames.save(rows);
        changes.add(() -> rows.forEach(watch::saved));
    }

    @Override
    public void move(List<FrameRow> rows) {
        frames.move(rows);
        changes.add(() -> rows.forEach(watch::saved));
    }

    @Override
    public void append(List<EventRow> events) {
        frames.append(events);
        changes.add(() -> events.forEach(watch::happened));
    }

    @Override
    public List<Long> ids(int count) {
        return frames.ids(count);
    }

    @Override
    public List<FrameRow> lockRoots(Collection<Long> wanted) {
        return frames.lockRoots(wanted);
    }

    @Override
    public List<FrameRow> find(Collection<Long> wanted) {
        return frames.find(wanted);
    }

    @Override
    public List<EventRow> events(long frame, long after, int limit) {
        return frames.events(frame, after, limit);
    }

    @Override
    public List<EventRow> events(List<EventSpan> spans) {
        return frames.events(spans);
    }

    @Override
    public List<EventRow> events(Map<Long, Long> numbers) {
        return frames.events(numbers);
    }

    @Override
    public @Nullable FrameRow findKey(String workflow, String key) {
        return frames.findKey(workflow, key);
    }

    @Override
    public List<FrameRow> list(RunKind kind, RunFilter filter, int look) {
        return frames.list(kind, filter, look);
    }

    @Override
    public @Nullable Long floor(RunKind kind, RunFilter filter, int look) {
        return frames.floor(kind, filter, look);
    }

    @Override
    public List<FrameRow> tree(long root, long after, int limit) {
        return frames.tree(root, after, limit);
    }

    @Override
    public List<FrameRow> children(long parent, long fork) {
        return frames.children(parent, fork);
    }

    @Override
    public List<FrameRow> awaiting(long run, String signal) {
        return frames.awaiting(run, signal);
    }

    @Override
    public Set<Awaited> arrived(Collection<Awaited> signals) {
        return frames.arrived(signals);
    }

    @Override
    public @Nullable Inbox inbox(long run, String signal) {
        return frames.inbox(run, signal);
    }

    @Override
    public long addSignal(long run, String name, String json, long now) {
        return frames.addSignal(run, name, json, now);
    }

    @Override
    public boolean addSignalKey(long run, String key) {
        return frames.addSignalKey(run, key);
    }

    @Override
    public List<Inbox> signals(long run, int limit) {
        return frames.signals(run, limit);
    }

    @Override
    public List<Long> takeSignals(Collection<Long> ids) {
        return frames.takeSignals(ids);
    }

    @Override
    public void putArtifacts(Map<Long, List<Artifact>> byRun) {
        frames.putArtifacts(byRun);
    }

    @Override
    public List<String> artifacts(long run) {
        return frames.artifacts(run);
    }

    @Override
    public List<ArtifactRow> artifacts(Collection<Long> runs) {
        return frames.artifacts(runs);
    }

    @Override
    public @Nullable String artifact(long run, String name) {
        return frames.artifact(run, name);
    }

    @Override
    public List<Long> strayJobs(long root, int limit) {
        return frames.strayJobs(root, limit);
    }

    @Override
    public List<Long> parkedJobs(long root) {
        return frames.parkedJobs(root);
    }

    @Override
    public List<Long> jobsOf(long frame) {
        return frames.jobsOf(frame);
    }

    @Override
    public DefinitionRow define(DefinitionRow row) {
        return frames.define(row);
    }

    @Override
    public List<DefinitionRow> definitions(@Nullable String workflow) {
        return frames.definitions(workflow);
    }

    @Override
    public int pruneDefinitions(long before) {
        return frames.pruneDefinitions(before);
    }

    @Override
    public List<EndedRoot> lockEndedRoots(EndedRange range, EndPosition after, int limit) {
        return frames.lockEndedRoots(range, after, limit);
    }

    @Override
    public List<Branch> branches(Collection<Long> roots, int limit) {
        return frames.branches(roots, limit);
    }

    @Override
    public List<Branch> branches(long root, long before, int limit) {
        return frames.branches(root, before, limit);
    }

    @Override
    public void prune(Collection<Long> ids) {
        frames.prune(ids);
        changes.add(() -> pruned.prunedFrames(ids));
    }
}

package dev.headgate.testkit.memory;

import dev.headgate.internal.run.FrameView.Inbox;
import dev.headgate.internal.run.Move.Artifact;
import dev.headgate.job.JobSpec.FrameRef;
import dev.headgate.job.JobState;
import dev.headgate.job.ParkReason;
import dev.headgate.run.RunFilter;
import dev.headgate.spi.EndPosition;
import dev.headgate.spi.EndedRange;
import dev.headgate.spi.EventRow;
import dev.headgate.spi.FrameRow;
import dev.headgate.spi.FrameTable;
import dev.headgate.spi.HeadRow.Standing;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Workflow runs. */
final class MemoryFrames implements FrameTable {
    private final Journal journal;
    private final Ordered<Long, FrameRow> byRoot =
            new Ordered<>(frame -> frame.tree().root(), Comparator.comparingLong(FrameRow::id));
    private final Ordered<Long, FrameRow> byParent =
            new Ordered<>(frame -> frame.tree().parent(), Comparator.comparingLong(FrameRow::id));
    final Rows<Long, FrameRow> frames;
    private final Rows<String, EventRow> events;
    private final Ordered<Long, EventRow> eventsByFrame =
            new Ordered<>(EventRow::frame, Comparator.comparingLong(EventRow::number));
    private final Rows<Long, SignalRow> signals;
    private final Rows<String, SignalKey> signalKeys;
    final Rows<String, KeptArtifact> artifacts;
    private final Rows<String, DefinitionRow> definitions;
    private @Nullable MemoryJobs jobs;
    private long lastFrame;
    private long lastSignal;

    private record SignalRow(long id, long run, String name, String json, long at) {
        Inbox inbox() {
            return new Inbox(id, name, json, at);
        }
    }

    private record SignalKey(long run, String key) {
        String id() {
            return run + "\n" + key;
        }
    }

    record KeptArtifact(long run, Artifact artifact) {
        String key() {
            return run + "\n" + artifact.name();
        }
    }

    MemoryFrames(Journal journal) {
        this.journal = journal;
        this.frames = new Rows<>(journal, FrameRow::id, List.of(byRoot, byParent));
        this.events = new Rows<>(journal, event -> event.frame() + "/" + event.number(), List.of(eventsByFrame));
        this.signals = new Rows<>(journal, SignalRow::id, List.of());
        this.signalKeys = new Rows<>(journal, SignalKey::id, List.of());
        this.artifacts = new Rows<>(journal, KeptArtifact::key, List.of());
        this.definitions = new Rows<>(journal, row -> row.workflow() + "\n" + row.version(), List.of());
    }

    /** Whether the run of a step still wants it. */
    Standing standing(@Nullable FrameRef ref) {
        FrameRow frame = ref == null ? null : frames.get(ref.frame());
        return frame == null
                ? Standing.of(ref, null, 0, false)
                : Standing.of(
                        ref,
                        frame.position().state(),
                        frame.position().revision(),
                        Objects.requireNonNull(frames.get(frame.tree().root()))
                                        .guard()
                                        .halt()
                                != null);
    }

    /** The frame of a job, if it belongs to this tree. */
    boolean isIn(long root, @Nullable FrameRef ref) {
        FrameRow frame = ref == null ? null : frames.get(ref.frame());
        return frame != null && frame.tree().root() == root;
    }

    @Override
    public List<Long> ids(int count) {
        long before = lastFrame;
        journal.note(() -> lastFrame = before);
        return Stream.generate(() -> ++lastFrame).limit(count).toList();
    }

    @Override
    public List<FrameRow> lockRoots(Collection<Long> ids) {
        return find(find(ids).stream().map(frame -> frame.tree().root()).collect(Collectors.toSet()));
    }

    @Override
    public List<FrameRow> find(Collection<Long> ids) {
        return new TreeSet<>(ids)
                .stream().map(frames::get).filter(Objects::nonNull).toList();
    }

    @Override
    public List<Long> insert(List<FrameRow> rows) {
        List<Long> inserted = new ArrayList<>();
        for (FrameRow row : rows) {
            if (row.program().key() == null
                    || findKey(row.program().workflow(), row.program().key()) == null) {
                frames.put(row);
                inserted.add(row.id());
            }
        }
        return inserted;
    }

    @Override
    public void remove(Collection<Long> ids) {
        ids.forEach(frames::remove);
    }

    @Override
    public void save(List<FrameRow> rows) {
        rows.forEach(frames::put);
    }

    @Override
    public void move(List<FrameRow> rows) {
        save(rows);
    }

    @Override
    public void append(List<EventRow> added) {
        for (EventRow event : added) {
            if (events.get(event.frame() + "/" + event.number()) != null) {
                throw new IllegalStateException(
                        "event %d of frame %d: written twice".formatted(event.number(), event.frame()));
            }
            events.put(event);
        }
    }

    @Override
    public List<EventRow> events(long frame, long after, int limit) {
        return eventsByFrame.in(frame).stream()
                .filter(event -> event.number() > after)
                .limit(limit)
                .toList();
    }

    @Override
    public List<EventRow> events(List<EventSpan> spans) {
        return spans.stream()
                .sorted(Comparator.comparingLong(EventSpan::frame))
                .flatMap(span -> eventsByFrame.in(span.frame()).stream()
                        .filter(event -> event.number() > span.after() && event.number() <= span.until()))
                .toList();
    }

    @Override
    public List<EventRow> events(Map<Long, Long> numbers) {
        return numbers.entrySet().stream()
                .map(each -> events.get(each.getKey() + "/" + each.getValue()))
                .filter(Objects::nonNull)
                .sorted(Comparator.comparingLong(EventRow::frame))
                .toList();
    }

    @Override
    public @Nullable FrameRow findKey(String workflow, String key) {
        return frames.all().values().stream()
                .filter(row -> row.program().workflow().equals(workflow)
                        && key.equals(row.program().key()))
                .findFirst()
                .orElse(null);
    }

    @Override
    public List<FrameRow> list(RunKind kind, RunFilter filter, int look) {
        return new RunListing(frames.all(), kind, filter).list(look);
    }

    @Override
    public @Nullable Long floor(RunKind kind, RunFilter filter, int look) {
        return new RunListing(frames.all(), kind, filter).floor(look);
    }

    @Override
    public List<FrameRow> tree(long root, long after, int limit) {
        return byRoot.in(root).stream()
                .filter(row -> row.tree().parent() != null && row.id() > after)
                .limit(limit)
                .toList();
    }

    @Override
    public List<FrameRow> children(long parent, long fork) {
        return byParent.in(parent).stream()
                .filter(row -> row.tree().fork() == fork)
                .sorted(Comparator.comparingInt(frame -> frame.tree().place()))
                .toList();
    }

    @Override
    public List<FrameRow> awaiting(long run, String signal) {
        return frames.all().values().stream()
                .filter(row ->
                        row.tree().run() == run && signal.equals(row.waits().awaits()))
                .toList();
    }

    private Stream<SignalRow> signals(Predicate<SignalRow> which) {
        return signals.all().values().stream().filter(which);
    }

    @Override
    public Set<Awaited> arrived(Collection<Awaited> wanted) {
        return signals(row -> wanted.contains(new Awaited(row.run(), row.name())))
                .map(row -> new Awaited(row.run(), row.name()))
                .collect(Collectors.toSet());
    }

    @Override
    public @Nullable Inbox inbox(long run, String signal) {
        return signals(row -> row.run() == run && row.name().equals(signal))
                .map(SignalRow::inbox)
                .findFirst()
                .orElse(null);
    }

    @Override
    public long addSignal(long run, String name, String json, long now) {
        long before = lastSignal;
        journal.note(() -> lastSignal = before);
        signals.put(new SignalRow(++lastSignal, run, name, json, now));
        return lastSignal;
    }

    @Override
    public boolean addSignalKey(long run, String key) {
        SignalKey row = new SignalKey(run, key);
        boolean isNew = signalKeys.get(row.id()) == null;
        if (isNew) {
            signalKeys.put(row);
        }
        return isNew;
    }

    @Override
    public List<Inbox> signals(long run, int limit) {
        return signals(row -> row.run() == run)
                .limit(limit)
                .map(SignalRow::inbox)
                .toList();
    }

    @Override
    public List<Long> takeSignals(Collection<Long> ids) {
        return ids.stream().filter(id -> signals.remove(id) != null).toList();
    }

    @Override
    public void putArtifacts(Map<Long, List<Artifact>> byRun) {
        byRun.forEach((run, all) -> all.forEach(each -> artifacts.put(new KeptArtifact(run, each))));
    }

    @Override
    public List<String> artifacts(long run) {
        return artifacts.all().values().stream()
                .filter(row -> row.run() == run)
                .map(row -> row.artifact().name())
                .sorted()
                .toList();
    }

    @Override
    public List<ArtifactRow> artifacts(Collection<Long> runs) {
        return artifacts.all().values().stream()
                .filter(row -> runs.contains(row.run()))
                .map(row -> new ArtifactRow(row.run(), row.artifact()))
                .toList();
    }

    @Override
    public @Nullable String artifact(long run, String name) {
        KeptArtifact found = artifacts.get(run + "\n" + name);
        return found == null ? null : found.artifact().content();
    }

    @Override
    public List<Long> strayJobs(long root, int limit) {
        return jobs(job -> isIn(root, job.spec().frame())
                        && standing(job.spec().frame()) == Standing.GONE
                        && !job.row().notes().isCancelRequested())
                .limit(limit)
                .toList();
    }

    @Override
    public List<Long> parkedJobs(long root) {
        return jobs(job -> isIn(root, job.spec().frame()) && job.row().notes().parkReason() == ParkReason.PAUSED)
                .toList();
    }

    @Override
    public List<Long> jobsOf(long frame) {
        return jobs(job -> job.state() != JobState.RUNNING
                        && job.spec().frame() != null
                        && job.spec().frame().frame() == frame)
                .toList();
    }

    private Stream<Long> jobs(Predicate<LiveJob> which) {
        return Objects.requireNonNull(jobs).all().stream().filter(which).map(LiveJob::id);
    }

    /** Where the jobs of frames live. */
    void connect(MemoryJobs live) {
        jobs = live;
    }

    @Override
    public DefinitionRow define(DefinitionRow row) {
        DefinitionRow stored = definitions.get(row.workflow() + "\n" + row.version());
        if (stored != null) {
            return stored;
        }
        definitions.put(row);
        return row;
    }

    @Override
    public List<DefinitionRow> definitions(@Nullable String workflow) {
        return definitions.all().values().stream()
                .filter(row -> workflow == null || workflow.equals(row.workflow()))
                .sorted(Comparator.comparing(DefinitionRow::workflow).thenComparingInt(DefinitionRow::version))
                .toList();
    }

    @Override
    public int pruneDefinitions(long before) {
        List<DefinitionRow> all = definitions(null);
        int gone = 0;
        for (DefinitionRow row : all) {
            boolean isNewest = all.stream()
                    .noneMatch(other -> other.workflow().equals(row.workflow()) && other.version() > row.version());
            boolean isUsed = frames.all().values().stream()
                    .anyMatch(frame -> frame.program().workflow().equals(row.workflow())
                            && frame.program().version() == row.version());
            if (row.since() < before && !isNewest && !isUsed) {
                definitions.remove(row.workflow() + "\n" + row.version());
                gone++;
            }
        }
        return gone;
    }

    @Override
    public List<EndedRoot> lockEndedRoots(EndedRange range, EndPosition after, int limit) {
        List<EndPosition> old = new ArrayList<>();
        for (FrameRow row : frames.all().values()) {
            Long at = row.life().endedAt();
            boolean isOld = at != null && range.covers(row.program().queue(), at) && after.isBefore(at, row.id());
            if (row.tree().parent() == null && at != null && isOld) {
                old.add(new EndPosition(at, row.id()));
            }
        }
        return old.stream()
                .sorted(Comparator.comparingLong(EndPosition::at).thenComparingLong(EndPosition::id))
                .limit(limit)
                .map(root -> new EndedRoot(root, hasJob(root.id())))
                .toList();
    }

    @Override
    public List<Branch> branches(Collection<Long> roots, int limit) {
        return roots.stream()
                .flatMap(root -> byRoot.in(root).stream())
                .filter(row -> row.tree().parent() != null)
                .limit(limit)
                .sorted(Comparator.comparingLong(FrameRow::id).reversed())
                .map(this::branch)
                .toList();
    }

    @Override
    public List<Branch> branches(long root, long before, int limit) {
        return byRoot.in(root).stream()
                .filter(row -> row.tree().parent() != null && row.id() < before)
                .sorted(Comparator.comparingLong(FrameRow::id).reversed())
                .limit(limit)
                .map(this::branch)
                .toList();
    }

    private Branch branch(FrameRow row) {
        long parent = Objects.requireNonNull(row.tree().parent());
        FrameRow above = frames.get(parent);
        return new Branch(
                row.id(),
                parent,
                row.life().endedAt(),
                above != null && above.life().endedAt() == null,
                hasJob(row.id()));
    }

    private boolean hasJob(long frame) {
        return jobs(job -> {
                    FrameRef ref = job.spec().frame();
                    return ref != null
                            && ref.frame() == frame
                            && (job.state() == JobState.RUNNING || ref.revision() == FrameRef.ALWAYS);
                })
                .findAny()
                .isPresent();
    }

    @Override
    public void prune(Collection<Long> ids) {
        for (long id : ids) {
            List.copyOf(eventsByFrame.in(id)).forEach(each -> events.remove(each.frame() + "/" + each.number()));
            artifacts(id).forEach(name -> artifacts.remove(id + "\n" + name));
            signals(signal -> signal.run() == id).toList().forEach(each -> signals.remove(each.id()));
            signalKeys.all().values().stream()
                    .filter(each -> each.run() == id)
                    .toList()
                    .forEach(each -> signalKeys.remove(each.id()));
            frames.remove(id);
        }
    }
}

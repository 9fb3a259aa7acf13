package dev.headgate.spi;

import dev.headgate.internal.run.FrameView.Inbox;
import dev.headgate.internal.run.Move.Artifact;
import dev.headgate.run.RunFilter;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs of workflows and their parts. A tree of frames is changed only under the lock of its root, so its other rows need
 * none of their own; that lock is taken after those of jobs and before that of the worker.
 */
public interface FrameTable {
    /** So many new ids, rising. */
    List<Long> ids(int count);

    /** Locks the roots of these frames, in the order of their ids, and returns those roots as they are now. */
    List<FrameRow> lockRoots(Collection<Long> frames);

    List<FrameRow> find(Collection<Long> frames);

    /** Inserts all, but none that meets an idempotency key; answers the ids of those it has inserted. */
    List<Long> insert(List<FrameRow> rows);

    /** Deletes frames that this transaction has inserted, and nothing that belongs to them. */
    void remove(Collection<Long> frames);

    /** Stores what may change of frames that are there. */
    void save(List<FrameRow> rows);

    /** Like save, for frames of which only state, step, revision, events, entered and budget have changed. */
    void move(List<FrameRow> rows);

    void append(List<EventRow> events);

    /** The events of one frame, in order, after the given number. */
    List<EventRow> events(long frame, long after, int limit);

    /** The events of one frame after one number, up to and with another. */
    record EventSpan(long frame, long after, long until) {}

    /** The events of several frames, by frame and number. */
    List<EventRow> events(List<EventSpan> spans);

    /** Single events, by frame and number. */
    List<EventRow> events(Map<Long, Long> numbers);

    /** The run of this workflow with this idempotency key. */
    @Nullable
    FrameRow findKey(String workflow, String key);

    /** Runs that are listed together. */
    enum RunKind {
        /** No other run has started them. */
        ROOTS,
        /** Another run has started them; of the workflow that the filter names. */
        CHILD_RUNS,
        /** They have labels; those that other runs started only if the filter names a workflow. */
        LABELLED
    }

    /** Those of this kind that match, newest first, among so many of the newest. */
    List<FrameRow> list(RunKind kind, RunFilter filter, int look);

    /** The lowest id that such a look passes, wanted or not; absent if it passes all that there are. */
    @Nullable
    Long floor(RunKind kind, RunFilter filter, int look);

    /** All frames of a tree, by id, after the given one. */
    List<FrameRow> tree(long root, long after, int limit);

    /** The children that one revision of a frame has made, by place. */
    List<FrameRow> children(long parent, long fork);

    /** Frames of a run that wait for a signal of this name, by id. */
    List<FrameRow> awaiting(long run, String signal);

    /** A run, and the name of a signal that a part of it waits for. */
    record Awaited(long run, String signal) {}

    /** Which of these have come. */
    Set<Awaited> arrived(Collection<Awaited> signals);

    /** The oldest signal of this name. */
    @Nullable
    Inbox inbox(long run, String signal);

    /**
     * Stores a signal. {@code now} is read under the lock of the run, so that signals stand in the order of their times; a
     * caller's transaction, which takes no lock, adds one that is seen only later.
     */
    long addSignal(long run, String name, String json, long now);

    /** Notes the sender's key of a signal to a run; false if the run has had one with this key. */
    boolean addSignalKey(long run, String key);

    /** Signals to a run that nothing has used up, oldest first. */
    List<Inbox> signals(long run, int limit);

    /** Deletes signals; answers those that were there. */
    List<Long> takeSignals(Collection<Long> ids);

    /** Stores artifacts of runs; one of the same name is replaced. */
    void putArtifacts(Map<Long, List<Artifact>> byRun);

    /** The names of a run's artifacts. */
    List<String> artifacts(long run);

    @Nullable
    String artifact(long run, String name);

    /** An artifact with the run that has it. */
    record ArtifactRow(long run, Artifact artifact) {}

    /** All artifacts of these runs, in any order. */
    List<ArtifactRow> artifacts(Collection<Long> runs);

    /** Live jobs of frames of this tree that no longer count: pairs of id and whether it runs. */
    List<Long> strayJobs(long root, int limit);

    /** Parked jobs of this tree. */
    List<Long> parkedJobs(long root);

    /** Jobs of one frame that wait. */
    List<Long> jobsOf(long frame);

    /** A workflow as it was registered. */
    record DefinitionRow(String workflow, int version, String shape, long since) {}

    /** Stores a definition unless one of this version is there; answers the stored one. */
    DefinitionRow define(DefinitionRow row);

    /** All versions of a workflow, or of all if absent. */
    List<DefinitionRow> definitions(@Nullable String workflow);

    /** Deletes versions that were registered before this instant, have no run, and are not the newest of their workflow. */
    int pruneDefinitions(long before);

    /**
     * A root that has ended.
     *
     * @param hasJob whether a job of it runs, or is wanted even after its end
     */
    record EndedRoot(EndPosition position, boolean hasJob) {}

    /**
     * A frame below a root, as far as it matters for deleting it.
     *
     * @param hasJob whether a job of it runs, or is wanted even after its end
     */
    record Branch(long id, long parent, @Nullable Long endedAt, boolean isParentLive, boolean hasJob) {}

    /**
     * Locks roots that ended in this range, by the queue of the root, and after this position, in that order. Those that
     * another transaction has locked are left out.
     */
    List<EndedRoot> lockEndedRoots(EndedRange range, EndPosition after, int limit);

    /** All frames below these roots, the newest first. If there are {@code limit} of them or more, any {@code limit} of them. */
    List<Branch> branches(Collection<Long> roots, int limit);

    /** The newest frames below one root that are older than this one, the newest first. */
    List<Branch> branches(long root, long before, int limit);

    /** Deletes frames with their events, artifacts, signals and keys. */
    void prune(Collection<Long> frames);
}

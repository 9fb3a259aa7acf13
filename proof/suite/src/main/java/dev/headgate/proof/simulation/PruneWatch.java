package dev.headgate.proof.simulation;

import dev.headgate.job.JobSpec.FrameRef;
import dev.headgate.spi.EdgeRow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * I33: what lives is never pruned, and nothing that it needs: no live job and none that a live one waited for; no live part of
 * a run, none on the way from its root to a live part, and none that its parent may still read.
 */
final class PruneWatch {
    private final Judge judge;
    private final Tracks tracks;
    private final RunWatch runs;
    private final Map<Long, List<Long>> dependents = new HashMap<>();

    PruneWatch(Judge judge, Tracks tracks, RunWatch runs) {
        this.judge = judge;
        this.tracks = tracks;
        this.runs = runs;
    }

    void tied(List<EdgeRow> edges) {
        edges.forEach(edge -> dependents
                .computeIfAbsent(edge.dependency(), dependency -> new ArrayList<>())
                .add(edge.job()));
    }

    void prunedJobs(Collection<Long> ids) {
        for (long id : ids) {
            Track track = tracks.find(id);
            judge.mixed(Judge.PRUNE, id);
            if (track != null && track.isLive()) {
                judge.broken("I33", "%s: pruned though it lives".formatted(track));
            }
            for (long dependent : dependents.getOrDefault(id, List.of())) {
                Track other = tracks.find(dependent);
                if (other != null && other.isLive()) {
                    judge.broken("I33", "job %d: pruned though %s, which waited for it, lives".formatted(id, other));
                }
            }
            tracks.deleted(id);
        }
    }

    void prunedFrames(Collection<Long> ids) {
        for (long id : ids) {
            RunPart part = runs.find(id);
            judge.mixed(Judge.PRUNE, id);
            if (part == null) {
                judge.broken("I33", "part %d of a run: pruned, but it was never there".formatted(id));
                continue;
            }
            if (!part.hasEnded()) {
                judge.broken("I33", "%s: pruned though it lives".formatted(part));
            }
            if (part.parent != null && !part.parent.hasEnded()) {
                judge.broken("I33", "%s: pruned though %s may still read it".formatted(part, part.parent));
            }
            runs.pruned(part);
        }
        for (long id : ids) {
            RunPart part = runs.find(id);
            RunPart left = part == null ? null : firstLeft(part);
            if (left != null) {
                judge.broken("I33", "%s: pruned though %s below it is there".formatted(part, left));
            }
        }
        Set<Long> gone = new HashSet<>(ids);
        tracks.each(track -> {
            FrameRef frame = track.spec.frame();
            boolean isWanted =
                    frame != null && (track.stand == Track.Stand.RUNNING || frame.revision() == FrameRef.ALWAYS);
            if (frame != null && isWanted && track.isLive() && gone.contains(frame.frame())) {
                judge.broken("I33", "%s: lives, and its part of a run was pruned".formatted(track));
            }
        });
    }

    private static @Nullable RunPart firstLeft(RunPart part) {
        for (RunPart child : part.children) {
            RunPart left = child.isPruned ? firstLeft(child) : child;
            if (left != null) {
                return left;
            }
        }
        return null;
    }
}

package dev.headgate.proof.simulation;

import dev.headgate.internal.run.StepType;
import dev.headgate.job.JobSpec;
import dev.headgate.job.JobSpec.FrameRef;
import dev.headgate.job.JobState;
import dev.headgate.run.RunEvent.Kind;
import dev.headgate.spi.EventRow;
import dev.headgate.spi.FrameRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * I25: a step's result is recorded once, by the attempt that was accepted; every attempt of a step sees what was
 * recorded; a child is created once; a run goes on only after its children. And of I26 what concerns runs.
 */
final class RunWatch {
    private final Judge judge;
    private final Map<Long, RunPart> parts = new TreeMap<>();
    private final Map<String, Long> byKey = new HashMap<>();

    /** Of the commit that is being told: steps that were accepted, by job, and all parts that it has touched. */
    private final Map<Long, Done> done = new HashMap<>();

    private final Set<RunPart> touched = new LinkedHashSet<>();
    private final List<RunPart> born = new ArrayList<>();
    private int live;

    private record Done(long epoch, FrameRef frame) {}

    RunWatch(Judge judge) {
        this.judge = judge;
    }

    /** How many runs without a parent have not ended. */
    int live() {
        return live;
    }

    /** Whether some part of a run, spawned or not, has not ended. */
    boolean isAnyLive() {
        return !parts.values().stream().allMatch(RunPart::hasEnded);
    }

    @Nullable
    RunPart find(long id) {
        return parts.get(id);
    }

    List<RunPart> all() {
        return List.copyOf(parts.values());
    }

    // Steps, as jobs.

    private static @Nullable FrameRef step(JobSpec spec) {
        return StepType.isControl(spec.type()) ? null : spec.frame();
    }

    private @Nullable RunPart partOf(JobSpec spec) {
        FrameRef frame = step(spec);
        return frame == null ? null : parts.get(frame.frame());
    }

    void granted(Track job) {
        RunPart part = partOf(job.spec);
        FrameRef frame = job.spec.frame();
        if (part == null || frame == null) {
            return;
        }
        part.tree.granted(job.spec.cost().units());
        if (part.isHeld()) {
            judge.broken("I24", "%s: starts though its run is stopped: %s".formatted(job, part));
        }
        if (part.hasEnded() || frame.revision() != part.row.position().revision()) {
            judge.broken(
                    "I25", "%s: starts though its run has left revision %d: %s".formatted(job, frame.revision(), part));
        }
    }

    void released(Track job, boolean isAttempt) {
        RunPart part = partOf(job.spec);
        if (part != null) {
            part.tree.released(job.spec.cost().units(), isAttempt);
        }
    }

    void ended(Track job, JobState state) {
        FrameRef frame = step(job.spec);
        if (frame != null && state == JobState.SUCCEEDED) {
            done.put(job.id, new Done(job.epoch, frame));
        }
    }

    /** A handler is at work with this state: the one that was recorded when its run came there. */
    void saw(FrameRef frame, Doc doc) {
        RunPart part = parts.get(frame.frame());
        String recorded = part == null ? null : part.enteredWith(frame.revision());
        String seen = World.CODEC.write("state", doc);
        if (!seen.equals(recorded)) {
            judge.broken(
                    "I25",
                    "%s: revision %d was entered with %s, but its step sees %s"
                            .formatted(part, frame.revision(), recorded, seen));
        }
    }

    // Runs, as rows.

    void inserted(FrameRow row) {
        Long above = row.tree().parent();
        RunPart parent = above == null ? null : parts.get(above);
        RunTree tree = parent == null ? new RunTree(judge) : parent.tree;
        RunPart part = new RunPart(row, tree, parent);
        if (parts.put(row.id(), part) != null) {
            judge.broken("I25", "%s: inserted twice".formatted(part));
        }
        if (parent == null) {
            tree.root(part);
            live += part.hasEnded() ? 0 : 1;
            if (row.program().key() != null
                    && byKey.put(row.program().workflow() + "/" + row.program().key(), row.id()) != null) {
                judge.broken(
                        "I22",
                        "%s: key '%s' belongs to another run"
                                .formatted(part, row.program().key()));
            }
        } else {
            parent.children.add(part);
            born.add(part);
        }
        seen(part, row);
    }

    /** It was deleted with all that belongs to it; its key is free again. */
    void pruned(RunPart part) {
        part.isPruned = true;
        if (part.row.program().key() != null) {
            byKey.remove(
                    part.row.program().workflow() + "/" + part.row.program().key(), part.id);
        }
    }

    void saved(FrameRow row) {
        RunPart part = parts.get(row.id());
        if (part == null || part.isPruned) {
            judge.broken("I2", "part %d of a run: saved, but it is not there".formatted(row.id()));
            return;
        }
        if (row.position().revision() < part.row.position().revision()) {
            judge.broken(
                    "I26",
                    "%s: its revision goes back to %d"
                            .formatted(part, row.position().revision()));
        }
        touch(part);
        seen(part, row);
    }

    private void touch(RunPart part) {
        if (touched.add(part)) {
            part.revisionBefore = part.row.position().revision();
            part.isBegunAgain = false;
        }
    }

    private void seen(RunPart part, FrameRow row) {
        boolean wasLive = part.parent == null && !part.hasEnded();
        touch(part);
        part.row = row;
        if (row.guard().budget() != null) {
            part.tree.budget(row.guard().budget());
        }
        if (part.parent == null && wasLive != !part.hasEnded()) {
            live += wasLive ? -1 : 1;
        }
    }

    void happened(EventRow event) {
        RunPart part = parts.get(event.frame());
        if (part == null) {
            judge.broken("I2", "part %d of a run: has an event, but nobody has started it".formatted(event.frame()));
            return;
        }
        judge.mixed(event.frame(), event.number());
        touch(part);
        if (event.number() != part.lastEvent + 1) {
            judge.broken("I26", "%s: event %d follows event %d".formatted(part, event.number(), part.lastEvent));
        }
        part.lastEvent = event.number();
        if (event.kind() == Kind.STARTED || event.kind() == Kind.ENTERED || event.kind() == Kind.UNWINDING) {
            part.tree.moved();
        }
        if (part.parent == null) {
            budgetAt(part.tree, event);
        }
        part.isBegunAgain |= event.kind() == Kind.RETRIED || event.kind() == Kind.REWOUND;
        if (event.state() != null) {
            part.entered(part.row.position().revision(), event.state());
            switch (event.kind()) {
                case ENTERED, BUDGET_EXCEEDED -> recorded(part, event.state());
                case STARTED, RETRIED, REWOUND -> part.maker = maker(event.state());
                default -> {}
            }
        }
    }

    private static void budgetAt(RunTree tree, EventRow event) {
        if (event.step() == null) {
            return;
        }
        boolean isEntry = event.kind() == Kind.STARTED || event.kind() == Kind.ENTERED;
        if (isEntry && event.spent() != null) {
            tree.marked(event.step(), event.spent());
        } else if (event.kind() == Kind.REWOUND) {
            tree.rewound(event.step());
        }
    }

    private long maker(String state) {
        return World.CODEC.read("state", state, Doc.class).job();
    }

    /** What a part is in now was made by a step that was accepted in this commit and belonged there, or is as before. */
    private void recorded(RunPart part, String state) {
        Doc doc = World.CODEC.read("state", state, Doc.class);
        if (doc.job() == part.maker) {
            return;
        }
        part.maker = doc.job();
        Done step = done.get(doc.job());
        if (step == null || step.epoch != doc.epoch()) {
            judge.broken(
                    "I25",
                    "%s: job %d, epoch %d, is recorded as its step, but was not accepted now"
                            .formatted(part, doc.job(), doc.epoch()));
        } else if (step.frame.frame() != part.id || step.frame.revision() != part.revisionBefore) {
            judge.broken(
                    "I25",
                    "%s: was in revision %d, but job %d of revision %d is recorded as its step"
                            .formatted(part, part.revisionBefore, doc.job(), step.frame.revision()));
        }
    }

    /** The whole commit was told. */
    void committed() {
        if (touched.isEmpty()) {
            done.clear();
            return;
        }
        born.forEach(child -> child.tree.child(child));
        Set<RunTree> trees = new LinkedHashSet<>();
        for (RunPart part : touched) {
            trees.add(part.tree);
            check(part);
        }
        trees.forEach(RunTree::check);
        done.clear();
        born.clear();
        touched.clear();
    }

    private void check(RunPart part) {
        if (part.row.position().events() != part.lastEvent) {
            judge.broken(
                    "I26",
                    "%s: says it has had %d events, but %d were written"
                            .formatted(part, part.row.position().events(), part.lastEvent));
        }
        String result = part.row.life().result();
        if (result != null && part.row.position().revision() != part.revisionBefore) {
            recorded(part, result);
        }
        if (part.row.position().revision() != part.revisionBefore && !part.isBegunAgain) {
            for (RunPart child : part.children) {
                if (child.fork == part.revisionBefore && child.fork > 0 && !child.isGivenUp()) {
                    judge.broken("I25", "%s: goes on before %s".formatted(part, child));
                }
            }
        }
    }
}

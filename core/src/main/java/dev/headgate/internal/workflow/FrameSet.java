package dev.headgate.internal.workflow;

import dev.headgate.internal.enqueue.Enqueue;
import dev.headgate.internal.enqueue.RequiredGates;
import dev.headgate.internal.json.JsonCodec;
import dev.headgate.internal.run.Move.Artifact;
import dev.headgate.internal.run.SteeringMessage;
import dev.headgate.internal.run.StepType;
import dev.headgate.internal.text.Text;
import dev.headgate.internal.time.Micros;
import dev.headgate.job.Cost;
import dev.headgate.job.JobSpec;
import dev.headgate.job.JobSpec.Dedup;
import dev.headgate.job.JobSpec.FrameRef;
import dev.headgate.job.JobSpec.Order;
import dev.headgate.job.JobSpec.Tries;
import dev.headgate.job.Lane;
import dev.headgate.run.RunEvent.Kind;
import dev.headgate.spi.EventRow;
import dev.headgate.spi.FrameRow;
import dev.headgate.spi.NewJob;
import dev.headgate.spi.NewJob.Due;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.Wake;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The frames that one transaction works on, under the locks of their roots, and what it will write of them: read once,
 * written once, whatever the number of moves.
 */
final class FrameSet {
    private static final int DETAIL_MAX = 4_000;
    private static final int CONTROL_ATTEMPTS = 10;
    private static final JsonCodec JSON = new JsonCodec();

    private final StoreTransaction tx;
    private final long now;
    private final Map<Long, FrameEdit> frames = new TreeMap<>();
    private final List<EventRow> events = new ArrayList<>();
    private final List<NewJob> jobs = new ArrayList<>();
    private final Map<Long, List<Artifact>> artifacts = new LinkedHashMap<>();

    FrameSet(StoreTransaction tx, long now) {
        this.tx = tx;
        this.now = now;
    }

    long now() {
        return now;
    }

    /** Locks the roots of these frames and reads the frames, and their parents, as they are now. */
    void lock(Collection<Long> ids) {
        tx.frames().lockRoots(new HashSet<>(ids)).forEach(this::know);
        load(ids);
        Set<Long> parents = new HashSet<>();
        frames.values().forEach(frame -> {
            if (frame.before().tree().parent() != null) {
                parents.add(frame.before().tree().parent());
            }
        });
        load(parents);
    }

    /** Reads frames of trees whose roots are locked. */
    void load(Collection<Long> ids) {
        Set<Long> missing = new HashSet<>(ids);
        missing.removeAll(frames.keySet());
        if (!missing.isEmpty()) {
            tx.frames().find(missing).forEach(this::know);
        }
    }

    FrameEdit know(FrameRow row) {
        return frames.computeIfAbsent(row.id(), id -> FrameEdit.of(row));
    }

    FrameEdit add(FrameRow row) {
        FrameEdit fresh = FrameEdit.fresh(row);
        frames.put(row.id(), fresh);
        return fresh;
    }

    @Nullable
    FrameEdit find(long id) {
        return frames.get(id);
    }

    FrameEdit get(long id) {
        FrameEdit found = frames.get(id);
        if (found == null) {
            throw new IllegalStateException("frame %d: expected it to be loaded".formatted(id));
        }
        return found;
    }

    FrameEdit rootOf(FrameEdit frame) {
        return get(frame.root());
    }

    void event(FrameEdit frame, Kind kind, @Nullable String detail) {
        add(frame, kind, frame.step, detail, null);
    }

    /** An event that puts the frame into a step with a state. */
    void entered(FrameEdit frame, Kind kind, String step, @Nullable String detail, String state) {
        add(frame, kind, step, detail, state);
        frame.entered = frame.events;
    }

    /** An event that holds a state but leaves the frame where it is. */
    void passed(FrameEdit frame, Kind kind, String step, String state) {
        add(frame, kind, step, null, state);
    }

    private void add(
            FrameEdit frame, Kind kind, @Nullable String step, @Nullable String detail, @Nullable String state) {
        frame.events++;
        boolean isMark = state != null && frame.before().tree().parent() == null;
        String cut = detail == null ? null : Text.storable(detail, DETAIL_MAX);
        String spent = isMark ? frame.ledger().spent() : null;
        events.add(new EventRow(frame.id(), frame.events, now, kind, step, cut, state, spent));
    }

    /** The job of a step. If it lacks a gate that its type requires, it is not created, and the step has failed. */
    void job(JobSpec spec, FrameEdit frame) {
        String lacking = RequiredGates.lacking(spec, tx.recentPolicies());
        if (lacking == null) {
            JobSpec step = spec.inheriting(frame.before().program().attributes());
            jobs.add(new NewJob(step.at(frame.ref()), Due.NOW));
            return;
        }
        rootOf(frame).ledger().settle(spec.cost().units());
        event(frame, Kind.STEP_FAILED, lacking);
        control(frame, new SteeringMessage(SteeringMessage.Why.FAILED, lacking));
    }

    /** A steering job once more. */
    void again(JobSpec steering) {
        jobs.add(new NewJob(steering, Due.NOW));
    }

    void control(FrameEdit frame, SteeringMessage control) {
        control(frame, control, frame.ref(), Duration.ZERO);
    }

    /**
     * A job that steers: costs nothing, passes no gate, and goes before the steps in the run's queue, since others may no
     * longer be needed once it has decided.
     */
    void control(FrameEdit frame, SteeringMessage control, FrameRef ref, Duration delay) {
        jobs.add(steering(frame.before(), control, ref, delay));
    }

    static NewJob steering(FrameRow row, SteeringMessage control, FrameRef ref, Duration delay) {
        boolean isSettling = control.why() == SteeringMessage.Why.FAILED;
        JobSpec spec = new JobSpec(
                new Lane(row.program().queue(), List.of()),
                StepType.of(
                        row.program().workflow(),
                        row.program().version(),
                        isSettling ? StepType.SETTLE : StepType.ADVANCE),
                payload(control),
                Cost.of(0),
                new Order(row.program().priority(), true, false),
                Dedup.NONE,
                new Tries(CONTROL_ATTEMPTS, null, null, null),
                row.program().attributes(),
                ref);
        return new NewJob(spec, delay.isZero() ? Due.NOW : new Due.After(delay));
    }

    private static String payload(SteeringMessage control) {
        String detail = control.detail();
        return JSON.write(
                "steering",
                new SteeringMessage(control.why(), detail == null ? null : Text.storable(detail, DETAIL_MAX)));
    }

    void artifacts(FrameEdit frame, List<Artifact> added) {
        if (!added.isEmpty()) {
            artifacts
                    .computeIfAbsent(frame.before().tree().run(), run -> new ArrayList<>())
                    .addAll(added);
        }
    }

    /** Tells of guardrails that have passed 80 percent, once for each. */
    private void warn() {
        frames.values().stream()
                .filter(frame -> frame.before().tree().parent() == null)
                .forEach(root -> root.ledger()
                        .warnings()
                        .forEach(line -> event(
                                root,
                                Kind.WARNED,
                                "%s: %s of %s are used or reserved"
                                        .formatted(
                                                line.guardrail().title(),
                                                line.guardrail().text(line.used() + line.reserved()),
                                                line.guardrail().text(line.limit())))));
    }

    /** Writes everything and returns true; or writes nothing, if a new frame has an idempotency key that is taken. */
    boolean save(Set<Wake> wakes) {
        warn();
        List<FrameRow> fresh = new ArrayList<>();
        List<FrameRow> changed = new ArrayList<>();
        List<FrameRow> moved = new ArrayList<>();
        for (FrameEdit frame : frames.values()) {
            FrameRow row = frame.row();
            if (frame.isNew) {
                fresh.add(row);
            } else if (!row.equals(frame.before())) {
                (frame.isMovedOnly() ? moved : changed).add(row);
            }
        }
        List<Long> inserted = fresh.isEmpty() ? List.of() : tx.frames().insert(fresh);
        if (inserted.size() < fresh.size()) {
            tx.frames().remove(inserted); // without their events and jobs they would hold their keys and never move
            return false;
        }
        if (!changed.isEmpty()) {
            tx.frames().save(changed);
        }
        if (!moved.isEmpty()) {
            tx.frames().move(moved);
        }
        if (!events.isEmpty()) {
            tx.frames().append(events);
        }
        if (!artifacts.isEmpty()) {
            tx.frames().putArtifacts(artifacts);
        }
        Enqueue.steps(tx, jobs, now);
        jobs.forEach(job -> wakes.add(new Wake.Queue(job.spec().lane().queue())));
        return true;
    }

    boolean hasJobs() {
        return !jobs.isEmpty();
    }

    /** Ids of new frames; drawn together, so that a fan-out costs one statement. */
    List<Long> ids(int count) {
        return tx.frames().ids(count);
    }

    long in(Duration delay) {
        return now + Micros.of(delay);
    }

    /** How long from now until then; nothing if that has passed. */
    Duration until(long then) {
        return Micros.duration(Math.max(0, then - now));
    }
}

package dev.headgate.internal.run;

import dev.headgate.job.JobSpec;
import dev.headgate.run.Join;
import dev.headgate.run.RunEvent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a run goes after one of its jobs. Decided outside the store, by code that knows the workflow; applied in the
 * transaction that ends the job, so both happen or neither does.
 *
 * @param signal the signal that it used up, if any
 * @param seen the revision it was decided for, if its job is bound to none; in another one it is decided anew
 * @param artifacts what the step wants kept under a name
 * @param cause what its history says before it, if more than that a signal was used
 * @param isTimed whether its job is a timer that rang: it lets a signal that came before go first, and rings again after one
 *     that left the run where it was
 */
public record Move(
        To to,
        @Nullable Long signal,
        @Nullable Long seen,
        List<Artifact> artifacts,
        @Nullable Cause cause,
        boolean isTimed) {
    public Move {
        artifacts = List.copyOf(artifacts);
    }

    public Move(To to, @Nullable Long signal, @Nullable Long seen, List<Artifact> artifacts) {
        this(to, signal, seen, artifacts, null, false);
    }

    public static Move to(To where) {
        return new Move(where, null, null, List.of());
    }

    public Move using(long taken) {
        return new Move(to, taken, seen, artifacts, cause, isTimed);
    }

    public Move seen(long revision) {
        return new Move(to, signal, revision, artifacts, cause, isTimed);
    }

    public Move because(RunEvent.Kind kind, String detail) {
        return new Move(to, signal, seen, artifacts, new Cause(kind, detail), isTimed);
    }

    public Move timed() {
        return new Move(to, signal, seen, artifacts, cause, true);
    }

    /** Whether it leaves the run where it is. */
    public boolean isStay() {
        return to instanceof Stay;
    }

    /** Why a move was made, for its history. */
    public record Cause(RunEvent.Kind kind, String detail) {}

    /** Something a step produced, kept with its run. */
    public record Artifact(String name, String content) {
        public static List<Artifact> all(Map<String, String> contents) {
            return contents.entrySet().stream()
                    .map(each -> new Artifact(each.getKey(), each.getValue()))
                    .toList();
        }
    }

    /** What comes next. */
    public sealed interface To {}

    /** The first step of a run whose workflow the starter need not know; a worker that does enters it. */
    public record Begin(String step, String state) implements To {}

    /** A step that is a job; the job's payload is the state it works on. */
    public record Step(String step, JobSpec job) implements To {}

    public record Sleep(String step, String state, Duration length) implements To {}

    /** Waits for a signal of this name; absent {@code timeout} means for ever. */
    public record Await(
            String step,
            String state,
            String signal,
            @Nullable Duration timeout) implements To {}

    /**
     * Children, which this part of the run waits for, unless {@code isDetached}.
     *
     * @param total how many there will be
     * @param from the index of the first of {@code children}; the rest follows in later moves
     */
    public record Fork(
            String step, String state, Join join, int total, int from, List<Child> children, boolean isDetached)
            implements To {
        public Fork {
            children = List.copyOf(children);
        }
    }

    /**
     * One branch, item or child run.
     *
     * @param name the branch, or the workflow of a child run
     * @param step where it begins
     * @param state what it begins with
     * @param job its first job; absent if its first step is none, and then a worker looks what it is
     * @param run absent for a branch or item of the same run
     */
    public record Child(
            String name,
            String step,
            String state,
            @Nullable JobSpec job,
            @Nullable Definition run) {}

    /**
     * The workflow of a run, as far as a store must know it.
     *
     * @param deadline how long after its start a run has failed
     */
    public record Definition(
            String workflow,
            int version,
            String queue,
            @Nullable Duration deadline) {}

    /** Waits on as before, with another state: a timeout that runs goes on running. */
    public record Remain(String step, String state, String signal) implements To {}

    /** A last step that is entered and ends the run. */
    public record Finish(String step, String state) implements To {}

    /** The end: the state is the result. */
    public record Done(String state) implements To {}

    public record Failed(String error) implements To {}

    public record Cancelled(String reason) implements To {}

    /** A step on the way to a bad end: it undoes what was done before, or reports it. */
    public record Unwind(String step, JobSpec job, FrameView.Phase phase, String error) implements To {}

    /** Its wall time is up, unless it was topped up; the whole tree stops where it is. */
    public record Overdue() implements To {}

    /** It stays where it is; parts of the run that wait for this signal are told that one has come. */
    public record Arrived(String signal) implements To {}

    /** Nothing to do: it stays where it is. */
    public record Stay() implements To {}
}

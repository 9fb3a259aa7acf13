package dev.headgate.proof.differential;

import dev.headgate.job.JobSpec;
import dev.headgate.job.Unmet;
import dev.headgate.schedule.ScheduleTerms;
import dev.headgate.spi.NewJob;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One step of a script. Jobs and leases are named by a number that is taken modulo what there is, so a command means
 * something in every state, and a script still makes sense with any of its commands left out.
 */
sealed interface Command {
    /** For the reader of a failing script. */
    default String text() {
        return toString();
    }

    record Enqueue(List<NewJob> jobs) implements Command {
        @Override
        public String text() {
            return "Enqueue" + jobs.stream().map(Enqueue::text).toList();
        }

        private static String text(NewJob job) {
            JobSpec spec = job.spec();
            return "%s%s cost %s%s%s%s%s%s%s"
                    .formatted(
                            spec.lane().queue(),
                            spec.lane().gates(),
                            spec.cost().text(),
                            spec.order().priority() == 0
                                    ? ""
                                    : " priority " + spec.order().priority(),
                            spec.order().isFront() ? " front" : "",
                            spec.dedup().key() == null
                                    ? ""
                                    : " dedup '%s' for %s"
                                            .formatted(
                                                    spec.dedup().key(),
                                                    spec.dedup().lasts()),
                            spec.tries().deadline() == null
                                    ? ""
                                    : " deadline " + spec.tries().deadline(),
                            " attempts " + spec.tries().attemptsMax(),
                            job.due().equals(NewJob.Due.NOW) ? "" : " " + job.due());
        }
    }

    /**
     * Enqueues jobs that wait: each for some that were there before, named by numbers, and the last one for all others of
     * its call, as for children.
     */
    record EnqueueAfter(List<NewJob> jobs, List<Integer> picks, Unmet unmet) implements Command {
        @Override
        public String text() {
            return "%s after %s or %s".formatted(new Enqueue(jobs).text(), picks, unmet);
        }
    }

    /** Claims until nothing more can start or the slots are full. */
    record Claim(int worker, int slots) implements Command {}

    /** One turnaround: brings back some of what the worker holds, each in its way, and claims. */
    record Turn(int worker, int slots, List<Return> returns) implements Command {}

    record Return(int pick, Way way) {}

    /** How a job comes back. */
    enum Way {
        SUCCEED,
        FAIL,
        RETRY_NOW,
        RETRY_LATER,
        RETRY_AT,
        HAND_BACK,
        PARK,
        STOP,
        PUSH_BACK,
        SETTLE
    }

    /** Brings back a lease that the worker once had, whatever has become of it. */
    record Zombie(int worker, int pick) implements Command {}

    record Report(int worker, int pick) implements Command {}

    record Heartbeat(int worker) implements Command {}

    /** The worker is gone from now on and a new one takes its number; the old lease runs until it ends. */
    record Crash(int worker) implements Command {}

    record Leave(int worker) implements Command {}

    record Reap() implements Command {}

    record Operate(Operation operation, int pick) implements Command {}

    /** What an operator may do to a job. */
    enum Operation {
        CANCEL,
        DELETE,
        RETRY,
        NOW,
        LATER
    }

    record Redrive(@Nullable String queue) implements Command {}

    record Prune(Duration olderThan) implements Command {}

    /** Sets limits, or removes them if the text is empty. */
    record Policy(String key, String limits) implements Command {}

    record Hold(String gate, Duration span) implements Command {}

    record Clear(String gate) implements Command {}

    record Pause(dev.headgate.limit.Pause what) implements Command {}

    record Resume(dev.headgate.limit.Pause what) implements Command {}

    /** Puts one of a few schedules. */
    record PutSchedule(int number, ScheduleTerms terms) implements Command {}

    /** Pauses, resumes or removes one of them. */
    record SwitchSchedule(int number, Switch how) implements Command {}

    /** What can be done to a schedule. */
    enum Switch {
        PAUSE,
        RESUME,
        REMOVE
    }

    /** Fires what is due. */
    record Fire() implements Command {}

    record Advance(Duration by) implements Command {}

    record StepBack(Duration by) implements Command {}
}

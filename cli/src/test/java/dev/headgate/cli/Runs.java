package dev.headgate.cli;

import dev.headgate.Headgate;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.workflow.Workflow;
import java.time.Duration;
import java.util.List;

/** Plays the program that has the workflows: registers them, and works until nothing more can start. */
public final class Runs {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration NEAR = Duration.ofSeconds(20);
    private static final Duration MOMENT = Duration.ofMillis(100);

    private final Prompt prompt;
    private final List<Workflow<?, ?>> workflows;

    Runs(Prompt prompt, Workflow<?, ?>... workflows) {
        this.prompt = prompt;
        this.workflows = List.of(workflows);
        try (Headgate headgate = prompt.open()) {
            this.workflows.forEach(headgate.workflows()::register);
        }
    }

    /** Runs steps until all runs wait for something from outside or have ended; naps are short here. */
    void goOn() throws InterruptedException {
        try (Headgate headgate = prompt.open()) {
            workflows.forEach(headgate.workflows()::register);
            headgate.worker("default").start();
            long start = System.nanoTime();
            // A step of a paused run is set aside and does not end, so it is looked at again after a moment.
            for (List<JobStatus> due = due(headgate); !due.isEmpty(); due = due(headgate)) {
                boolean hasEnded = headgate.await(due.getFirst().id(), MOMENT).isPresent();
                if (!hasEnded && System.nanoTime() - start > PATIENCE.toNanos()) {
                    throw new AssertionError("expected it to end: " + due.getFirst());
                }
            }
        }
    }

    private static List<JobStatus> due(Headgate headgate) {
        return headgate.list(JobFilter.all().limit(1_000)).stream()
                .filter(job -> !job.state().isTerminal() && job.state() != JobState.PARKED && isSoon(job))
                .toList();
    }

    /** Timers of runs that wait are far away. */
    private static boolean isSoon(JobStatus job) {
        return job.state() != JobState.SCHEDULED
                || job.times().readySince().isBefore(job.times().enqueuedAt().plus(NEAR));
    }
}

package dev.headgate.cli.workers;

import dev.headgate.Headgate;
import dev.headgate.Worker;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.display.Wording;
import dev.headgate.internal.text.Served;
import dev.headgate.job.JobState;
import dev.headgate.limit.Spans;
import dev.headgate.status.QueueCount;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** How long a worker runs: until it is told to stop, its time is over, or nothing is left that it could do. */
final class WorkDuration {
    private static final Duration LOOK_EVERY = Duration.ofMillis(100);

    private final CommandContext shell;
    private final CountDownLatch stop;
    private final @Nullable Long endNanos;

    /** @param time absent means that there is no end */
    WorkDuration(CommandContext shell, CountDownLatch stop, @Nullable Duration time) {
        this.shell = shell;
        this.stop = stop;
        this.endNanos = time == null ? null : Long.valueOf(System.nanoTime() + time.toNanos());
    }

    /** Waits for the signal, or for the end of its time. */
    void last(Worker worker) throws InterruptedException {
        if (endNanos == null) {
            stop.await();
        } else if (!stop.await(endNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
            end(worker);
        }
    }

    private boolean isOver() {
        return endNanos != null && endNanos - System.nanoTime() <= 0;
    }

    /** The given time is an upper bound: what still runs is interrupted and goes back, uncounted. */
    private void end(Worker worker) {
        int busy = worker.busy();
        if (busy > 0) {
            shell.note(
                    "its time is over: %s interrupted and handed back".formatted(Wording.count(busy, "running job")));
        }
        worker.stopNow();
    }

    /** Idle is not enough: a job that waits for the next token of a gate is due, and its turn comes. */
    void runDue(Headgate headgate, Worker worker, Set<String> mine) throws InterruptedException {
        long unfit = 0;
        while (stop.getCount() > 0 && !isOver()) {
            if (worker.awaitIdle(LOOK_EVERY) && jobs(headgate, mine, JobState.RUNNING) == 0) {
                long queued = jobs(headgate, mine, JobState.QUEUED);
                int passed = worker.passedOver();
                if (queued <= passed || passed >= Worker.PASSED_OVER_MAX) {
                    unfit = queued;
                    break;
                }
            }
            stop.await(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
        }
        if (isOver()) {
            end(worker);
            unfit = jobs(headgate, mine, JobState.QUEUED);
        }
        if (unfit > 0) {
            shell.note(
                    "%s left that %s here, or not in the time (%s, but no more than half of the time, are expected of a type that has not run yet): headgate explain ID"
                            .formatted(
                                    unfit == 1 ? "1 job is" : "%,d jobs are".formatted(unfit),
                                    unfit == 1 ? "does not fit" : "do not fit",
                                    Spans.text(Worker.UNKNOWN_RUN_TIME)));
        }
        long later = jobs(headgate, mine, JobState.SCHEDULED);
        if (later > 0) {
            shell.note("%s later: headgate jobs --state scheduled"
                    .formatted(later == 1 ? "1 job is due" : "%,d jobs are due".formatted(later)));
        }
    }

    private static long jobs(Headgate headgate, Set<String> queues, JobState state) {
        return headgate.overview().jobs().stream()
                .filter(count -> count.state() == state && Served.covers(queues, count.queue()))
                .mapToLong(QueueCount::jobs)
                .sum();
    }
}

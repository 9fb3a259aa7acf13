package dev.headgate.cli.workers;

import dev.headgate.cli.CommandContext;
import dev.headgate.cli.display.Wording;
import dev.headgate.event.Event;
import dev.headgate.handler.JobContext;
import dev.headgate.handler.JobFunction;
import dev.headgate.handler.TooLate;
import dev.headgate.internal.json.JsonWriter;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/**
 * Logs what a worker's handlers do: a line for each job while they are few, one line a second with a count when they
 * are many. Thread-safe.
 */
public final class WorkLog {
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final int LINES_PER_SECOND = 20;

    private final CommandContext shell;
    private long second = System.nanoTime();
    private int lines;
    private long untold;
    private long returned;
    private long threw;

    WorkLog(CommandContext shell) {
        this.shell = shell;
    }

    /** The same function, watched. */
    public <T> JobFunction<T> watching(JobFunction<T> function) {
        return new JobFunction<>() {
            @Override
            public @Nullable Object apply(T payload, JobContext job) throws Exception {
                long start = System.nanoTime();
                try {
                    Object result = function.apply(payload, job);
                    ended(job, System.nanoTime() - start, null);
                    return result;
                } catch (TooLate late) {
                    throw late; // it made no call, and goes back as if it had not run
                } catch (Exception fault) {
                    ended(job, System.nanoTime() - start, fault);
                    throw fault;
                }
            }

            @Override
            public void warmUp() throws Exception {
                function.warmUp();
            }
        };
    }

    private synchronized void ended(JobContext job, long nanos, @Nullable Exception fault) {
        if (fault == null) {
            returned++;
        } else {
            threw++;
        }
        long now = System.nanoTime();
        if (now - second >= SECOND) {
            tellUntold();
            second = now;
            lines = 0;
        }
        if (++lines > LINES_PER_SECOND) {
            untold++;
        } else {
            tell(job, Duration.ofNanos(nanos), fault);
        }
    }

    /** Tells of resizes of the pool; what jobs do is told by {@link #watching}. */
    void hear(Event event) {
        if (event instanceof Event.PoolResized(String worker, int from, int to, String reason)) {
            if (shell.isJson()) {
                shell.say(JsonWriter.object()
                        .put("event", "resized")
                        .put("worker", worker)
                        .put("from", from)
                        .put("to", to)
                        .put("reason", reason));
            } else {
                shell.say("%s  %s, before %d: %s".formatted(clock(), Wording.count(to, "slot"), from, reason));
            }
        }
    }

    private void tell(JobContext job, Duration ran, @Nullable Exception fault) {
        if (shell.isJson()) {
            shell.say(JsonWriter.object()
                    .put("event", fault == null ? "returned" : "threw")
                    .put("id", job.id().value())
                    .put("type", job.type())
                    .put("attempt", job.attempt())
                    .put("ranMs", ran)
                    .put("error", fault == null ? null : fault.toString()));
            return;
        }
        String attempt = job.attempt() == 1 ? "" : ", attempt %d of %d".formatted(job.attempt(), job.attemptsMax());
        String outcome = fault == null ? "done" : "threw " + fault;
        shell.say("%s  job %s  %s  %s in %s%s"
                .formatted(clock(), job.id(), job.type(), outcome, Wording.span(ran), attempt));
    }

    private void tellUntold() {
        if (untold > 0) {
            if (shell.isJson()) {
                shell.say(JsonWriter.object().put("event", "more").put("jobs", untold));
            } else {
                shell.say("%s  … and %s more".formatted(clock(), Wording.count(untold, "job")));
            }
            untold = 0;
        }
    }

    /** The last word. */
    synchronized void close() {
        tellUntold();
        if (shell.isJson()) {
            shell.say(JsonWriter.object()
                    .put("event", "stopped")
                    .put("returned", returned)
                    .put("threw", threw));
        } else {
            shell.say("stopped: %s returned, %,d threw".formatted(Wording.count(returned, "job"), threw));
        }
    }

    private static String clock() {
        return LocalTime.now(ZoneId.systemDefault()).format(CLOCK);
    }
}

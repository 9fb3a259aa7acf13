package dev.headgate.handler;

import dev.headgate.internal.time.Ticker;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Code around every handler of a process: what it does before {@link Next#run} happens before the handler, what it does
 * after that happens after it, on the same thread. It may keep the handler from running by throwing, which means for the
 * job what it would mean had the handler thrown it. It should return what {@code next} returned: that is the result of
 * the job, and what a step of a workflow goes on with.
 *
 * <pre>{@code
 * headgate.around(Around.loggingContext());
 * headgate.around((job, next) -> {
 *     try (var span = tracer.start(job.type())) {
 *         return next.run();
 *     }
 * });
 * }</pre>
 *
 * <p>Registered in the order from outside to inside. Of a batch each member passes by itself, on its way into the batch.
 */
@FunctionalInterface
public interface Around {
    /** Runs around one attempt, and returns what {@link Next#run} returned. */
    @Nullable
    Object run(JobContext job, Next next) throws Exception;

    /** The handler, or whatever else stands around it. */
    interface Next {
        /** Runs the handler and returns its result; throws what it throws. */
        @Nullable
        Object run() throws Exception;
    }

    /** Is told how long each handler took, however it ended. */
    interface Timed {
        /** Is called on the thread of the handler, after it has returned or thrown. */
        void took(JobContext job, Duration time);
    }

    /**
     * Puts the job into the logging context (MDC) of SLF4J: {@code job.id}, {@code job.type}, {@code job.queue} and
     * {@code job.attempt}, so that every line that the handler logs can show them.
     */
    static Around loggingContext() {
        return (job, next) -> {
            try (var id = MDC.putCloseable("job.id", job.id().toString());
                    var type = MDC.putCloseable("job.type", job.type());
                    var queue = MDC.putCloseable("job.queue", job.queue());
                    var attempt = MDC.putCloseable("job.attempt", Integer.toString(job.attempt()))) {
                return next.run();
            }
        };
    }

    /** Measures how long handlers take. */
    static Around timing(Timed timed) {
        Ticker ticker = Ticker.SYSTEM;
        return (job, next) -> {
            long begin = ticker.nanos();
            try {
                return next.run();
            } finally {
                timed.took(job, Duration.ofNanos(ticker.nanos() - begin));
            }
        };
    }
}

package dev.headgate.internal.worker;

import dev.headgate.internal.resource.ProcessResources;
import dev.headgate.internal.worker.WorkerSettings.Threads;
import java.util.function.LongSupplier;

/**
 * Runs a worker's loops and handlers. In production on threads; a simulation puts every round and every end of a
 * handler into one queue of events instead, and so decides their order.
 */
public interface LoopRunner {
    LoopRunner THREADS = new ThreadLoopRunner();

    /**
     * A loop that has not started yet.
     *
     * @param round does the work and returns after how many nanoseconds to run again at the latest
     */
    Loop loop(String role, String worker, LongSupplier round);

    /** Runs the handlers of one worker. */
    HandlerRunner handlerRunner(Threads threads);

    /** The process in which the handlers run. */
    ProcessResources process();

    /** Pauses in the middle of a round. */
    void rest(long nanos);

    /** Runs handlers. */
    interface HandlerRunner {
        /** Runs this, now or soon and once. */
        void start(HandlerRun shift);

        /** Starts nothing any more; what runs goes on. */
        void close();
    }

    /** One run of a handler, as its runner sees it. */
    interface HandlerRun {
        long job();

        long epoch();

        /** Whether it must run on a platform thread: the JVM does not measure what virtual threads allocate. */
        boolean isMeasured();

        /** Whether its handler waits for other jobs, to run all of them as one batch: then these need threads of their own. */
        boolean isBatched();

        /**
         * The handler is about to run.
         *
         * @param interruption is called whenever the handler is asked to stop, at once if it already was
         */
        void begin(Runnable interruption);

        /**
         * The last check before the handler's code. Comes after {@link #begin}.
         *
         * @return false if it does not run; its outcome is then delivered, and nothing is left to do
         */
        boolean enter();

        /** Runs the handler to its end and delivers its outcome. Comes right after {@link #enter}, if that was true. */
        void work();
    }
}

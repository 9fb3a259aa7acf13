package dev.headgate.internal.worker;

import dev.headgate.internal.resource.ProcessResources;
import dev.headgate.internal.worker.WorkerSettings.Threads;
import java.util.function.LongSupplier;

/**
 * On what a worker's loops turn and its handlers run. In production these are threads; a simulation puts every round and
 * every end of a handler on one heap of events instead, and so decides who comes when.
 */
public interface LoopRunner {
    LoopRunner THREADS = new ThreadLoopRunner();

    /**
     * A loop that has not started yet.
     *
     * @param round does what is to be done and answers in how many nanoseconds to come back at the latest
     */
    Loop loop(String role, String worker, LongSupplier round);

    /** Those who run the handlers of one worker. */
    Crew crew(Threads threads);

    /** The process in which the handlers run. */
    ProcessResources house();

    /** Lets others go on for a moment, in the middle of a round. */
    void rest(long nanos);

    /** Runs handlers. */
    interface Crew {
        /** Sees to it that this is run, now or soon and once. */
        void start(Shift shift);

        /** Nothing is started any more; what runs goes on. */
        void close();
    }

    /** One handler's run, as those see it who run it. */
    interface Shift {
        long job();

        long epoch();

        /** Whether it is to run on a platform thread in any case: of others the JVM does not tell what they allocate. */
        boolean isMeasured();

        /** Whether its handler waits for other jobs, to run all of them as one batch: then these need threads of their own. */
        boolean isGathered();

        /**
         * The handler is about to work.
         *
         * @param interruption is called whenever it is asked to stop, at once if it has been
         */
        void begin(Runnable interruption);

        /**
         * The last look before the handler's code. Comes after {@link #begin}.
         *
         * @return false if it does not run; that is delivered then, and nothing is left to do
         */
        boolean enter();

        /** Runs the handler to its end and delivers what came of it. Comes right after {@link #enter}, if that was true. */
        void work();
    }
}

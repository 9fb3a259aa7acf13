package dev.headgate.internal.worker;

import dev.headgate.internal.handler.Handlers;
import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.json.JsonCodec;
import dev.headgate.internal.time.Chance;
import dev.headgate.internal.time.Ticker;
import dev.headgate.spi.Backend;

/** What workers get from their process: elapsed time, chance, and what runs their loops and handlers. */
public record WorkerProcess(Ticker ticker, Chance chance, LoopRunner loops) {
    /** Real time and real threads. */
    public static final WorkerProcess REAL = new WorkerProcess(Ticker.SYSTEM, Chance.SYSTEM, LoopRunner.THREADS);

    /** A store that brings a process of its own: that of a test, which moves time and steps workers by hand. */
    public interface Source {
        WorkerProcess process();
    }

    /** The process that this store brings, or the real one. */
    public static WorkerProcess of(Backend store) {
        return store instanceof Source source ? source.process() : REAL;
    }

    /** Starts a worker, which shares all of this with the other workers of the process. */
    public RunningWorker start(
            WorkerSettings settings,
            JobStore store,
            Handlers handlers,
            JsonCodec codec,
            CompletionSignals completions,
            EventPublisher events) {
        var shared = new RunningWorker.Shared(store, handlers, codec, completions, events, ticker, chance, loops);
        return RunningWorker.start(shared, settings);
    }
}

package dev.headgate.engine;

import dev.headgate.codec.JsonCodec;
import dev.headgate.handler.Handlers;
import dev.headgate.transition.JobStore;
import java.time.Duration;

/** One worker: its dispatcher, keeper, watch, reporter and janitor, started and stopped together. */
public final class RunningWorker {
    /** What workers of one Headgate share. */
    public record Shared(JobStore store, Handlers handlers, JsonCodec codec, Completions completions) {}

    private RunningWorker() {}

    public static RunningWorker start(Shared shared, WorkerSettings settings) {
        return new RunningWorker();
    }

    public String id() {
        return "";
    }

    public int busy() {
        return 0;
    }

    public boolean awaitIdle(Duration timeout) throws InterruptedException {
        return false;
    }

    public void stop(boolean isNow) {}

    public void beginStop(boolean isNow) {}
}

package dev.headgate.internal.worker;

import dev.headgate.internal.resource.ProcessResources;
import dev.headgate.internal.worker.WorkerSettings.Threads;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Runs on threads: a platform thread for each loop, and for each handler one of the kind that was asked for. A handler
 * that is measured has a platform thread of its own instead of a virtual one: new for this run, a daemon, with the same
 * kind of name.
 */
final class ThreadLoopRunner implements LoopRunner {
    @Override
    public Loop loop(String role, String worker, LongSupplier round) {
        return new ThreadLoop(role, worker, round);
    }

    @Override
    public HandlerRunner handlerRunner(Threads threads) {
        return threads == Threads.VIRTUAL ? new VirtualThreads() : new PlatformThreads();
    }

    @Override
    public ProcessResources process() {
        return ProcessResources.ours();
    }

    @Override
    public void rest(long nanos) {
        LockSupport.parkNanos(this, nanos);
    }

    private static void run(HandlerRun shift) {
        shift.begin(Thread.currentThread()::interrupt);
        if (shift.enter()) {
            shift.work();
        }
    }

    private static final class VirtualThreads implements HandlerRunner {
        @Override
        public void start(HandlerRun shift) {
            Thread.Builder kind = shift.isMeasured() ? Thread.ofPlatform().daemon() : Thread.ofVirtual();
            kind.name("headgate-job-" + shift.job()).start(() -> run(shift));
        }

        @Override
        public void close() {}
    }

    private static final class PlatformThreads implements HandlerRunner {
        private final ExecutorService pool = Executors.newCachedThreadPool(
                Thread.ofPlatform().daemon().name("headgate-slot-", 0).factory());

        @Override
        public void start(HandlerRun shift) {
            pool.execute(() -> run(shift));
        }

        @Override
        public void close() {
            pool.shutdown();
        }
    }
}

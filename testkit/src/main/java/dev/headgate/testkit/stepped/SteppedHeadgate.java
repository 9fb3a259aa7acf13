package dev.headgate.testkit.stepped;

import dev.headgate.Headgate;
import dev.headgate.internal.worker.WorkerProcess;
import dev.headgate.job.JobId;
import dev.headgate.spi.Backend;
import dev.headgate.spi.ForwardingBackend;
import dev.headgate.spi.Wake;
import dev.headgate.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * A {@link Headgate} whose workers do nothing until they are stepped; see {@link dev.headgate.testkit.TestHeadgate}, which
 * runs it on the memory store. Our own tests run it on every store.
 */
public final class SteppedHeadgate implements AutoCloseable {
    private final VirtualTime time;
    private final SteppedLoops loops;
    private final Backend backend;
    private final Headgate headgate;

    /** On this store, whose clock is {@code time}. The store stays open when this is closed. */
    public SteppedHeadgate(Backend store, VirtualTime time) {
        this.time = time;
        this.loops = new SteppedLoops(time);
        this.backend = new SteppedBackend(store, loops);
        this.headgate = Headgate.open(backend);
    }

    public Headgate headgate() {
        return headgate;
    }

    /** See {@link dev.headgate.testkit.TestHeadgate#claim}. */
    public List<JobId> claim() {
        List<JobId> before = loops.claimed();
        look(false);
        List<JobId> claimed = new ArrayList<>(loops.claimed());
        claimed.removeAll(before);
        return claimed;
    }

    /** See {@link dev.headgate.testkit.TestHeadgate#run}. */
    public List<JobId> run() {
        look(true);
        return loops.takeBegun();
    }

    /** See {@link dev.headgate.testkit.TestHeadgate#runFor}. */
    public List<JobId> runFor(Duration span) {
        long end = time.micros() + span.toNanos() / 1_000;
        look(true);
        while (time.micros() < end) {
            Long dueNanos = loops.dueInNanos();
            long left = end - time.micros();
            long step = dueNanos == null ? left : Math.clamp((dueNanos + 999) / 1_000, 1, left);
            time.advance(Duration.ofNanos(step * 1_000));
            loops.settle(true);
        }
        look(true);
        return loops.takeBegun();
    }

    /** Begins with a look for work, whatever workers plan: time may have been moved by hand. */
    private void look(boolean isWorking) {
        backend.publish(Set.of(new Wake.Anything()));
        loops.settle(isWorking);
    }

    /** Stops the workers; claimed jobs are handed back, and their handlers do not run. */
    @Override
    public void close() {
        loops.close();
        headgate.close();
    }

    /** The store, with the process of this test. */
    private static final class SteppedBackend extends ForwardingBackend implements WorkerProcess.Source {
        private final WorkerProcess process;

        private SteppedBackend(Backend store, SteppedLoops loops) {
            super(store);
            // The same numbers in every run, so that delays with jitter are the same too.
            this.process = new WorkerProcess(loops::nanos, new Random(1)::nextLong, loops);
        }

        @Override
        public WorkerProcess process() {
            return process;
        }
    }
}

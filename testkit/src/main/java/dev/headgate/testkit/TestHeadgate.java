package dev.headgate.testkit;

import dev.headgate.Headgate;
import dev.headgate.internal.worker.WorkerProcess;
import dev.headgate.job.JobId;
import dev.headgate.spi.Backend;
import dev.headgate.spi.ForwardingBackend;
import dev.headgate.spi.Wake;
import dev.headgate.testkit.memory.MemoryBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Headgate for one test: an empty store in memory, a clock that moves only when told, and workers that do nothing until the
 * test says so. Handlers run on the test's own thread, one after another, so a test needs no waiting and gives the same
 * result every time.
 *
 * <pre>{@code
 * try (TestHeadgate test = TestHeadgate.open()) {
 *     test.headgate().handle(REMIND, (reminder, job) -> mailer.send(reminder));
 *     test.headgate().worker("default").start();
 *     JobId id = test.headgate().enqueue(REMIND, new Reminder("acme"), job -> job.delay(ofDays(3))).id();
 *     test.runFor(ofDays(3));
 *     test.assertThat(id).hasSucceeded();
 * }
 * }</pre>
 *
 * <p>With JUnit, {@link dev.headgate.testkit.junit.HeadgateExtension} opens and closes it.
 *
 * <p>What waits in real time for a worker, such as {@link Headgate#await} or {@code Worker.awaitIdle}, waits in vain: no worker
 * does anything meanwhile.
 */
public final class TestHeadgate implements AutoCloseable {
    private final VirtualTime time = new VirtualTime();
    private final SteppedLoops loops = new SteppedLoops(time);
    private final Backend backend = new TestBackend(time, loops);
    private final Headgate headgate = Headgate.open(backend);

    private TestHeadgate() {}

    /** An empty store at {@link VirtualTime#START}. */
    public static TestHeadgate open() {
        return new TestHeadgate();
    }

    /** What the code under test works with: it registers handlers, starts workers and enqueues as it does in production. */
    public Headgate headgate() {
        return headgate;
    }

    /** The clock of the store and of all workers. */
    public VirtualTime time() {
        return time;
    }

    /**
     * Lets workers claim what may start now, and leaves the handlers waiting: each of these jobs is RUNNING and holds its places
     * at its gates.
     *
     * @return the jobs claimed by this call, in order
     */
    public List<JobId> claim() {
        List<JobId> before = loops.claimed();
        look(false);
        List<JobId> claimed = new ArrayList<>(loops.claimed());
        claimed.removeAll(before);
        return claimed;
    }

    /**
     * Runs everything that may run now: handlers of claimed jobs, and more jobs as the ends of these let them start. Time stands
     * still.
     *
     * @return the jobs whose handlers ran, in order; a job that was tried twice is there twice
     */
    public List<JobId> run() {
        look(true);
        return loops.takeBegun();
    }

    /**
     * Lets time pass and runs each job, schedule and retry at the instant at which it is due.
     *
     * @return the jobs whose handlers ran, in order
     */
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

    /** Assertions about one job, whose messages explain where the job is and why. */
    public JobAssert assertThat(JobId id) {
        return new JobAssert(headgate, id);
    }

    /** Stops the workers; claimed jobs are handed back, and their handlers do not run. */
    @Override
    public void close() {
        loops.close();
        headgate.close();
        backend.close();
    }

    /** The memory store, with the process of this test. */
    private static final class TestBackend extends ForwardingBackend implements WorkerProcess.Source {
        private final WorkerProcess process;

        private TestBackend(VirtualTime time, SteppedLoops loops) {
            super(new MemoryBackend(time));
            // The same numbers in every run, so that delays with jitter are the same too.
            this.process = new WorkerProcess(loops::nanos, new Random(1)::nextLong, loops);
        }

        @Override
        public WorkerProcess process() {
            return process;
        }
    }
}

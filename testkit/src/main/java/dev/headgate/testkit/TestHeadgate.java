package dev.headgate.testkit;

import dev.headgate.Headgate;
import dev.headgate.job.JobId;
import dev.headgate.testkit.memory.MemoryBackend;
import dev.headgate.testkit.stepped.SteppedHeadgate;
import java.time.Duration;
import java.util.List;

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
    private final MemoryBackend store = new MemoryBackend(time);
    private final SteppedHeadgate stepped = new SteppedHeadgate(store, time);

    private TestHeadgate() {}

    /** An empty store at {@link VirtualTime#START}. */
    public static TestHeadgate open() {
        return new TestHeadgate();
    }

    /** What the code under test works with: it registers handlers, starts workers and enqueues as it does in production. */
    public Headgate headgate() {
        return stepped.headgate();
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
        return stepped.claim();
    }

    /**
     * Runs everything that may run now: handlers of claimed jobs, and more jobs as the ends of these let them start. Time stands
     * still.
     *
     * @return the jobs whose handlers ran, in order; a job that was tried twice is there twice
     */
    public List<JobId> run() {
        return stepped.run();
    }

    /**
     * Lets time pass and runs each job, schedule and retry at the instant at which it is due.
     *
     * @return the jobs whose handlers ran, in order
     */
    public List<JobId> runFor(Duration span) {
        return stepped.runFor(span);
    }

    /** Assertions about one job, whose messages explain where the job is and why. */
    public JobAssert assertThat(JobId id) {
        return new JobAssert(headgate(), id);
    }

    /** Stops the workers; claimed jobs are handed back, and their handlers do not run. */
    @Override
    public void close() {
        stepped.close();
        store.close();
    }
}

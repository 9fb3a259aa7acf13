package dev.headgate.internal.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Headgate;
import dev.headgate.Worker;
import dev.headgate.job.JobId;
import dev.headgate.job.JobStatus;
import dev.headgate.job.JobType;
import dev.headgate.spi.StoreClock;
import dev.headgate.testkit.memory.MemoryBackend;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A headgate on a memory store that can be made to fail, and the few waits that engine tests need. */
final class Plant implements AutoCloseable {
    /** For what comes at once unless it is broken: only then it takes this long, and on no machine it may be too short. */
    static final Duration SOON = Duration.ofSeconds(Integer.getInteger("patience", 120));

    static final JobType<Order> WORK = JobType.of("work", Order.class);

    final MemoryBackend memory;
    final FaultyBackend backend;
    final Headgate headgate;

    /** A payload. */
    record Order(int number) {}

    Plant() {
        this(new MemoryBackend());
    }

    Plant(StoreClock clock) {
        this(new MemoryBackend(clock));
    }

    Plant(MemoryBackend memory) {
        this.memory = memory;
        this.backend = new FaultyBackend(memory);
        this.headgate = Headgate.open(backend);
    }

    /** A second process on the same store. */
    Plant reopen() {
        return new Plant(memory.reopen());
    }

    Worker work() {
        return headgate.worker("default").drain(Duration.ZERO).start();
    }

    JobId enqueue() {
        return headgate.enqueue(WORK, new Order(1)).id();
    }

    /** The job once it has ended. */
    JobStatus ended(JobId id) throws InterruptedException {
        return headgate.await(id, SOON).orElseThrow(() -> new AssertionError("not ended: " + headgate.explain(id)));
    }

    JobStatus status(JobId id) {
        return headgate.find(id).orElseThrow();
    }

    static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    static void awaitIdle(Worker worker) throws InterruptedException {
        assertThat(worker.awaitIdle(SOON)).isTrue();
    }

    @Override
    public void close() {
        backend.heal();
        headgate.close();
    }
}

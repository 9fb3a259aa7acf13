package dev.headgate;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.headgate.job.JobId;
import dev.headgate.job.JobType;
import dev.headgate.limit.BacklogCap;
import dev.headgate.limit.BacklogFullException;
import dev.headgate.testkit.memory.MemoryBackend;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Capped backlogs at the front door. */
class BacklogTest {
    private static final JobType<Work> WORK = JobType.of("work", Work.class);

    private final MemoryBackend backend = new MemoryBackend();
    private final Headgate headgate = Headgate.open(backend);

    record Work() {}

    @AfterEach
    void close() {
        headgate.close();
        backend.close();
    }

    @Test
    void anEnqueueBlocksUntilThereIsRoom() throws Exception {
        headgate.policies().queue("q", q -> q.backlog(BacklogCap.block(1, Duration.ofMinutes(1))));
        JobId first = headgate.enqueue(WORK, new Work(), job -> job.queue("q")).id();
        CompletableFuture<JobId> second = CompletableFuture.supplyAsync(
                () -> headgate.enqueue(WORK, new Work(), job -> job.queue("q")).id());
        headgate.cancel(first);
        assertThat(second.get(120, SECONDS)).isNotEqualTo(first);
    }

    @Test
    void aBlockedEnqueueGivesUpInTheEndAndAnInterruptedOneAtOnce() {
        headgate.policies().queue("q", q -> q.backlog(BacklogCap.block(1, Duration.ofMillis(20))));
        headgate.enqueue(WORK, new Work(), job -> job.queue("q"));
        assertThatExceptionOfType(BacklogFullException.class)
                .isThrownBy(() -> headgate.enqueue(WORK, new Work(), job -> job.queue("q")))
                .withMessageContaining("queue q: 1 jobs wait, at most 1 may");
        headgate.policies().replacing().queue("q", q -> q.backlog(BacklogCap.block(1, Duration.ofHours(1))));
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(BacklogFullException.class)
                .isThrownBy(() -> headgate.enqueue(WORK, new Work(), job -> job.queue("q")));
        assertThat(Thread.interrupted()).isTrue();
    }
}

package dev.headgate.examples;

import static dev.headgate.limit.Limit.rate;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Headgate;
import dev.headgate.Worker;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobType;
import dev.headgate.testkit.VirtualTime;
import dev.headgate.testkit.memory.MemoryBackend;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** How to test jobs of your own: a store in memory, a clock that obeys, no waiting. */
class YourJobsTest {
    private static final Duration SOON = ofMinutes(1);

    record Reminder(String customer) {}

    private static final JobType<Reminder> REMIND = JobType.of("remind", Reminder.class);

    // docs:begin test-with-virtual-time
    @Test
    void aReminderGoesOutAfterThreeDaysAndNotBefore() throws InterruptedException {
        VirtualTime time = new VirtualTime();
        List<String> sent = new CopyOnWriteArrayList<>();
        try (Headgate headgate = Headgate.open(new MemoryBackend(time))) {
            headgate.handle(REMIND, (reminder, job) -> sent.add(reminder.customer()));
            headgate.enqueue(REMIND, new Reminder("acme"), job -> job.delay(ofDays(3)));
            Worker worker = headgate.worker("default").start();

            time.advance(ofDays(3).minusSeconds(1));
            assertThat(worker.awaitIdle(SOON)).isTrue();
            assertThat(sent).isEmpty();

            time.advance(ofSeconds(1));
            assertThat(worker.awaitIdle(SOON)).isTrue();
            assertThat(sent).containsExactly("acme");
        }
    }
    // docs:end

    // docs:begin test-retry
    @Test
    void aReminderThatFailsIsTriedAgain() throws InterruptedException {
        VirtualTime time = new VirtualTime();
        try (Headgate headgate = Headgate.open(new MemoryBackend(time))) {
            headgate.handle(REMIND, (reminder, job) -> {
                if (job.attempt() == 1) {
                    throw new IllegalStateException("the mail server is away");
                }
            });
            JobId id = headgate.enqueue(REMIND, new Reminder("acme"));
            Worker worker = headgate.worker("default").start();

            assertThat(worker.awaitIdle(SOON)).isTrue();
            assertThat(headgate.find(id).orElseThrow().state()).isEqualTo(JobState.SCHEDULED);

            time.advance(ofSeconds(1));
            assertThat(worker.awaitIdle(SOON)).isTrue();
            assertThat(headgate.find(id).orElseThrow().state()).isEqualTo(JobState.SUCCEEDED);
        }
    }
    // docs:end

    // docs:begin test-limits
    @Test
    void threeRemindersGoOutAtOnceAndThenOneEveryTwentySeconds() throws InterruptedException {
        VirtualTime time = new VirtualTime();
        List<String> sent = new CopyOnWriteArrayList<>();
        try (Headgate headgate = Headgate.open(new MemoryBackend(time))) {
            headgate.policies()
                    .gate("mail", gate -> gate.limit(rate(3).per(ofMinutes(1)).burst(3)));
            headgate.handle(REMIND, (reminder, job) -> sent.add(reminder.customer()));
            for (int i = 0; i < 5; i++) {
                headgate.enqueue(REMIND, new Reminder("acme"), job -> job.gate("mail"));
            }
            Worker worker = headgate.worker("default").start();

            assertThat(worker.awaitIdle(SOON)).isTrue();
            assertThat(sent).hasSize(3);

            time.advance(ofSeconds(20));
            assertThat(worker.awaitIdle(SOON)).isTrue();
            assertThat(sent).hasSize(4);
        }
    }
    // docs:end
}
